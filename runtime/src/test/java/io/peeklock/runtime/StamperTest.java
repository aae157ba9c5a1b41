package io.peeklock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;

/** Shard time: never falling, slowly bent towards the wall, forward at once after a sleep. */
final class StamperTest {
  private static final long HOUR = 3_600_000;

  private final HandClock clock = new HandClock();

  /** Both clocks, moved by hand. */
  private static final class HandClock implements ShardClock {
    private long wall = 1_000_000;
    private long monotonic = 50;
    private long slept;

    @Override
    public long wallMillis() {
      return wall;
    }

    @Override
    public long monotonicMillis() {
      return monotonic;
    }

    @Override
    public long sleptMillis() {
      return slept;
    }

    void pass(long millis) {
      wall += millis;
      monotonic += millis;
    }

    /** The monotonic clock stands still, and the system knows why. */
    void sleep(long millis) {
      wall += millis;
      slept += millis;
    }
  }

  @Test
  @Rule("I-31")
  void whatIsDueByTheWallIsLookedAtAfterAJumpAlsoWhereShardTimeIsAhead() {
    var stamper = new Stamper(clock);
    stamper.startAt(clock.wall + 24 * HOUR);
    clock.pass(1_000);
    assertThat(stamper.look()).isFalse();

    clock.sleep(HOUR);

    assertThat(stamper.look()).isTrue();
    clock.pass(1_000);
    assertThat(stamper.look()).isFalse();
  }

  @Test
  void shardTimeStartsAtTheWallAndFollowsThePassingOfTime() {
    var stamper = new Stamper(clock);

    clock.pass(250);

    assertThat(stamper.next(7).nowMillis()).isEqualTo(1_000_250);
    assertThat(stamper.next(7).monotonicMillis()).isEqualTo(300);
    assertThat(stamper.next(9).index()).isEqualTo(9);
  }

  @Test
  @Rule("I-14")
  void shardTimeIsNeverBelowTheLastDurableTime() {
    var stamper = new Stamper(clock);
    stamper.startAt(5_000_000);

    clock.pass(10);

    assertThat(stamper.next(1).nowMillis()).isBetween(5_000_000L, 5_000_010L);
  }

  @Test
  @Rule("I-14")
  void aWallClockSetBackNeverTakesShardTimeBack() {
    var stamper = new Stamper(clock);
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
  void aSleepOfTheMachineIsMadeUpForAtOnce() {
    var stamper = new Stamper(clock);
    clock.sleep(8 * HOUR);

    assertThat(stamper.look()).as("the next drain has something to do").isTrue();
    assertThat(stamper.next(1).nowMillis()).isEqualTo(clock.wall);
    assertThat(stamper.look()).isFalse();
    clock.sleep(HOUR);
    assertThat(stamper.next(1).nowMillis()).as("the next one too").isEqualTo(clock.wall);
  }

  @Test
  void aSleepExplainsNoLongerJumpThanItself() {
    var stamper = new Stamper(clock);
    clock.sleep(HOUR);
    clock.wall += HOUR;

    assertThat(stamper.next(1).nowMillis()).isEqualTo(clock.wall - HOUR);
    clock.pass(1);
    assertThat(stamper.next(1).nowMillis()).isEqualTo(clock.wall - HOUR);
  }

  @Test
  void aWallClockSetForwardForAMomentIsNotFollowed() {
    var stamper = new Stamper(clock);
    clock.wall += HOUR;
    stamper.next(1);
    clock.pass(9_000);
    assertThat(stamper.next(1).nowMillis()).isEqualTo(1_009_045);

    clock.wall -= HOUR;
    clock.pass(60_000);
    assertThat(stamper.next(1).nowMillis()).isBetween(clock.wall, clock.wall + 50);
    clock.wall += HOUR;
    clock.pass(5_000);

    assertThat(stamper.next(1).nowMillis())
        .as("doubted anew")
        .isLessThan(clock.wall - HOUR + 1_000);
  }

  @Test
  void aWallClockThatStaysAheadWithoutAKnownSleepIsFollowed() {
    var stamper = new Stamper(clock);
    clock.wall += 8 * HOUR; // a virtual machine was paused, say
    stamper.next(1);

    clock.pass(10_000);

    assertThat(stamper.next(1).nowMillis()).isEqualTo(clock.wall);
  }

  @Test
  void aSecondIsApproachedByOnePartInTwoHundred() {
    var stamper = new Stamper(clock);
    stamper.next(1);
    clock.wall += 1_000;

    clock.pass(10_000);

    assertThat(stamper.next(1).nowMillis()).isEqualTo(1_000_000 + 10_000 + 50);
    clock.pass(10_000);
    assertThat(stamper.next(1).nowMillis()).isEqualTo(1_000_000 + 20_000 + 100);
  }

  @Test
  @Rule("I-31")
  void wallTimeIsTheWallClockWhereThatIsBehind() {
    clock.wall -= HOUR;
    var stamper = new Stamper(clock);
    stamper.startAt(clock.wall + 24 * HOUR);

    clock.pass(1_000);
    var stamp = stamper.next(1);

    assertThat(stamp.wallMillis()).isEqualTo(clock.wall);
    assertThat(stamp.nowMillis()).isEqualTo(clock.wall + 24 * HOUR - 5);
    clock.wall += 48 * HOUR;
    var doubted = stamper.next(2);
    assertThat(doubted.wallMillis()).isEqualTo(doubted.nowMillis());
  }

  @Test
  void howFarShardTimeIsAheadIsKnownFromTheStartOn() {
    var stamper = new Stamper(clock);
    assertThat(stamper.aheadMillis()).isZero();

    stamper.startAt(clock.wall + 24 * HOUR);

    assertThat(stamper.aheadMillis()).isEqualTo(24 * HOUR);
    assertThat(stamper.look()).as("there is nothing to follow").isFalse();
    clock.wall += 25 * HOUR;
    stamper.look();
    assertThat(stamper.aheadMillis()).isZero();
  }

  @Test
  void aSmallDifferenceIsTakenUpWhole() {
    var stamper = new Stamper(clock);
    clock.wall += 20;

    clock.pass(10_000);

    assertThat(stamper.next(1).nowMillis()).isEqualTo(clock.wall);
  }
}
