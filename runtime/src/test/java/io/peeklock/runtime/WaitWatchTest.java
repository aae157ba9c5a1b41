package io.peeklock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.grant.Delay;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.grant.HeldUp;
import io.peeklock.kernel.grant.HeldUp.Kind;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.runtime.meter.WaitMeter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who is held up is logged once, with its name and the reason, and once more when it goes on. */
class WaitWatchTest {
  private static final QueueId QUEUE = new QueueId(7);

  private final RateLimitedLogTest.Lines lines = new RateLimitedLogTest.Lines();
  private final WaitMeter meter = new WaitMeter();
  private final Map<QueueId, HeldUp> machine = new HashMap<>();
  private long nowMillis = 5_000;
  private final WaitWatch watch = new WaitWatch(machine::get, clock(), meter, lines);

  private ShardClock clock() {
    return new ShardClock() {
      @Override
      public long wallMillis() {
        throw new AssertionError("the wall does not matter");
      }

      @Override
      public long monotonicMillis() {
        return nowMillis;
      }
    };
  }

  private void tried(Kind kind, @Nullable String destination, WaitReason reason) {
    var before = machine.get(QUEUE);
    var delay = Delay.after(before == null ? null : before.delay(), reason, nowMillis);
    machine.put(QUEUE, new HeldUp(kind, "orders", destination, delay));
    watch.note(List.of(new Grant.ForwardWaits(QUEUE, nowMillis + 1_000, delay)));
  }

  @Test
  void itIsLoggedOnceHoweverOftenItIsTriedAndOnceMoreWhenItGoesOn() {
    tried(Kind.DEAD_LETTERS, "failed", WaitReason.DESTINATION_FULL);
    assertThat(lines.written).isEmpty();
    for (var i = 0; i < 5; i++) {
      nowMillis += 1_000;
      tried(Kind.DEAD_LETTERS, "failed", WaitReason.DESTINATION_FULL);
    }
    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isEqualTo(1);

    machine.clear();
    watch.note(List.of(new Grant.ForwardLooked(QUEUE, 2)));

    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isZero();
    assertThat(lines.written)
        .containsExactly(
            "WARN Dead letters that 'orders' forwards to 'failed' have not moved on for 1000 ms,"
                + " as their destination is full",
            "INFO Dead letters that 'orders' forwards to 'failed' are held up no more, after 5000"
                + " ms");
  }

  @ParameterizedTest
  @EnumSource(WaitReason.class)
  void eachReasonIsSaidInWordsAndCountedByItself(WaitReason reason) {
    tried(Kind.SCHEDULED, null, reason);
    nowMillis += 1_000;
    tried(Kind.SCHEDULED, null, reason);

    assertThat(meter.queues(reason)).isEqualTo(1);
    assertThat(lines.written)
        .containsExactly(
            "WARN Scheduled messages of topic 'orders' have not moved on for 1000 ms, as "
                + WaitMeter.words(reason));
    assertThat(watch.trouble().isPresent()).isEqualTo(reason == WaitReason.STORE_FULL);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsHeldUpIsNamed(Kind kind) {
    tried(kind, "bills", WaitReason.MEMORY_SHARE_EXCEEDED);
    nowMillis += 1_000;
    tried(kind, "bills", WaitReason.MEMORY_SHARE_EXCEEDED);

    var isForwarded = kind != Kind.SCHEDULED && kind != Kind.COPIES;
    assertThat(lines.written)
        .singleElement()
        .satisfies(line -> assertThat(line).contains("'orders'"))
        .satisfies(line -> assertThat(line.contains("'bills'")).isEqualTo(isForwarded));
  }

  @Test
  void whatLeavesInAnotherWayIsNoticedAtTheNextLookAtAll() {
    tried(Kind.FORWARDED, "bills", WaitReason.MEMORY_SHARE_EXCEEDED);
    nowMillis += 1_000;
    tried(Kind.FORWARDED, "bills", WaitReason.MEMORY_SHARE_EXCEEDED);
    watch.lookAtAll();
    assertThat(meter.queues(WaitReason.MEMORY_SHARE_EXCEEDED)).as("it still is").isEqualTo(1);

    machine.clear();
    watch.lookAtAll();

    assertThat(meter.queues(WaitReason.MEMORY_SHARE_EXCEEDED)).isZero();
  }

  @Test
  void thousandsLeaveAMinutesWorthOfLinesAndAreAllCounted() {
    var delay = new Delay(WaitReason.DESTINATION_FULL, nowMillis - 1_000);
    for (var i = 1; i <= 5_000; i++) {
      var queue = new QueueId(i);
      machine.put(queue, new HeldUp(Kind.FORWARDED, "q" + i, "bills", delay));
      watch.note(List.of(new Grant.ForwardWaits(queue, nowMillis + 1_000, delay)));
    }

    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isEqualTo(5_000);
    assertThat(lines.written).hasSizeBetween(RateLimitedLog.BURST, RateLimitedLog.BURST + 10);
  }
}
