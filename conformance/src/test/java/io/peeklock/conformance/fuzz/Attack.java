package io.peeklock.conformance.fuzz;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Plays streams, each on a connection of its own. A connection lives until a number of later ones
 * were begun and the broker said a first word to it, then it is reset, which leaves no port in
 * TIME_WAIT.
 */
final class Attack {
  private static final int THREADS = 4;
  private static final long LEFT_BEHIND = 16_384;
  private static final int ALIVE = 32;
  private static final int FINISHED_OF = 8;
  private static final int CUT_OFF_OF = 16;
  private static final int PAUSE = 8;
  private static final long PIECE_NANOS = 30_000_000;
  private static final long ANSWER_NANOS = 2_000_000;

  private final int port;
  private final long seed;
  private final long nanosEach;
  private final AtomicLong next;
  private final AtomicLong unconnected = new AtomicLong();
  private volatile boolean stopped;
  private volatile @Nullable Throwable failure;
  private Thread[] threads = {};

  /**
   * An attack that is not begun.
   *
   * @param first the index of the first stream
   * @param perSecond at most; 0 for as many as there can be
   */
  Attack(int port, long seed, long first, int perSecond) {
    this.port = port;
    this.seed = seed;
    this.nanosEach = perSecond == 0 ? 0 : THREADS * 1_000_000_000L / perSecond;
    this.next = new AtomicLong(first);
  }

  /** Plays up to this index, in the background. */
  void begin(long last) {
    threads = new Thread[THREADS];
    for (var i = 0; i < THREADS; i++) {
      threads[i] = Thread.ofPlatform().daemon().name("fuzz-" + i).start(() -> guarded(last));
    }
  }

  /** A thread that ended by a mistake of the rig must not look like one that is done. */
  private void guarded(long last) {
    try {
      some(last);
    } catch (RuntimeException | Error mistake) {
      failure = mistake;
    }
  }

  private void some(long last) {
    var alive = new ArrayDeque<Play>();
    var due = System.nanoTime();
    while (!stopped) {
      var index = next.getAndIncrement();
      if (index >= last) {
        next.decrementAndGet();
        break;
      }
      var play = new Play(port, FuzzStream.of(seed, index));
      if (!play.begin()) {
        unconnected.incrementAndGet();
      }
      alive.add(play);
      goOn(alive, index);
      due += nanosEach;
      if (nanosEach > 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
    }
    alive.forEach(Play::reset);
  }

  /** The next pieces of those that were begun a while ago; the oldest ends. */
  private static void goOn(ArrayDeque<Play> alive, long index) {
    var age = alive.size();
    for (var play : alive) {
      if (--age > 0 && age % PAUSE == 0) {
        play.goOn();
      }
    }
    if (index % CUT_OFF_OF == 1) {
      alive.removeLast().reset();
    } else if (index % FINISHED_OF == 0) {
      alive.getLast().finish();
    }
    if (alive.size() > ALIVE) {
      var oldest = alive.removeFirst();
      oldest.awaitAnswer(ANSWER_NANOS);
      oldest.reset();
    }
  }

  /** Plays these alone, one behind the other, and waits a little for the answers to each piece. */
  static void alone(int port, List<FuzzStream> streams) {
    for (var stream : streams) {
      var play = new Play(port, stream);
      play.begin();
      for (var piece = stream.pieces().size(); piece > 0; piece--) {
        LockSupport.parkNanos(PIECE_NANOS);
        play.goOn();
      }
      play.finish();
      LockSupport.parkNanos(PIECE_NANOS);
      play.reset();
    }
  }

  /** How far it is: the index of the stream that is next. */
  long next() {
    return next.get();
  }

  /** How many could not be played to their end, because the broker had hung up, or refused. */
  long unconnected() {
    return unconnected.get();
  }

  /**
   * The streams of the last seconds: what one left in a queue may be what another stumbles over.
   */
  long sinceWhen() {
    return Math.max(0, next.get() - LEFT_BEHIND);
  }

  /**
   * Whether all were played.
   *
   * @throws IllegalStateException when a thread of this rig failed
   */
  boolean over() {
    if (failure != null) {
      throw new IllegalStateException("the rig failed near stream " + next, failure);
    }
    for (var thread : threads) {
      if (thread.isAlive()) {
        return false;
      }
    }
    return true;
  }

  /** Ends it, and waits until no stream is alive any more. */
  void stop() throws InterruptedException {
    stopped = true;
    for (var thread : threads) {
      thread.join();
    }
  }
}
