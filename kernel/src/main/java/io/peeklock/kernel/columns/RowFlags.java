package io.peeklock.kernel.columns;

import io.peeklock.kernel.DeadLetterCause;

/** What a row's flags say: removed or not, deferred or not, dead-letter cause, header size. */
public final class RowFlags {

  /** Header sizes are kept in units of so many bytes, rounded up. */
  public static final int HEADER_UNIT = 128;

  private static final int REMOVED = 1;
  private static final int DEFERRED = 1 << 1;
  private static final int CAUSE_SHIFT = 2;
  private static final int CAUSE_MASK = 15 << CAUSE_SHIFT;
  private static final int HEADER_SHIFT = 8;
  private static final int MAX_HEADER_UNITS = (1 << 24) - 1;
  private static final DeadLetterCause[] CAUSES = {
    DeadLetterCause.NONE,
    DeadLetterCause.RECEIVER,
    DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED,
    DeadLetterCause.TTL_EXPIRED,
    DeadLetterCause.HEADER_SIZE_EXCEEDED,
    DeadLetterCause.SESSION_ID_MISSING,
    DeadLetterCause.RULE_FAILED,
    DeadLetterCause.HOP_LIMIT_EXCEEDED,
    DeadLetterCause.FORWARDING_FAILED,
  };

  private RowFlags() {}

  /** A new active message. */
  public static int fresh(int headerBytes) {
    long units = ((long) headerBytes + HEADER_UNIT - 1) / HEADER_UNIT;
    return (int) Math.min(MAX_HEADER_UNITS, units) << HEADER_SHIFT;
  }

  static int removed(int flags) {
    return flags | REMOVED;
  }

  public static int deferred(int flags) {
    return flags | DEFERRED;
  }

  /** Active again, with a cause, as it enters a dead-letter queue. */
  public static int deadLettered(int flags, DeadLetterCause cause) {
    return (flags & ~(DEFERRED | CAUSE_MASK)) | (code(cause) << CAUSE_SHIFT);
  }

  static boolean isPresent(int flags) {
    return (flags & REMOVED) == 0;
  }

  public static boolean isDeferred(int flags) {
    return (flags & DEFERRED) != 0;
  }

  static boolean isPresentAndActive(int flags) {
    return (flags & (REMOVED | DEFERRED)) == 0;
  }

  /** Its place in {@link #CAUSES}. */
  public static int code(DeadLetterCause cause) {
    return switch (cause) {
      case NONE -> 0;
      case RECEIVER -> 1;
      case MAX_DELIVERY_COUNT_EXCEEDED -> 2;
      case TTL_EXPIRED -> 3;
      case HEADER_SIZE_EXCEEDED -> 4;
      case SESSION_ID_MISSING -> 5;
      case RULE_FAILED -> 6;
      case HOP_LIMIT_EXCEEDED -> 7;
      case FORWARDING_FAILED -> 8;
    };
  }

  public static DeadLetterCause cause(int flags) {
    return CAUSES[(flags & CAUSE_MASK) >> CAUSE_SHIFT];
  }

  public static int headerBytes(int flags) {
    return (flags >>> HEADER_SHIFT) * HEADER_UNIT;
  }
}
