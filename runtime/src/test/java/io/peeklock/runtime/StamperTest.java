package io.peeklock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;

/** Shard time: never stepped, never falling, slowly bent towards the wall (design.md 2). */
final class StamperTest {
  private final HandClock clock = new HandClock();

  /** Both clocks, moved by hand. */
  private static final class HandClock implements ShardClock {
    private long wall = 1_000_000;
    private long monotonic = 50;

    @Override
    public long wallMillis() {
      return wall;
    }

    @Override
    public long monotonicMillis() {
      return monotonic;
    }

    void pass(long millis) {
      wall += millis;
      monotonic += millis;
    }
  }

  @Test
  void shardTimeStartsAtTheWallAndFollowsThePassingOfTime() {
    var stamper = new Stamper(clock, 0);

    clock.pass(250);

    assertThat(stamper.next(7).nowMillis()).isEqualTo(1_000_250);
    assertThat(stamper.next(7).monotonicMillis()).isEqualTo(300);
    assertThat(stamper.next(9).index()).isEqualTo(9);
  }

  @Test
  @Rule("I-14")
  void shardTimeIsNeverBelowTheLastDurableTime() {
    var stamper = new Stamper(clock, 5_000_000);

    clock.pass(10);

    assertThat(stamper.next(1).nowMillis()).isBetween(5_000_000L, 5_000_010L);
  }

  @Test
  @Rule("I-14")
  void aWallClockSetBackNeverTakesShardTimeBack() {
    var stamper = new Stamper(clock, 0);
    var last = stamper.next(1).nowMillis();
    clock.wall -= 3_600_000;

    for (var i = 0; i < 1_000; i++) {
      clock.pass(3);
      var now = stamper.next(1).nowMillis();
      assertThat(now).isGreaterThanOrEqualTo(last);
      last = now;
    }

    assertThat(last).isLessThan(1_003_000);
    assertThat(last).isGreaterThan(1_002_900);
  }

  @Test
  void aWallClockSetForwardIsApproachedByOnePartInTwoHundred() {
    var stamper = new Stamper(clock, 0);
    stamper.next(1);
    clock.wall += 3_600_000;

    clock.pass(10_000);

    assertThat(stamper.next(1).nowMillis()).isEqualTo(1_000_000 + 10_000 + 50);
  }

  @Test
  void aSmallDifferenceIsTakenUpWhole() {
    var stamper = new Stamper(clock, 0);
    clock.wall += 20;

    clock.pass(10_000);

    assertThat(stamper.next(1).nowMillis()).isEqualTo(clock.wall);
  }
}
