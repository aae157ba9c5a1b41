package io.peeklock.runtime;

import io.peeklock.runtime.meter.BudgetUse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * What edges have handed over and the shard has not decided yet. Bounded by asking edges to stop
 * reading, never by refusing: a settlement always gets in.
 */
final class Mailbox {
  private final MpscUnboundedArrayQueue<Submission> queue = new MpscUnboundedArrayQueue<>(256);
  private final MpscUnboundedArrayQueue<Endpoint> stopped = new MpscUnboundedArrayQueue<>(16);
  private final AtomicLong bytes = new AtomicLong();
  private final long highBytes;

  Mailbox(long highBytes) {
    this.highBytes = highBytes;
  }

  /**
   * Takes a submission; on any thread.
   *
   * @param backlogBytes what the log still has to write
   * @return false when its endpoint should stop reading; it is resumed later
   */
  boolean offer(Submission submission, long backlogBytes) {
    var now = bytes.addAndGet(submission.weight());
    queue.offer(submission);
    if (now + backlogBytes <= highBytes) {
      return true;
    }
    stopped.offer((Endpoint) submission.request().origin());
    return false;
  }

  @Nullable Submission poll() {
    var next = queue.poll();
    if (next != null) {
      bytes.addAndGet(-next.weight());
    }
    return next;
  }

  /** Counts bytes that wait elsewhere towards the bound; below 0 when they are let go. */
  void weigh(long more) {
    bytes.addAndGet(more);
  }

  /** What it holds; who finds it full is not refused but stops reading. From any thread. */
  BudgetUse use() {
    return new BudgetUse("mailbox", bytes.get(), highBytes, 0);
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Endpoints that may read on, now that there is room; empty while there is none. */
  List<Endpoint> resumable(long backlogBytes) {
    if (stopped.isEmpty() || bytes.get() + backlogBytes > highBytes / 2) {
      return List.of();
    }
    var resumed = new ArrayList<Endpoint>();
    for (var next = stopped.poll(); next != null; next = stopped.poll()) {
      resumed.add(next);
    }
    return resumed;
  }
}
