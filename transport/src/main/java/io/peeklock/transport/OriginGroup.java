package io.peeklock.transport;

/**
 * The unauthenticated peers of one origin. Guarded by the {@link ConnectionLimiter} that it belongs
 * to.
 */
final class OriginGroup {
  private final ClientAddress origin;
  private final RecentHandshakes.Count handshakes;
  private int open;
  private int waiting;

  OriginGroup(ClientAddress origin, RecentHandshakes.Count handshakes) {
    this.origin = origin;
    this.handshakes = handshakes;
  }

  ClientAddress origin() {
    return origin;
  }

  /** Those that were computed for it lately. */
  RecentHandshakes.Count handshakes() {
    return handshakes;
  }

  /** One more of it came. */
  void enter() {
    open++;
  }

  /** One is gone, or has logged in; whether none is left. */
  boolean leave() {
    open--;
    return open == 0;
  }

  /** One of it waits for a handshake, or below 0, does so no longer. */
  void waits(int change) {
    waiting += change;
  }

  /** Its place among those that wait for their handshakes: those with less come first. */
  int rank() {
    return waiting + handshakes.lately();
  }

  /** How much it takes from others: of places, and of what is computed before a login. */
  int weight() {
    return open + handshakes.lately();
  }
}
