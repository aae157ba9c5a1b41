package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation.Mode;
import io.peeklock.simulator.history.SentMessage;
import org.jspecify.annotations.Nullable;

/** Who receives from an entity, or from a session of it. */
final class Receiver {
  final String name;
  final String path;
  final Mode mode;
  final @Nullable String session;
  long credit;

  /** It was closed or ended, though something may still be on its way to it. */
  boolean isOver;

  /** All entities were emptied, and so made again, since it was opened. */
  boolean mayBeGone;

  /** Whether it could be given this message. */
  boolean isFor(SentMessage message) {
    return session == null || session.equals(message.sessionId());
  }

  Receiver(String name, String path, Mode mode, @Nullable String session) {
    this.name = name;
    this.path = path;
    this.mode = mode;
    this.session = session;
  }
}
