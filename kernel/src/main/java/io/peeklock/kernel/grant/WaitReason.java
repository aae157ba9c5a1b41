package io.peeklock.kernel.grant;

/** What holds up messages that move by themselves: forwarded ones, copies, scheduled ones. */
public enum WaitReason {
  /** The entity that they are forwarded to does not exist. */
  DESTINATION_NOT_FOUND,
  /** The entity that they are forwarded to takes nothing now (S-303). */
  DESTINATION_DISABLED,
  /** The entity that they are forwarded to has its maximum size (S-200, S-305). */
  DESTINATION_FULL,
  /** The entity that gets them holds its share of the memory that all entities share (I-08). */
  MEMORY_SHARE_EXCEEDED,
  /** The store has no room for what nobody asks for, whichever entity it is for (I-08). */
  STORE_FULL,
  /** The next of them cannot be read. */
  MESSAGE_UNREADABLE;

  /** Whether it holds up every entity, not only the one in question. */
  public boolean isOfAll() {
    return this == STORE_FULL;
  }
}
