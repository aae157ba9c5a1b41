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
 * The unfinished pieces of input that hold room of one budget. While more than half of the budget
 * is taken they are checked every second, and the slowest pieces must give way until three quarters
 * are free: only slow pieces, and no others. As long as there is room no pace is required.
 */
@AnyThread
public final class HalfReceived {
  /** A piece is not judged before it had this long to arrive. */
  static final long GRACE_MILLIS = 5_000;

  /** The rate at which a piece is never slow, unless it holds much. */
  static final long LEAST_BYTES_PER_SECOND = 16 << 10;

  /** The time in which an eighth of the held bytes must arrive, as it must leave for a receiver. */
  static final long PACE_MILLIS = 60_000;

  static final int PACE_PARTS = 8;

  private static final int SCARCE_PART = 2;
  private static final int ENOUGH_PART = 4;
  private static final long LOOK_MILLIS = 1_000;

  /** A check that is this late was lost with its event loop. */
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
   * @param takenBytes the bytes of the budget that are taken now, by any use
   * @param boundBytes the size of the budget
   */
  public HalfReceived(LongSupplier takenBytes, long boundBytes) {
    this.takenBytes = takenBytes;
    this.boundBytes = boundBytes;
  }

  /** The bytes that must arrive in the grace time of a piece that holds {@code heldBytes}. */
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

  /** Plans a check when room is scarce and none is planned; called when input arrives. */
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

  /** Checks all pieces once a second. The next check may run on another loop. */
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
