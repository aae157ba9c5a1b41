package io.peeklock.runtime;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A source of requests that are decided in the order of their submission, even while one of them
 * waits for a read: a connection, or a single endpoint. The shard serves senders in turns, see
 * {@link Mailbox}. Everything here except the bytes belongs to the shard's thread.
 */
public final class Sender implements Comparable<Sender> {
  private final AtomicLong bytes = new AtomicLong();
  private final ArrayDeque<Submission> waiting = new ArrayDeque<>(2);
  private @Nullable Endpoint stopped;
  private long usedNanos;
  private long place;
  private boolean held;
  private boolean light;

  /** Adds submitted bytes, on any thread, and returns all that wait. */
  long heavier(long more) {
    return bytes.addAndGet(more);
  }

  /** The bytes that are not decided yet. */
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

  /** Takes its place in the line: its used time counts from at least {@code floorNanos}. */
  void queueAt(long floorNanos, long place) {
    usedNanos = Math.max(usedNanos, floorNanos);
    this.place = place;
  }

  void use(long nanos) {
    usedNanos += nanos;
  }

  /** The nanoseconds of the shard's time that it is charged with. */
  long usedNanos() {
    return usedNanos;
  }

  /** The sender that used least time comes first; of two equal ones the one that came first. */
  @Override
  public int compareTo(Sender other) {
    var byUse = Long.compare(usedNanos, other.usedNanos);
    return byUse != 0 ? byUse : Long.compare(place, other.place);
  }

  /**
   * Notes that its edge was asked to stop, through any of its endpoints and maybe often. It is
   * resumed once only, or it would take as many turns as it was stopped. Returns whether it was not
   * held before.
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

  /** Notes that it may resume before others, and returns whether that is new. */
  boolean lighten() {
    var news = !light;
    light = true;
    return news;
  }

  /** Adds the endpoint to resume, if it was stopped. */
  void resumeInto(List<Endpoint> resumed) {
    if (stopped != null) {
      resumed.add(stopped);
      stopped = null;
    }
    light = false;
  }

  /** As {@link #resumeInto}, for a sender that is no longer held. */
  void releaseInto(List<Endpoint> resumed) {
    held = false;
    resumeInto(resumed);
  }
}
