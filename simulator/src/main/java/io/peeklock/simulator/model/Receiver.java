package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation.Mode;
import org.jspecify.annotations.Nullable;

/** A receiver, and the session it holds. */
final class Receiver {
  final String name;
  final Place place;
  final Mode mode;

  /** Null when it is no session's. */
  final @Nullable String sessionId;

  long sessionUntil;

  /** It has at most so much credit, counting what it asked for and was not told of. */
  long mostCredit;

  /** It has so much credit for certain. */
  long sureCredit;

  /** Asked for, not answered. */
  long pendingCredit;

  boolean drains;
  boolean ended;

  Receiver(String name, Place place, Mode mode, @Nullable String sessionId) {
    this.name = name;
    this.place = place;
    this.mode = mode;
    this.sessionId = sessionId;
  }

  void asks(int more) {
    mostCredit += more;
    pendingCredit += more;
  }

  /** It may get this copy: all of its queue, or of its session. */
  boolean wants(Copy copy) {
    return copy.place == place && (sessionId == null || sessionId.equals(copy.sent.sessionId()));
  }
}
