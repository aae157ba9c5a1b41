package io.peeklock.runtime.intake;

/** The owner of a {@link Piece} of input, such as a connection. Any thread may call it. */
public interface PieceOwner {
  /** Monotonic milliseconds, with the same origin for all pieces of a budget. */
  long nowMillis();

  /**
   * The total time for which its client could not send, see {@link UnreadTime}: time in which the
   * broker does not read is not held against the client.
   *
   * @return {@link Long#MAX_VALUE} while the budget does not count it
   */
  default long unreadMillis(long nowMillis) {
    return 0;
  }

  /** Runs a task on the one thread of the piece. */
  void execute(Runnable task);

  /** Runs a task on that thread after {@code millis} milliseconds. */
  void executeLater(long millis, Runnable task);

  /**
   * Refuses the piece, which came too slowly while others need its room, and gives its room back.
   * Called on the thread of the piece, while it is in progress.
   */
  void giveWay();
}
