package io.peeklock.transport;

/** The strangers of one origin. Guarded by the {@link Admission} that it belongs to. */
final class Crowd {
  private final Origin origin;
  private int open;
  private int askedLately;

  Crowd(Origin origin) {
    this.origin = origin;
  }

  Origin origin() {
    return origin;
  }

  /** One more of it came. */
  void enter() {
    open++;
  }

  /**
   * One of it asks for a handshake.
   *
   * @param lately how many it asked for lately, with this one
   */
  void asks(int lately) {
    askedLately = lately;
  }

  /** One is gone, or a stranger no longer; whether none is left. */
  boolean leave() {
    open--;
    return open == 0;
  }

  /** How much it takes from others: of places, and of what is computed for strangers. */
  int weight() {
    return open + askedLately;
  }
}
