package io.peeklock.runtime.intake;

import io.peeklock.runtime.thread.AnyThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The pieces of input that have begun and not come to their end and hold room of one budget. While
 * more than half of it is taken, they are looked at every second, and those that come slowest give
 * way, as many as leave three quarters free: those that are slow, and no others. As long as there
 * is room nobody must hurry.
 */
@AnyThread
public final class HalfReceived {
  /** A piece is not judged before it could come for so long. */
  static final long GRACE_MILLIS = 5_000;

  /** Who brings so much a second is never slow, unless it holds much. */
  static final long LEAST_BYTES_PER_SECOND = 16 << 10;

  /** Of what is held, an eighth must come in so long: as it must leave, where it is sent. */
  static final long PACE_MILLIS = 60_000;

  static final int PACE_PARTS = 8;

  private static final int SCARCE_PART = 2;
  private static final int ENOUGH_PART = 4;
  private static final long LOOK_MILLIS = 1_000;

  /** A look that is late by so much was lost with its loop. */
  private static final long LOST_MILLIS = 2_000;

  private static final long NONE = Long.MIN_VALUE;

  private static final Comparator<Slow> SLOWEST_FIRST =
      Comparator.comparingLong(Slow::bytesPerSecond)
          .thenComparing(Comparator.comparingLong(Slow::heldBytes).reversed());

  private final LongSupplier takenBytes;
  private final long boundBytes;
  private final Set<Piece> pieces = ConcurrentHashMap.newKeySet();
  private final AtomicLong lookAtMillis = new AtomicLong(NONE);

  private record Slow(Piece piece, long bytesPerSecond, long heldBytes) {}

  /**
   * None yet.
   *
   * @param takenBytes what is taken of the budget now, by whatever
   * @param boundBytes what may be taken in all
   */
  public HalfReceived(LongSupplier takenBytes, long boundBytes) {
    this.takenBytes = takenBytes;
    this.boundBytes = boundBytes;
  }

  /** How much must come in the time of grace of a piece that holds so much. */
  static long neededOf(long heldBytes) {
    var least = LEAST_BYTES_PER_SECOND * GRACE_MILLIS / 1_000;
    return Math.max(least, heldBytes / PACE_PARTS * GRACE_MILLIS / PACE_MILLIS);
  }

  void add(Piece piece) {
    pieces.add(piece);
  }

  void remove(Piece piece) {
    pieces.remove(piece);
  }

  private boolean isScarce() {
    return takenBytes.getAsLong() > boundBytes / SCARCE_PART;
  }

  /** Something came: where room is scarce a look is planned, if there is none. */
  void notice(PieceOwner owner) {
    if (isScarce()) {
      var now = owner.nowMillis();
      var planned = lookAtMillis.get();
      var isPlanned = planned != NONE && now - planned < LOST_MILLIS;
      if (!isPlanned && lookAtMillis.compareAndSet(planned, now + LOOK_MILLIS)) {
        plan(owner);
      }
    }
  }

  private void plan(PieceOwner owner) {
    try {
      owner.executeLater(LOOK_MILLIS, this::look);
    } catch (RejectedExecutionException gone) {
      lookAtMillis.set(NONE);
    }
  }

  /** Bounded by the number of pieces, once a second. The next look may be on another loop. */
  private synchronized void look() {
    lookAtMillis.set(NONE);
    var some = pieces.iterator();
    if (isScarce() && some.hasNext()) {
      var owner = some.next().owner();
      makeRoom(owner.nowMillis());
      notice(owner);
    }
  }

  private void makeRoom(long nowMillis) {
    var excess = takenBytes.getAsLong() - boundBytes / ENOUGH_PART;
    var slow = new ArrayList<Slow>();
    for (var piece : pieces) {
      if (piece.isLeaving()) {
        excess -= piece.heldBytes();
        continue;
      }
      var pace = piece.paceIfSlow(nowMillis);
      if (pace != Piece.FAST_ENOUGH) {
        slow.add(new Slow(piece, pace, piece.heldBytes()));
      }
    }
    slow.sort(SLOWEST_FIRST);
    for (var one : slow) {
      if (excess <= 0) {
        return;
      }
      excess -= one.heldBytes();
      one.piece().giveWay();
    }
  }
}
