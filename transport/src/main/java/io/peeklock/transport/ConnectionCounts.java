package io.peeklock.transport;

/**
 * How many connections a listener has and had, whatever they speak.
 *
 * @param unauthenticated those without a login
 * @param authenticated those with one
 * @param accepted since the start: those that were let in
 * @param evicted since the start: unauthenticated ones that made room for others
 * @param refused since the start: those that logged in, and were too many
 * @param unheard since the start: those that had hung up, or had closed their side, before they
 *     were let in, in a crowd
 */
public record ConnectionCounts(
    Part unauthenticated,
    Part authenticated,
    long accepted,
    long evicted,
    long refused,
    long unheard) {

  /**
   * Of one kind.
   *
   * @param open now
   * @param most that may be open
   */
  public record Part(int open, int most) {}

  /** None, and none allowed: of a broker that has no listener yet. */
  public static final ConnectionCounts NONE =
      new ConnectionCounts(new Part(0, 0), new Part(0, 0), 0, 0, 0, 0);

  /** All that are open now. */
  public int open() {
    return unauthenticated.open() + authenticated.open();
  }
}
