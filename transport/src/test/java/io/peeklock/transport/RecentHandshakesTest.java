package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How many handshakes an origin asked for lately. */
class RecentHandshakesTest {
  private static final long TEN_SECONDS = TimeUnit.SECONDS.toNanos(10);
  private static final long START = Long.MAX_VALUE - TEN_SECONDS; // it wraps on the way
  private final RecentHandshakes recent = new RecentHandshakes(START);
  private final Origin here = origin(1);

  @Test
  void halfAreForgottenEveryTenSeconds() {
    for (var i = 0; i < 9; i++) {
      recent.asked(here, START + TEN_SECONDS - 1);
    }
    assertThat(recent.of(here)).isEqualTo(9);

    recent.asked(here, START + TEN_SECONDS);
    assertThat(recent.of(here)).isEqualTo(5);

    recent.asked(here, START + 3 * TEN_SECONDS + 5);
    assertThat(recent.of(here)).isEqualTo(2);

    recent.asked(here, START + 1_000 * TEN_SECONDS);
    assertThat(recent.of(here)).isEqualTo(1);
  }

  @Test
  void whoLoggedInIsNotCounted() {
    recent.asked(here, START);
    recent.asked(here, START);

    recent.loggedIn(here);
    assertThat(recent.of(here)).isEqualTo(1);

    recent.loggedIn(here);
    recent.loggedIn(here); // in clear: it had asked for none
    assertThat(recent.of(here)).isZero();
  }

  @Test
  void thousandsOfOthersAreHardlyEverTakenForIt() {
    for (var i = 0; i < 2_000; i++) {
      recent.asked(origin(i + 1_000), START);
      recent.asked(origin(i + 1_000), START);
    }

    var wrong = 0;
    for (var i = 0; i < 500; i++) {
      assertThat(recent.of(origin(i + 1_000))).isGreaterThanOrEqualTo(2);
      wrong += recent.of(origin(i)) > 0 ? 1 : 0;
    }
    assertThat(wrong).isLessThan(50); // about 1.4 % are expected; seeds differ from run to run
  }

  private static Origin origin(int number) {
    return new Origin(Integer.toHexString(number), false);
  }
}
