package io.peeklock.simulator.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client is told of what it asked. */
public sealed interface Answer {

  /** Why the i-th thing that was asked for was refused; null where it was not. */
  default @Nullable String refusal(int i) {
    return switch (this) {
      case Refused refused -> refused.why();
      case Each each -> each.refusals().get(i);
      default -> null;
    };
  }

  /** Done; there is nothing to tell. */
  record Done() implements Answer {}

  /**
   * Nothing of it happened.
   *
   * @param why the kind of refusal in the broker's table, such as {@code MessageLockLost}
   */
  record Refused(String why) implements Answer {}

  /**
   * Of several messages or locks each has its own answer.
   *
   * @param refusals one for each, in order; null where done
   */
  record Each(List<@Nullable String> refusals) implements Answer {}

  /** A send that was asked for numbers: one for each message, 0 where none was given. */
  record Numbered(List<Long> sequenceNumbers) implements Answer {}

  /** Locks, or a session's lock, last until then. */
  record LockedUntil(long millis) implements Answer {}

  /** A session is the receiver's until then. */
  record SessionAccepted(String sessionId, long lockedUntilMillis) implements Answer {}

  /** Names of sessions. */
  record Sessions(List<String> sessionIds) implements Answer {}

  /** Null when there is none. */
  record State(@Nullable String state) implements Answer {}

  /** Of a peek, or deferred messages by number. */
  record Messages(List<SeenMessage> messages) implements Answer {}

  /** How many a batch delete deleted. */
  record Deleted(int count) implements Answer {}

  /** What administration tells of an entity. */
  record Counted(
      long active, long deadLetters, long scheduled, long transfer, long transferDeadLetters)
      implements Answer {}
}
