package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation;

/** An operation the broker has, and when it came. */
record Asked(long id, Operation operation, long atMillis, long tick) {}
