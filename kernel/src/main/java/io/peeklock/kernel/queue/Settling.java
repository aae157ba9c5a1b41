package io.peeklock.kernel.queue;

import io.peeklock.kernel.Stamp;

/** What the handlers of the single settlements work on. */
record Settling(
    QueueState queue, Stamp stamp, HeldLocks held, PropertyChange change, Draft draft) {}
