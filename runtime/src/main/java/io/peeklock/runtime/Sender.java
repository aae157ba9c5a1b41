package io.peeklock.runtime;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Whose requests are decided in the order in which they were submitted, also while one of them
 * waits for a read: a connection, or an endpoint that stands alone. The shard gives its time to
 * senders in turn, see {@link Mailbox}; all that is in here but the bytes belongs to its shard's
 * thread.
 */
public final class Sender implements Comparable<Sender> {
  private final AtomicLong bytes = new AtomicLong();
  private final ArrayDeque<Submission> waiting = new ArrayDeque<>(2);
  private @Nullable Endpoint stopped;
  private long usedNanos;
  private long turn;
  private boolean held;
  private boolean light;

  /** Counts what was handed over; on any thread. Returns all that waits, in bytes. */
  long heavier(long more) {
    return bytes.addAndGet(more);
  }

  /** What of it was not decided yet, in bytes. */
  long bytes() {
    return bytes.get();
  }

  /** Whether nothing waits to be decided. */
  boolean isIdle() {
    return waiting.isEmpty();
  }

  void add(Submission submission) {
    waiting.add(submission);
  }

  void addFirst(Submission submission) {
    waiting.addFirst(submission);
  }

  @Nullable Submission next() {
    return waiting.poll();
  }

  /** Takes its place: behind all that used no more of the shard's time, which begins at this. */
  void queueAt(long floorNanos, long place) {
    usedNanos = Math.max(usedNanos, floorNanos);
    turn = place;
  }

  void use(long nanos) {
    usedNanos += nanos;
  }

  /** Nanoseconds of the shard's time that count against it. */
  long usedNanos() {
    return usedNanos;
  }

  /** Who used least is next; of two that used the same, the one that came first. */
  @Override
  public int compareTo(Sender other) {
    var byUse = Long.compare(usedNanos, other.usedNanos);
    return byUse != 0 ? byUse : Long.compare(turn, other.turn);
  }

  /**
   * Its edge was asked to stop, through any of its endpoints and maybe often; it is told once to go
   * on, or it would take as many turns as it was told. Returns whether that is news.
   */
  boolean stop(Endpoint endpoint) {
    stopped = endpoint;
    var news = !held;
    held = true;
    return news;
  }

  boolean isStopped() {
    return stopped != null;
  }

  /** Remembers that it may go on before the others; returns whether that is news. */
  boolean lighten() {
    var news = !light;
    light = true;
    return news;
  }

  /** Hands out whom to tell that it may go on. */
  void resumeInto(List<Endpoint> resumed) {
    if (stopped != null) {
      resumed.add(stopped);
      stopped = null;
    }
    light = false;
  }

  /** As {@link #resumeInto}, of a sender that is no longer listed among those that stopped. */
  void releaseInto(List<Endpoint> resumed) {
    held = false;
    resumeInto(resumed);
  }
}
