package io.peeklock.transport;

import io.peeklock.runtime.thread.EventLoopThread;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Shares out the time of one event loop among its connections. Whoever uses little is read whenever
 * something of it is there. Who has used up its {@linkplain Line#sliceNanos time slice} stands in
 * line, and is read again when it is next: the one that used least is, counted from the least of
 * those that waited, so that nobody saves time up. In each round of the loop the first in line are
 * let go, for so much time and no more; who is alone goes on at once.
 *
 * <p>Unauthenticated clients have a line of their own, which gets a turn in each round for all of
 * them together.
 */
@EventLoopThread
final class LoopTurns {
  /** How long an unauthenticated client may keep a loop, and in each round all that are in line. */
  static final long UNAUTHENTICATED_SLICE_NANOS = 1_000_000;

  /**
   * How long one that logged in may. What is read in one turn is decided and answered together; in
   * a quarter of this, ten that send to many queues cost the loop up to a half more.
   */
  static final long AUTHENTICATED_SLICE_NANOS = 4_000_000;

  /** In each round, of those who logged in and stand in line, together. */
  private static final int AUTHENTICATED_TURNS = 4;

  /** All of those who logged in are read without a wait for so much of the time: one half. */
  private static final int AUTHENTICATED_PART = 2;

  /** All unauthenticated ones are: one tenth. */
  private static final int UNAUTHENTICATED_PART = 10;

  /** So many newcomers a round lets in at most, however little they take. */
  static final int MOST_NEWCOMERS = 16;

  /** What the first reads of those that a round lets in may take together. */
  private static final long NEWCOMERS_NANOS = 4_000_000;

  /** The last one's first read counts for an eighth of what the next one's is held to take. */
  private static final int NEWCOMER_SHARE = 8;

  private final Line unauthenticated =
      new Line(UNAUTHENTICATED_SLICE_NANOS, 1, UNAUTHENTICATED_PART);
  private final Line authenticated =
      new Line(AUTHENTICATED_SLICE_NANOS, AUTHENTICATED_TURNS, AUTHENTICATED_PART);
  private final LongSupplier nanos;
  private final Consumer<Runnable> nextRound;
  private long newcomerNanos;
  private boolean planned;

  /**
   * Of a loop with no connections yet.
   *
   * @param nanos monotonic
   * @param nextRound runs a task on the loop when all sockets were looked at once more
   */
  LoopTurns(LongSupplier nanos, Consumer<Runnable> nextRound) {
    this.nanos = nanos;
    this.nextRound = nextRound;
  }

  /** The time of the loop. */
  long nanoTime() {
    return nanos.getAsLong();
  }

  /**
   * How many a round may let in. What they say first is handled as soon as it is there, and so they
   * keep those waiting that are here.
   *
   * @return from 1 to {@link #MOST_NEWCOMERS}
   */
  int newcomers() {
    var most = NEWCOMERS_NANOS / Math.max(1, newcomerNanos);
    return Math.clamp(most, 1, MOST_NEWCOMERS);
  }

  /** The first read of a newcomer is handled. */
  void newcomerTook(long costNanos) {
    newcomerNanos += (costNanos - newcomerNanos) / NEWCOMER_SHARE;
  }

  /**
   * Runs a task when the sockets of this round are done with; asked for by such a task, when those
   * of the next one are.
   */
  void whenRoundEnds(Runnable task) {
    nextRound.accept(task);
  }

  /** Where unauthenticated clients are. */
  Line unauthenticated() {
    return unauthenticated;
  }

  /** Where all others are. */
  Line authenticated() {
    return authenticated;
  }

  private void planRound() {
    if (!planned) {
      planned = true;
      nextRound.accept(this::round);
    }
  }

  private void round() {
    planned = false;
    var more = unauthenticated.round();
    more |= authenticated.round();
    if (more) {
      planRound();
    }
  }

  /** Those of one kind. */
  final class Line {
    private final PriorityQueue<ConnectionTurn> waiting =
        new PriorityQueue<>(Comparator.comparingLong(ConnectionTurn::usedNanos));
    private final long sliceNanos;
    private final long roundNanos;
    private final int part;
    private int members;
    private long clockNanos;
    private long spentNanos;

    private Line(long sliceNanos, int turns, int part) {
      this.sliceNanos = sliceNanos;
      this.roundNanos = turns * sliceNanos;
      this.part = part;
    }

    /** How long one of them may keep the loop at a time. */
    long sliceNanos() {
      return sliceNanos;
    }

    void enter() {
      members++;
    }

    void leave(ConnectionTurn turn) {
      members--;
      waiting.remove(turn);
    }

    /** What one of them earns of a new turn while so much time passes. */
    long earned(long passedNanos) {
      return passedNanos / part / Math.max(1, members);
    }

    /**
     * What the first of those that wait, or waited last, had used. It goes on with the first turns
     * of newcomers too, by what each of those that wait would have had of such a turn.
     */
    long clockNanos() {
      return clockNanos;
    }

    /** Whether nobody waits. */
    boolean isFree() {
      return waiting.isEmpty();
    }

    /** One has used up its turn: whether it may go on at once. If not, it stands in line. */
    boolean mayGoOn(ConnectionTurn turn, long costNanos) {
      spentNanos += costNanos;
      planRound();
      if (waiting.isEmpty() && spentNanos <= roundNanos) {
        return true;
      }
      waiting.add(turn);
      return false;
    }

    /**
     * One has used up the turn with which it came: whether it may go on at once. If not, it stands
     * in line, and the line pays for that turn when it is let go: those who wait had no part in it,
     * and newcomers without end would take all the time of the line. The clock goes on, or they
     * would all stand before whoever has used more than a turn.
     */
    boolean mayGoOnAfterItsFirst(ConnectionTurn turn, long costNanos) {
      if (waiting.isEmpty() && spentNanos + costNanos <= roundNanos) {
        return mayGoOn(turn, turn.takeOwedNanos());
      }
      if (!waiting.isEmpty()) {
        clockNanos += sliceNanos / (waiting.size() + 1);
      }
      waiting.add(turn);
      planRound();
      return false;
    }

    /** One that was let go, or that is in line, has used more than it had. */
    void spent(long costNanos) {
      spentNanos += costNanos;
      planRound();
    }

    /** Lets the first go; what was spent beyond a round's time is taken from the next ones. */
    private boolean round() {
      spentNanos = Math.max(0, spentNanos - roundNanos);
      var planned = spentNanos;
      while (!waiting.isEmpty() && planned < roundNanos) {
        var next = waiting.remove();
        clockNanos = Math.max(clockNanos, next.usedNanos());
        planned += next.lastNanos();
        spentNanos += next.takeOwedNanos();
        next.go();
      }
      return spentNanos > 0 || !waiting.isEmpty();
    }
  }
}
