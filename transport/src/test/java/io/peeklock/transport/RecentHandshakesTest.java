package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How many handshakes were computed for an origin lately. */
class RecentHandshakesTest {
  private static final long TEN_SECONDS = TimeUnit.SECONDS.toNanos(10);
  private static final long START = Long.MAX_VALUE - TEN_SECONDS; // it wraps on the way
  private final RecentHandshakes recent = new RecentHandshakes(START);
  private final RecentHandshakes.Count here = recent.of(origin(1));

  private void computed(int times, long nowNanos) {
    recent.halve(nowNanos);
    for (var i = 0; i < times; i++) {
      here.computed();
    }
  }

  @Test
  void halfAreForgottenEveryTenSeconds() {
    computed(9, START + TEN_SECONDS - 1);
    assertThat(here.lately()).isEqualTo(9);

    computed(1, START + TEN_SECONDS);
    assertThat(here.lately()).isEqualTo(5);

    computed(1, START + 3 * TEN_SECONDS + 5);
    assertThat(here.lately()).isEqualTo(2);

    computed(1, START + 1_000 * TEN_SECONDS);
    assertThat(here.lately()).isEqualTo(1);
  }

  @Test
  void whoLoggedInIsNotCounted() {
    computed(1, START);
    var computed = here.computed();
    here.takeBack(computed);
    assertThat(here.lately()).isEqualTo(1);
  }

  /** Whose half was forgotten: it may have been another's who is counted in the same place. */
  @Test
  void whatWasHalvedSinceIsNotTakenBack() {
    computed(3, START);
    var computed = here.computed();

    recent.halve(START + TEN_SECONDS);
    here.takeBack(computed);

    assertThat(here.lately()).isEqualTo(2);
  }

  @Test
  void thousandsOfOthersAreHardlyEverTakenForIt() {
    for (var i = 0; i < 2_000; i++) {
      recent.of(origin(i + 1_000)).computed();
      recent.of(origin(i + 1_000)).computed();
    }

    var wrong = 0;
    for (var i = 0; i < 500; i++) {
      assertThat(recent.of(origin(i + 1_000)).lately()).isGreaterThanOrEqualTo(2);
      wrong += recent.of(origin(i)).lately() > 0 ? 1 : 0;
    }
    assertThat(wrong).isLessThan(50); // about 1.4 % are expected; seeds differ from run to run
  }

  private static ClientAddress origin(int number) {
    return new ClientAddress(Integer.toHexString(number), false);
  }
}
