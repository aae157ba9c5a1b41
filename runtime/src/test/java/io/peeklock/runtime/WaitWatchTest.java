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

/**
 * Who is held up is logged once for each reason, with its name, and once more when it goes on for
 * good; never is a line lost.
 */
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
    tried(QUEUE, kind, "orders", destination, reason);
  }

  private void tried(
      QueueId queue, Kind kind, String path, @Nullable String destination, WaitReason reason) {
    var before = machine.get(queue);
    var delay = Delay.after(before == null ? null : before.delay(), reason, nowMillis);
    machine.put(queue, new HeldUp(kind, path, destination, delay));
    watch.note(List.of(new Grant.ForwardWaits(queue, nowMillis + 1_000, delay)));
  }

  /** It is tried in vain for longer than a second. */
  private void waits(WaitReason reason) {
    tried(Kind.FORWARDED, "bills", reason);
    nowMillis += 1_000;
    tried(Kind.FORWARDED, "bills", reason);
  }

  /** What waited moves on, and nothing waits then. */
  private void moves(QueueId queue) {
    machine.remove(queue);
    watch.note(List.of(new Grant.ForwardLooked(queue, 2)));
  }

  private void looks(int times) {
    for (var i = 0; i < times; i++) {
      nowMillis += 1_000;
      watch.lookAtAll();
    }
  }

  private List<String> written(String level) {
    return lines.written.stream().filter(line -> line.startsWith(level)).toList();
  }

  @Test
  void itIsLoggedOnceHoweverOftenItIsTriedAndOnceMoreWhenItGoesOn() {
    tried(Kind.DEAD_LETTERS, "failed", WaitReason.DESTINATION_FULL);
    watch.lookAtAll();
    assertThat(lines.written).isEmpty();
    for (var i = 0; i < 5; i++) {
      nowMillis += 1_000;
      tried(Kind.DEAD_LETTERS, "failed", WaitReason.DESTINATION_FULL);
      watch.lookAtAll();
    }
    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isEqualTo(1);

    moves(QUEUE);
    looks(2);

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
    watch.lookAtAll();

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
    watch.lookAtAll();

    var isForwarded = kind != Kind.SCHEDULED && kind != Kind.COPIES;
    assertThat(lines.written)
        .singleElement()
        .satisfies(line -> assertThat(line).contains("'orders'"))
        .satisfies(line -> assertThat(line.contains("'bills'")).isEqualTo(isForwarded));
  }

  @Test
  void oneOfSeveralNamespacesIsNamedInBothLines() {
    watch.nameInLog("tenant");
    waits(WaitReason.DESTINATION_FULL);
    watch.lookAtAll();
    moves(QUEUE);
    looks(2);

    assertThat(lines.written)
        .containsExactly(
            "WARN Messages that 'orders' forwards to 'bills' in the namespace tenant have not moved"
                + " on for 1000 ms, as their destination is full",
            "INFO Messages that 'orders' forwards to 'bills' in the namespace tenant are held up no"
                + " more, after 1000 ms");
  }

  @Test
  void whatLeavesInAnotherWayIsNoticed() {
    waits(WaitReason.MEMORY_SHARE_EXCEEDED);
    watch.lookAtAll();
    assertThat(meter.queues(WaitReason.MEMORY_SHARE_EXCEEDED)).as("it still is").isEqualTo(1);

    machine.clear();
    looks(2);

    assertThat(meter.queues(WaitReason.MEMORY_SHARE_EXCEEDED)).isZero();
  }

  @Test
  void whatMovesNowAndThenAndWaitsAgainIsHeldUpAllTheTimeAndLoggedOnce() {
    waits(WaitReason.DESTINATION_FULL);
    for (var i = 0; i < 20; i++) {
      watch.lookAtAll();
      moves(QUEUE);
      looks(1); // nothing waits
      assertThat(meter.queues(WaitReason.DESTINATION_FULL)).as("moved").isEqualTo(1);
      tried(Kind.FORWARDED, "bills", WaitReason.DESTINATION_FULL);
      looks(1);
      tried(Kind.FORWARDED, "bills", WaitReason.DESTINATION_FULL);
      assertThat(meter.queues(WaitReason.DESTINATION_FULL)).as("waits").isEqualTo(1);
    }

    assertThat(lines.written).singleElement().asString().startsWith("WARN ");
  }

  @Test
  void whatMovesOneAtATimeAndWaitsAtOnceIsHeldUpAllTheTime() {
    waits(WaitReason.DESTINATION_FULL);
    for (var i = 0; i < 20; i++) {
      machine.clear();
      tried(Kind.FORWARDED, "bills", WaitReason.DESTINATION_FULL); // the next one, which waits anew
      watch.lookAtAll();
      assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isEqualTo(1);
      nowMillis += 999;
    }

    assertThat(lines.written).singleElement().asString().startsWith("WARN ");
  }

  @Test
  void whatWaitsBetweenTwoLooksGoesOnBeingHeldUp() {
    waits(WaitReason.DESTINATION_FULL);
    for (var i = 0; i < 10; i++) {
      tried(Kind.FORWARDED, "bills", WaitReason.DESTINATION_FULL);
      moves(QUEUE);
      looks(1);
    }

    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isEqualTo(1);
  }

  @Test
  void reasonsThatTakeTurnsAreLoggedOnceEachAndTheLastIsCounted() {
    for (var i = 0; i < 5; i++) {
      waits(WaitReason.DESTINATION_FULL);
      watch.lookAtAll();
      waits(WaitReason.MEMORY_SHARE_EXCEEDED);
      watch.lookAtAll();
    }

    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isZero();
    assertThat(meter.queues(WaitReason.MEMORY_SHARE_EXCEEDED)).isEqualTo(1);
    assertThat(lines.written)
        .hasSize(2)
        .satisfies(each -> assertThat(each.getFirst()).endsWith("their destination is full"))
        .satisfies(each -> assertThat(each.getLast()).endsWith("its share of the memory"));
  }

  @Test
  void anotherReasonCountsOnceItHasHeldUpForASecond() {
    waits(WaitReason.DESTINATION_FULL);
    moves(QUEUE);
    tried(Kind.FORWARDED, "bills", WaitReason.DESTINATION_DISABLED);
    looks(0);
    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isEqualTo(1);
    assertThat(meter.queues(WaitReason.DESTINATION_DISABLED)).isZero();

    looks(1);

    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isZero();
    assertThat(meter.queues(WaitReason.DESTINATION_DISABLED)).isEqualTo(1);
  }

  /** So many queues are held up, with another that is held up last. */
  private void crowd(int size) {
    for (var turn = 0; turn < 2; turn++) {
      for (var i = 1; i <= size; i++) {
        var path = i == size ? "last" : "q" + i;
        tried(new QueueId(i), Kind.FORWARDED, path, "bills", WaitReason.DESTINATION_FULL);
      }
      nowMillis += 1_000;
    }
  }

  @Test
  void thousandsAreAllCountedAndNamedOneAfterTheOtherAtABoundedRate() {
    crowd(5_000);
    watch.lookAtAll();

    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isEqualTo(5_000);
    assertThat(lines.written).hasSize(RateLimitedLog.BURST);
    looks(100);
    assertThat(lines.written).hasSize(RateLimitedLog.BURST + 100).doesNotHaveDuplicates();
    looks(5_000 - RateLimitedLog.BURST - 100);
    assertThat(lines.written).hasSize(5_000).noneMatch(line -> line.contains("like it before"));
    assertThat(lines.written.getLast()).contains("'last'");
    looks(100);
    assertThat(lines.written).as("each once").hasSize(5_000);
  }

  @Test
  void whoseTurnToBeNamedHasNotComeIsNotSaidToGoOn() {
    crowd(RateLimitedLog.BURST + 1);
    watch.lookAtAll();
    assertThat(written("WARN")).hasSize(RateLimitedLog.BURST);

    machine.clear();
    nowMillis += 100;
    watch.lookAtAll();
    watch.lookAtAll();

    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isZero();
    looks(10); // more lines may be written
    assertThat(written("INFO"))
        .hasSize(RateLimitedLog.BURST)
        .noneMatch(line -> line.contains("'last'"));
  }

  @Test
  void thatManyGoOnIsSaidOfEachAndDelaysNoWarning() {
    crowd(2 * RateLimitedLog.BURST);
    watch.lookAtAll();
    looks(RateLimitedLog.BURST);
    assertThat(written("WARN")).hasSize(2 * RateLimitedLog.BURST);

    machine.clear();
    looks(2);
    assertThat(written("INFO")).hasSize(RateLimitedLog.BURST);
    waits(WaitReason.MESSAGE_UNREADABLE); // an early one, whose end is told
    watch.lookAtAll();
    assertThat(written("WARN")).last().asString().endsWith("the next one cannot be read");
    looks(RateLimitedLog.BURST);

    assertThat(written("INFO")).hasSize(2 * RateLimitedLog.BURST).doesNotHaveDuplicates();
  }

  @Test
  void whoWaitsAgainBeforeItsEndIsSaidGoesOnWithoutALine() {
    crowd(2 * RateLimitedLog.BURST);
    watch.lookAtAll();
    looks(RateLimitedLog.BURST);
    machine.clear();
    looks(2);
    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isZero();
    var saidBefore = lines.written.size();
    var last = new QueueId(2 * RateLimitedLog.BURST);

    for (var i = 0; i < 2 * RateLimitedLog.BURST; i++) {
      tried(last, Kind.FORWARDED, "last", "bills", WaitReason.DESTINATION_FULL);
      looks(1);
    }

    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isEqualTo(1);
    assertThat(lines.written.subList(saidBefore, lines.written.size()))
        .isNotEmpty()
        .noneMatch(line -> line.contains("'last'"));
  }

  @Test
  void anotherMachineBeginsWithNothingHeldUp() {
    waits(WaitReason.DESTINATION_FULL);
    watch.forget();
    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isZero();

    machine.clear();
    looks(3);
    assertThat(lines.written).isEmpty();
    waits(WaitReason.DESTINATION_FULL);

    assertThat(meter.queues(WaitReason.DESTINATION_FULL)).isEqualTo(1);
  }
}
