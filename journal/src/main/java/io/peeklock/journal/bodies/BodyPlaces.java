package io.peeklock.journal.bodies;

import io.peeklock.journal.large.FileLarge;
import io.peeklock.journal.segment.BodyLocations;
import java.util.List;

/**
 * The locations of the bodies that some facts of a checkpoint name, in their order: for each fact
 * first the messages' bodies, then their changed properties.
 *
 * @param at the locations, as in {@link BodyLocations}; NONE for a body that died meanwhile
 * @param larges the bodies whose location is {@link BodyLocations#LARGE}, in order
 */
public record BodyPlaces(long[] at, List<FileLarge> larges) {}
