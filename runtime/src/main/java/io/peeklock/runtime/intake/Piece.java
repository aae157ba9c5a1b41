package io.peeklock.runtime.intake;

import java.util.concurrent.RejectedExecutionException;

/**
 * The unfinished input of one owner: a body, a delivery or a frame, one after another. Its owner's
 * thread counts; {@link HalfReceived} reads from any thread.
 */
public final class Piece {
  static final long FAST_ENOUGH = -1;

  private final HalfReceived all;
  private final PieceOwner owner;

  // Written by the owner's thread only. In each odd round a piece is in progress.
  private volatile int round;
  private volatile long beganMillis;
  private volatile long cameBytes;
  private volatile long heldBytes;
  private int rounds;
  private long came;
  private boolean joined;

  // Used by the check, one at a time.
  private int markedRound;
  private int leavingRound;
  private long sinceMillis;
  private long cameBefore;
  private long unreadBefore;
  private long neededBytes;

  /** Registers a piece without input. */
  public Piece(HalfReceived all, PieceOwner owner) {
    this.all = all;
    this.owner = owner;
  }

  /**
   * Counts input; the first begins the piece. Must also be called when there was no room.
   *
   * @param bytes how many
   * @param held the bytes of the budget that the whole piece takes now
   */
  public void came(int bytes, long held) {
    if (!isOnItsWay()) {
      if (!joined) {
        joined = true;
        all.add(this);
      }
      beganMillis = owner.nowMillis();
      came = 0;
      cameBytes = 0;
      round = ++rounds;
    }
    came += bytes;
    cameBytes = came;
    heldBytes = held;
    all.notice(owner);
  }

  /**
   * Ends the piece, complete or given up; later input begins another. A second call does nothing.
   */
  public void end() {
    if (isOnItsWay()) {
      round = ++rounds;
    }
  }

  /** Ends the piece, and removes it, as no more input comes. */
  public void close() {
    end();
    if (joined) {
      joined = false;
      all.remove(this);
    }
  }

  private boolean isOnItsWay() {
    return (round & 1) == 1;
  }

  PieceOwner owner() {
    return owner;
  }

  long heldBytes() {
    return heldBytes;
  }

  /** Whether it was asked to give way, and has not done so yet. */
  boolean isLeaving() {
    return isOnItsWay() && leavingRound == round;
  }

  /**
   * The pace since the last mark.
   *
   * @return bytes per second, or {@link #FAST_ENOUGH}
   */
  long paceIfSlow(long nowMillis) {
    var current = round;
    var came = cameBytes;
    var unread = owner.unreadMillis(nowMillis);
    if ((current & 1) == 0) {
      return FAST_ENOUGH;
    }
    if (current != markedRound) {
      mark(current, beganMillis, 0, owner.unreadMillis(beganMillis));
    }
    if (came - cameBefore >= neededBytes || unread == Long.MAX_VALUE || unread < unreadBefore) {
      mark(current, nowMillis, came, unread);
    }
    var millis = nowMillis - sinceMillis - (unread - unreadBefore);
    return millis < HalfReceived.GRACE_MILLIS
        ? FAST_ENOUGH
        : Math.max(0, came - cameBefore) * 1_000 / millis;
  }

  private void mark(int current, long millis, long came, long unread) {
    markedRound = current;
    sinceMillis = millis;
    cameBefore = came;
    unreadBefore = unread;
    neededBytes = HalfReceived.neededOf(heldBytes);
  }

  /** Asks its owner to give way, unless the checked input has ended meanwhile. */
  void giveWay() {
    var judged = markedRound;
    leavingRound = judged;
    try {
      owner.execute(() -> giveWay(judged));
    } catch (RejectedExecutionException gone) {
      all.remove(this); // its event loop is gone
    }
  }

  private void giveWay(int judged) {
    if (round == judged) {
      owner.giveWay();
    }
  }
}
