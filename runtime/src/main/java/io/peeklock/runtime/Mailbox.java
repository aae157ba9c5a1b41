package io.peeklock.runtime;

import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.thread.AnyThread;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * What edges have handed over and the shard has not decided yet. Bounded by asking edges to stop
 * reading, never by refusing: a settlement always gets in.
 *
 * <p>Senders take turns: next is the sender that used least of the shard's time since it began to
 * wait, so that thousands of costly requests of one do not come before one of another. A turn goes
 * on for a millisecond: what is decided in a row is answered in one write, and a turn for each
 * request costs a third more where many send little. When much waits, those who let much wait are
 * stopped first and go on last.
 */
final class Mailbox {
  /** What a request costs at least, so that senders take turns where no time is measured. */
  private static final long LEAST_NANOS = 1_000;

  /** How long a turn goes on; a decision that has begun is not cut. */
  private static final long TURN_NANOS = 1_000_000;

  /** Who lets no more wait than this goes on while others are stopped. */
  private static final long MOST_LITTLE = 64 << 10;

  private final MpscUnboundedArrayQueue<Submission> arrived = new MpscUnboundedArrayQueue<>(256);
  private final MpscUnboundedArrayQueue<Endpoint> stopping = new MpscUnboundedArrayQueue<>(16);
  private final AtomicLong bytes = new AtomicLong();
  private final long highBytes;
  private final long littleBytes;
  private final PriorityQueue<Sender> turns = new PriorityQueue<>();
  private final List<Sender> held = new ArrayList<>();
  private final List<Sender> light = new ArrayList<>();
  private @Nullable Sender current;
  private long turnNanos;
  private long floorNanos;
  private long places;

  /**
   * An empty one.
   *
   * @param highBytes the bound, above 0: at half of it those stop who let much wait, at all of it
   *     everybody
   */
  Mailbox(long highBytes) {
    this.highBytes = highBytes;
    this.littleBytes = Math.min(MOST_LITTLE, highBytes / 16);
  }

  /**
   * Takes a submission; on any thread.
   *
   * @param backlogBytes what the log still has to write
   * @return false when its endpoint should stop reading; it is resumed later
   */
  boolean offer(Submission submission, long backlogBytes) {
    var endpoint = (Endpoint) submission.request().origin();
    var weight = submission.weight();
    var own = endpoint.sender().heavier(weight);
    var all = bytes.addAndGet(weight) + backlogBytes;
    arrived.offer(submission);
    if (all <= highBytes / 2 || (own <= littleBytes && all <= highBytes)) {
      return true;
    }
    stopping.offer(endpoint);
    return false;
  }

  /** The next to be decided; null for none. On the shard's thread, as all that follows. */
  @Nullable Submission poll() {
    var sender = whoseTurn();
    var next = sender == null ? null : sender.next();
    if (sender == null || next == null) {
      return null;
    }
    var weight = next.weight();
    bytes.addAndGet(-weight);
    if (sender.heavier(-weight) <= littleBytes / 2 && sender.isStopped()) {
      lighten(sender);
    }
    return next;
  }

  /** Lets go of all that it holds, undecided. */
  void release() {
    for (var left = poll(); left != null; left = poll()) {
      left.release();
    }
  }

  /** Counts what deciding the request took that was polled last. */
  void charge(long nanos) {
    if (current != null) {
      var counted = Math.max(LEAST_NANOS, nanos);
      current.use(counted);
      turnNanos += counted;
    }
  }

  /** Who has the turn, or has it now that the last one's is over; null when nothing waits. */
  private @Nullable Sender whoseTurn() {
    var last = current;
    if (last != null && !last.isIdle() && turnNanos < TURN_NANOS) {
      return last;
    }
    queueCurrent();
    queueArrived();
    current = turns.poll();
    turnNanos = 0;
    if (current != null) {
      floorNanos = Math.max(floorNanos, current.usedNanos());
    }
    return current;
  }

  /**
   * Takes back what was polled and had to wait for something, in its order: it is decided before
   * whatever else its sender lets wait, when that sender's turn comes.
   *
   * @param requests of one sender; they weigh anew
   */
  void putBack(Deque<Submission> requests) {
    if (requests.isEmpty()) {
      return;
    }
    var sender = ((Endpoint) requests.getFirst().request().origin()).sender();
    var isQueued = sender == current || !sender.isIdle();
    requests
        .reversed()
        .forEach(
            each -> {
              sender.addFirst(each);
              bytes.addAndGet(each.weight());
              sender.heavier(each.weight());
            });
    if (!isQueued) {
      queue(sender);
    }
  }

  private void queueCurrent() {
    var last = current;
    current = null;
    if (last != null && !last.isIdle()) {
      queue(last);
    }
  }

  private void queueArrived() {
    for (var next = arrived.poll(); next != null; next = arrived.poll()) {
      var sender = ((Endpoint) next.request().origin()).sender();
      var idle = sender.isIdle();
      sender.add(next);
      if (idle) {
        queue(sender);
      }
    }
  }

  private void queue(Sender sender) {
    sender.queueAt(floorNanos, places++);
    turns.add(sender);
  }

  private void lighten(Sender sender) {
    if (sender.lighten()) {
      light.add(sender);
    }
  }

  /** Counts bytes that wait elsewhere towards the bound; below 0 when they are let go. */
  void weigh(long more) {
    bytes.addAndGet(more);
  }

  /** What it holds; who finds it full is not refused but stops reading. */
  @AnyThread
  BudgetUse use() {
    return new BudgetUse("mailbox", bytes.get(), highBytes, 0);
  }

  boolean isEmpty() {
    return arrived.isEmpty() && turns.isEmpty() && (current == null || current.isIdle());
  }

  /** Tells those that may read on, now that there is room. */
  void resume(long backlogBytes) {
    resumable(backlogBytes).forEach(Endpoint::resume);
  }

  /** Endpoints that may read on, now that there is room; empty while there is none. */
  List<Endpoint> resumable(long backlogBytes) {
    for (var next = stopping.poll(); next != null; next = stopping.poll()) {
      var sender = next.sender();
      if (sender.stop(next)) {
        held.add(sender);
      }
      if (sender.bytes() <= littleBytes / 2) {
        lighten(sender);
      }
    }
    var all = bytes.get() + backlogBytes;
    if (held.isEmpty() || all > highBytes / 4 * 3) {
      return List.of();
    }
    var resumed = new ArrayList<Endpoint>();
    light.forEach(sender -> sender.resumeInto(resumed));
    light.clear();
    if (all <= highBytes / 4) {
      held.forEach(sender -> sender.releaseInto(resumed));
      held.clear();
    }
    return resumed;
  }
}
