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
 * The requests that edges submitted and the shard has not decided yet. It is bounded by asking
 * edges to stop reading, never by refusing: a settlement always gets in.
 *
 * <p>Senders take turns: next is the sender that used least of the shard's time since it began to
 * wait, so that thousands of costly requests of one do not delay one of another. Its time slice is
 * a millisecond: requests decided in a row are answered in one write, and a slice for each request
 * costs a third more when many senders send little. When much waits, senders with much waiting are
 * stopped first and resumed last.
 */
final class Mailbox {
  /** The least cost of a request, so that senders take turns even when no time is measured. */
  private static final long LEAST_NANOS = 1_000;

  /** How long a time slice lasts; a decision that has begun is finished. */
  private static final long SLICE_NANOS = 1_000_000;

  /** A sender with no more bytes waiting than this continues while others are stopped. */
  private static final long MOST_LITTLE = 64 << 10;

  private final MpscUnboundedArrayQueue<Submission> arrived = new MpscUnboundedArrayQueue<>(256);
  private final MpscUnboundedArrayQueue<Endpoint> stopping = new MpscUnboundedArrayQueue<>(16);
  private final AtomicLong bytes = new AtomicLong();
  private final long highBytes;
  private final long littleBytes;
  private final PriorityQueue<Sender> line = new PriorityQueue<>();
  private final List<Sender> held = new ArrayList<>();
  private final List<Sender> light = new ArrayList<>();
  private @Nullable Sender current;
  private long sliceNanos;
  private long floorNanos;
  private long places;

  /**
   * An empty mailbox.
   *
   * @param highBytes the bound in bytes, above 0: at half of it senders with much waiting stop, at
   *     all of it every sender
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

  /**
   * The next request to decide; null for none. On the shard's thread, as all methods that follow.
   */
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

  /** Drops all requests undecided, and releases their bodies. */
  void release() {
    for (var left = poll(); left != null; left = poll()) {
      left.release();
    }
  }

  /** Charges the sender of the last polled request with the time of its decision. */
  void charge(long nanos) {
    if (current != null) {
      var counted = Math.max(LEAST_NANOS, nanos);
      current.use(counted);
      sliceNanos += counted;
    }
  }

  /** The sender whose turn it is, which may begin now; null when nothing waits. */
  private @Nullable Sender whoseTurn() {
    var last = current;
    if (last != null && !last.isIdle() && sliceNanos < SLICE_NANOS) {
      return last;
    }
    queueCurrent();
    queueArrived();
    current = line.poll();
    sliceNanos = 0;
    if (current != null) {
      floorNanos = Math.max(floorNanos, current.usedNanos());
    }
    return current;
  }

  /**
   * Takes back polled requests that had to wait, in their order: they come before the other
   * requests of their sender, at its next turn.
   *
   * @param requests requests of one sender; their weight is computed again
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
    line.add(sender);
  }

  private void lighten(Sender sender) {
    if (sender.lighten()) {
      light.add(sender);
    }
  }

  /** Adds bytes that wait elsewhere to the bound; negative when they no longer wait. */
  void weigh(long more) {
    bytes.addAndGet(more);
  }

  /** The use of its budget; a full mailbox refuses nothing but stops reading. */
  @AnyThread
  BudgetUse use() {
    return new BudgetUse("mailbox", bytes.get(), highBytes, 0);
  }

  boolean isEmpty() {
    return arrived.isEmpty() && line.isEmpty() && (current == null || current.isIdle());
  }

  /** Resumes the endpoints that may read again, as there is room. */
  void resume(long backlogBytes) {
    resumable(backlogBytes).forEach(Endpoint::resume);
  }

  /** The endpoints that may read again, as there is room; empty while there is none. */
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
