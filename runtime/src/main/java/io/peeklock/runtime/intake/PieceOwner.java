package io.peeklock.runtime.intake;

/** Whoever has a {@link Piece} of input on its way. Any thread may ask. */
public interface PieceOwner {
  /** Monotonic; the same origin for all pieces of a budget. */
  long nowMillis();

  /**
   * For how long in all its client could not bring more, see {@link UnreadTime}: what the broker
   * itself does not read costs nobody anything.
   *
   * @return {@link Long#MAX_VALUE} while the budget does not count it
   */
  default long unreadMillis(long nowMillis) {
    return 0;
  }

  /** Runs a task on the one thread of the piece. */
  void execute(Runnable task);

  /** The same after so long. */
  void executeLater(long millis, Runnable task);

  /**
   * Others need the room, and this piece came too slowly: it is refused, and gives back what it
   * took. On its thread, while the piece is on its way.
   */
  void giveWay();
}
