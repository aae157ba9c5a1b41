package io.peeklock.runtime.intake;

import java.util.concurrent.RejectedExecutionException;

/**
 * The input of one owner that has begun and not come to its end: a body, a delivery, a frame, one
 * after the other. Its owner's thread counts; {@link HalfReceived} looks from any.
 */
public final class Piece {
  static final long FAST_ENOUGH = -1;

  private final HalfReceived all;
  private final PieceOwner owner;

  // Written by the owner's thread alone. A piece is on its way in each odd round.
  private volatile int round;
  private volatile long beganMillis;
  private volatile long cameBytes;
  private volatile long heldBytes;
  private int rounds;
  private long came;
  private boolean joined;

  // The look's, one at a time.
  private int markedRound;
  private int leavingRound;
  private long sinceMillis;
  private long cameBefore;
  private long unreadBefore;
  private long neededBytes;

  /** Nothing has come of it. */
  public Piece(HalfReceived all, PieceOwner owner) {
    this.all = all;
    this.owner = owner;
  }

  /**
   * Some more came; the first of it begins the piece. Also to be told when there was no room.
   *
   * @param bytes how many
   * @param held what all of it takes of the budget now
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

  /** It has come to its end, or is given up. What comes then begins another. Again does nothing. */
  public void end() {
    if (isOnItsWay()) {
      round = ++rounds;
    }
  }

  /** The same, and nothing comes any more. */
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

  /** Whether it was told to give way, and has not done so yet. */
  boolean isLeaving() {
    return isOnItsWay() && leavingRound == round;
  }

  /**
   * Looks at the pace since the last mark.
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

  /** Tells its owner, unless what was looked at last has come to its end meanwhile. */
  void giveWay() {
    var judged = markedRound;
    leavingRound = judged;
    try {
      owner.execute(() -> giveWay(judged));
    } catch (RejectedExecutionException gone) {
      all.remove(this); // with its loop
    }
  }

  private void giveWay(int judged) {
    if (round == judged) {
      owner.giveWay();
    }
  }
}
