package io.peeklock.kernel.settle;

import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.QueueState;

/**
 * What the handler of each settlement works on: the held locks, the changed properties, the draft.
 */
public record SettleContext(
    QueueState queue, Stamp stamp, LockCheck held, PropertyChange change, DecisionBuilder draft) {}
