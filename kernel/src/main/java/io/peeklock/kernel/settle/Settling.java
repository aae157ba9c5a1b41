package io.peeklock.kernel.settle;

import io.peeklock.kernel.Stamp;
import io.peeklock.kernel.decide.Draft;
import io.peeklock.kernel.state.QueueState;

/** What the handlers of the single settlements work on. */
public record Settling(
    QueueState queue, Stamp stamp, HeldLocks held, PropertyChange change, Draft draft) {}
