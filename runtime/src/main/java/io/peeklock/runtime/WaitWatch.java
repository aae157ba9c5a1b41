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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Notices queues whose messages should move by themselves and have not for a second: each is logged
 * then, again when something else holds it up, and when it goes on, at a bounded rate. Queues are
 * looked at when they were tried, and once a second while any is held up; messages cost nothing.
 */
@ShardThread
final class WaitWatch {
  /** What was tried again in vain after this time is held up. */
  private static final long PATIENCE_MILLIS = 1_000;

  private final Function<QueueId, @Nullable HeldUp> machine;
  private final ShardClock clock;
  private final WaitMeter meter;
  private final RateLimitedLog log;
  private final Map<QueueId, HeldUp> told = new LinkedHashMap<>();

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
    this.log = new RateLimitedLog(log);
  }

  /** Looks at the queues that a decision tried to move on, after it was applied. */
  void note(List<Grant> grants) {
    for (var grant : grants) {
      switch (grant) {
        case Grant.ForwardWaits waits -> look(waits.queue());
        case Grant.ScheduleWaits waits -> look(waits.queue());
        case Grant.ForwardLooked looked -> lookAgain(looked.queue());
        case Grant.ScheduleSwept swept -> lookAgain(swept.queue());
        default -> {} // moves nothing
      }
    }
  }

  private void lookAgain(QueueId queue) {
    if (told.containsKey(queue)) {
      look(queue);
    }
  }

  private void look(QueueId queue) {
    var now = machine.apply(queue);
    if (now == null || waitedMillis(now) < PATIENCE_MILLIS) {
      goesOn(queue);
      return;
    }
    var before = told.put(queue, now);
    if (before != null && before.delay().reason() == now.delay().reason()) {
      return;
    }
    if (before != null) {
      meter.add(before.delay().reason(), -1);
    }
    meter.add(now.delay().reason(), 1);
    log.warn(
        "{} have not moved on for {} ms, as {}",
        subject(now),
        waitedMillis(now),
        WaitMeter.words(now.delay().reason()));
  }

  private void goesOn(QueueId queue) {
    var before = told.remove(queue);
    if (before != null) {
      meter.add(before.delay().reason(), -1);
      log.info("{} are held up no more, after {} ms", subject(before), waitedMillis(before));
    }
  }

  private long waitedMillis(HeldUp held) {
    return clock.monotonicMillis() - held.delay().sinceMillis();
  }

  private static String subject(HeldUp held) {
    var path = "'" + held.path() + "'";
    var to = " to '" + held.destination() + "'";
    return switch (held.kind()) {
      case FORWARDED -> "Messages that " + path + " forwards" + to;
      case DEAD_LETTERS -> "Dead letters that " + path + " forwards" + to;
      case TRANSFERS -> "Messages sent via " + path + to;
      case COPIES -> "Messages of topic " + path + " that wait for copies";
      case SCHEDULED -> "Scheduled messages of topic " + path;
    };
  }

  /**
   * Looks at all that are held up, to be called every second: their messages may have left in
   * another way, or their entity was changed.
   */
  void lookAtAll() {
    List.copyOf(told.keySet()).forEach(this::look);
  }

  /** Forgets all, as the machine is another. */
  void forget() {
    told.values().forEach(held -> meter.add(held.delay().reason(), -1));
    told.clear();
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
