package io.peeklock.kernel.columns;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.fact.DeadLetterCause;

/** The flags of a row: removed, deferred, dead-letter cause, header size. */
public final class RowFlags {

  /** The unit of header sizes in bytes; sizes are rounded up. */
  public static final int HEADER_UNIT = 128;

  private static final int REMOVED = 1;
  private static final int DEFERRED = 1 << 1;
  private static final int CAUSE_SHIFT = 2;
  private static final int CAUSE_MASK = 15 << CAUSE_SHIFT;
  private static final int HEADER_SHIFT = 8;
  private static final int MAX_HEADER_UNITS = (1 << 24) - 1;

  private RowFlags() {}

  /** The flags of a new active message. */
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

  /** The flags of a message that enters a dead-letter queue: active, with a cause. */
  public static int deadLettered(int flags, DeadLetterCause cause) {
    return (flags & ~(DEFERRED | CAUSE_MASK)) | (cause.code() << CAUSE_SHIFT);
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

  public static DeadLetterCause cause(int flags) {
    DeadLetterCause cause = DeadLetterCause.withCode((flags & CAUSE_MASK) >> CAUSE_SHIFT);
    return Invariant.present(cause, "a row has a cause that is known");
  }

  public static int headerBytes(int flags) {
    return (flags >>> HEADER_SHIFT) * HEADER_UNIT;
  }
}
