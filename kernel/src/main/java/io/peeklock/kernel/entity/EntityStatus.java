package io.peeklock.kernel.entity;

/** What clients may do with an entity (S-421 to S-426). */
public enum EntityStatus {
  /** Everything. */
  ACTIVE(true, true),
  /** Neither send to it nor receive from it (S-424). */
  DISABLED(false, false),
  /** Not send to it (S-422). */
  SEND_DISABLED(false, true),
  /** Not receive from it (S-423). */
  RECEIVE_DISABLED(true, false);

  private final boolean takesSends;
  private final boolean letsReceive;

  EntityStatus(boolean takesSends, boolean letsReceive) {
    this.takesSends = takesSends;
    this.letsReceive = letsReceive;
  }

  /** Whether messages may come in. */
  public boolean takesSends() {
    return takesSends;
  }

  /** Whether messages may be received; what was received before may be settled (S-428). */
  public boolean letsReceive() {
    return letsReceive;
  }
}
