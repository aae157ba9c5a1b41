package io.peeklock.runtime;

import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.thread.ShardThread;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Settlements that wait for an earlier overlay of their message, and the later requests of their
 * senders, which are decided after them in order of arrival. Usually nothing waits.
 *
 * <pre>
 * decided ─ needs an overlay ─► first of a line ─ read ─► first of its sender's in the mailbox
 * </pre>
 */
@ShardThread
final class WaitingRequests {
  private static final RateLimitedLog UNREADABLE =
      new RateLimitedLog(LoggerFactory.getLogger(WaitingRequests.class));

  private final BodyStorage storage;
  private final MessageFormat format;
  private final Mailbox mailbox;
  private final StageWatch watch;
  private final Runnable wantStep;
  private final Map<Sender, Line> lines = new LinkedHashMap<>();
  private final List<Line> unread = new ArrayList<>();

  /**
   * Nothing waits yet.
   *
   * @param mailbox counts the waiting bytes, and takes the requests back
   * @param watch notices how long requests wait
   * @param wantStep called when requests can be decided again
   */
  WaitingRequests(
      BodyStorage storage,
      MessageFormat format,
      Mailbox mailbox,
      StageWatch watch,
      Runnable wantStep) {
    this.storage = storage;
    this.format = format;
    this.mailbox = mailbox;
    this.watch = watch;
    this.wantStep = wantStep;
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Keeps a request if an earlier one of its sender waits, and returns whether it does. */
  boolean keeps(Submission submission) {
    if (lines.isEmpty()) {
      return false;
    }
    var line = lines.get(senderOf(submission));
    if (line != null) {
      line.behind.add(submission);
      mailbox.weigh(submission.weight());
    }
    return line != null;
  }

  /** Makes a settlement wait for an overlay that it must contain. */
  void read(Submission settlement, long overlayId) {
    var line = new Line(settlement, overlayId, watch.asked());
    lines.put(senderOf(settlement), line);
    mailbox.weigh(settlement.weight());
    unread.add(line);
  }

  /**
   * Begins the reads. Called after all decisions are appended, as the journal knows no body before.
   */
  void begin() {
    for (var i = 0; i < unread.size(); i++) {
      unread.get(i).begin();
    }
    unread.clear();
  }

  /** Gives up all requests, as the term or the shard is over. */
  void release() {
    var all = List.copyOf(lines.values());
    lines.clear();
    unread.clear();
    watch.forget();
    all.forEach(Line::release);
  }

  private static Sender senderOf(Submission submission) {
    return ((Endpoint) submission.request().origin()).sender();
  }

  /** One settlement, and the later requests of its sender. */
  private final class Line implements BodyStorage.LoadListener {
    private final Submission first;
    private final long overlayId;
    private final int mark;
    private final Deque<Submission> behind = new ArrayDeque<>(2);

    Line(Submission first, long overlayId, int mark) {
      this.mark = mark;
      this.first = first;
      this.overlayId = overlayId;
    }

    void begin() {
      try {
        var there = storage.fetch(new long[] {overlayId}, this);
        if (there != null) {
          loaded(there);
        }
      } catch (RuntimeException | Error broken) {
        unreadable(overlayId, new IOException(broken));
      }
    }

    @Override
    public void loaded(Bodies bodies) {
      Submission merged;
      try {
        merged = merged(bodies);
      } catch (RuntimeException | Error broken) {
        unreadable(overlayId, new IOException(broken)); // whatever it was, the line must go on
        return;
      } finally {
        bodies.release();
      }
      resume(merged);
    }

    private Submission merged(Bodies bodies) {
      var older = bodies.buffer(0).duplicate();
      older.limit(bodies.offset(0) + bodies.length(0)).position(bodies.offset(0));
      var newer = first.overlay() == null ? new byte[0] : first.overlay();
      var merged = format.merge(older, newer);
      var request = ((Request.Settle) first.request()).over(merged.length, overlayId);
      return new Submission(request, null, merged);
    }

    @Override
    public void unreadable(long bodyId, IOException cause) {
      if (isOn()) {
        UNREADABLE.error(
            "Changed properties could not be read: {}", String.valueOf(cause.getMessage()));
        ((Endpoint) first.request().origin())
            .unreadable("body " + bodyId + ": " + cause.getMessage());
        resume(null);
      }
    }

    private boolean isOn() {
      return lines.get(senderOf(first)) == this;
    }

    /** Resumes the line, with its settlement in this form; null when that is given up. */
    private void resume(@Nullable Submission changed) {
      if (!isOn()) {
        return; // of an ended term
      }
      lines.remove(senderOf(first));
      mailbox.weigh(-first.weight());
      behind.forEach(each -> mailbox.weigh(-each.weight()));
      if (changed != null) {
        behind.addFirst(changed);
      }
      mailbox.putBack(behind);
      watch.answered(mark);
      wantStep.run();
    }

    void release() {
      behind.addFirst(first);
      for (var each : behind) {
        mailbox.weigh(-each.weight());
        each.release();
      }
    }
  }
}
