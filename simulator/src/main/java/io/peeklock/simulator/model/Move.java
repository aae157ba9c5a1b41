package io.peeklock.simulator.model;

import java.util.List;

/**
 * A copy's way on, which was taken when the doubt is true.
 *
 * @param copies what it becomes there
 */
record Move(Outcome.Leave leave, Doubt doubt, List<Copy> copies) {}
