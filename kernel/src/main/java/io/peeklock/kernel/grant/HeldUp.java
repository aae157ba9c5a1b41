package io.peeklock.kernel.grant;

import org.jspecify.annotations.Nullable;

/**
 * Messages of a queue that move by themselves and cannot go on.
 *
 * @param path of the entity that they are in, or were sent via
 * @param destination the path that they go to; null for scheduled messages and copies, which stay
 *     with their topic
 */
public record HeldUp(Kind kind, String path, @Nullable String destination, Delay delay) {

  /** What kind of messages these are. */
  public enum Kind {
    /** Messages of a queue that forwards. */
    FORWARDED,
    /** Dead letters of a queue that forwards these. */
    DEAD_LETTERS,
    /** Messages sent to one entity via another. */
    TRANSFERS,
    /** Messages of a topic that are still to be copied. */
    COPIES,
    /** Scheduled messages of a topic that are due. */
    SCHEDULED
  }
}
