package io.peeklock.runtime;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.grant.HeldUp;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.runtime.meter.WaitMeter;
import io.peeklock.runtime.thread.ShardThread;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Notices queues whose messages should move by themselves and have not for a second. Each is logged
 * once for each reason, and when it goes on for good; a line that comes too soon after others is
 * written later, in the order in which queues were held up. Queues are looked at when they were
 * tried, and once a second while any is held up; messages cost nothing.
 */
@ShardThread
final class WaitWatch {
  /** What was tried again in vain after this time is held up. */
  private static final long PATIENCE_MILLIS = 1_000;

  private final Function<QueueId, @Nullable HeldUp> machine;
  private final ShardClock clock;
  private final WaitMeter meter;
  private final RateLimitedLog warnings;
  private final RateLimitedLog news;
  private final Map<QueueId, WaitReport> reports = new LinkedHashMap<>();
  private String place = "";

  /**
   * Nothing is held up yet.
   *
   * @param machine what of a queue is held up now; null for nothing
   * @param meter counts the queues that are
   */
  WaitWatch(
      Function<QueueId, @Nullable HeldUp> machine, ShardClock clock, WaitMeter meter, Logger log) {
    this.machine = machine;
    this.clock = clock;
    this.meter = meter;
    LongSupplier nanos = () -> TimeUnit.MILLISECONDS.toNanos(clock.monotonicMillis());
    this.warnings = new RateLimitedLog(log, nanos);
    this.news = new RateLimitedLog(log, nanos);
  }

  /** Has its lines say that the queues are in this namespace. */
  void nameInLog(String namespace) {
    place = " in the namespace " + namespace;
  }

  /** Looks at the queues that a decision tried in vain to move on, after it was applied. */
  void note(List<Grant> grants) {
    for (var grant : grants) {
      switch (grant) {
        case Grant.ForwardWaits waits -> look(waits.queue());
        case Grant.ScheduleWaits waits -> look(waits.queue());
        default -> {} // makes nothing wait
      }
    }
  }

  private void look(QueueId queue) {
    var now = machine.apply(queue);
    var report = reports.get(queue);
    if (now != null && report == null && isLong(now)) {
      report = new WaitReport(now, meter);
      reports.put(queue, report);
    }
    if (now != null && report != null) {
      seeWaiting(report, now);
    }
  }

  private void seeWaiting(WaitReport report, HeldUp now) {
    if (isLong(now)) {
      report.holdUp(now, clock.monotonicMillis());
    } else {
      report.waitsAnew();
    }
  }

  private boolean isLong(HeldUp held) {
    return clock.monotonicMillis() - held.delay().sinceMillis() >= PATIENCE_MILLIS;
  }

  /**
   * Looks at all that are held up, and writes the lines of which there are not too many; to be
   * called every second. Their messages may have left in another way, or their entity was changed.
   */
  void lookAtAll() {
    var all = reports.entrySet().iterator();
    while (all.hasNext()) {
      var each = all.next();
      var report = each.getValue();
      var now = machine.apply(each.getKey());
      if (now == null) {
        report.waitsNot();
      } else {
        seeWaiting(report, now);
      }
      if (report.isOver() && endIsTold(report)) {
        all.remove();
      } else if (!report.isOver()) {
        tell(report);
      }
    }
  }

  private void tell(WaitReport report) {
    if (!report.isLogged() && warnings.writesNow()) {
      report.noteLogged();
      warnings.warn(
          "{} have not moved on for {} ms, as {}",
          subject(report.held()),
          report.waitedMillis(),
          WaitMeter.words(report.held().delay().reason()));
    }
  }

  /** False while the line must wait; until then the queue may be held up again without one. */
  private boolean endIsTold(WaitReport report) {
    if (!report.isInLog()) {
      return true;
    }
    if (!news.writesNow()) {
      return false;
    }
    news.info("{} are held up no more, after {} ms", subject(report.held()), report.lastedMillis());
    return true;
  }

  private String subject(HeldUp held) {
    var path = "'" + held.path() + "'";
    var to = " to '" + held.destination() + "'";
    var what =
        switch (held.kind()) {
          case FORWARDED -> "Messages that " + path + " forwards" + to;
          case DEAD_LETTERS -> "Dead letters that " + path + " forwards" + to;
          case TRANSFERS -> "Messages sent via " + path + to;
          case COPIES -> "Messages of topic " + path + " that wait for copies";
          case SCHEDULED -> "Scheduled messages of topic " + path;
        };
    return what + place;
  }

  /** Forgets all, as the machine is another. */
  void forget() {
    reports.values().forEach(WaitReport::end);
    reports.clear();
  }

  /** A sentence that something holds up every entity; empty for nothing of that kind. */
  Optional<String> trouble() {
    for (var reason : WaitReason.values()) {
      if (reason.isOfAll() && meter.queues(reason) > 0) {
        return Optional.of(
            "messages of "
                + WaitMeter.entities(meter.queues(reason))
                + " do not move on, as "
                + WaitMeter.words(reason));
      }
    }
    return Optional.empty();
  }
}
