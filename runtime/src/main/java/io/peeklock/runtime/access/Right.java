package io.peeklock.runtime.access;

/** A claim of a policy (S-471). */
public enum Right {
  /** Sender links, scheduling, cancelling (S-474, S-477). */
  SEND("Send"),
  /** Receiver links, peek, renew, settle (S-474, S-475, S-477). */
  LISTEN("Listen"),
  /** Entities and their settings (S-476); comes with both others. */
  MANAGE("Manage");

  private final String claim;

  Right(String claim) {
    this.claim = claim;
  }

  /** Its name in error texts. */
  public String claim() {
    return claim;
  }
}
