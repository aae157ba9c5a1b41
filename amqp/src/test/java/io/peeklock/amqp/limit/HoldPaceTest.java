package io.peeklock.amqp.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When somebody takes too little of what is held for it. */
class HoldPaceTest {
  private final HoldPace pace = new HoldPace(60_000, 8);

  @Test
  void aByteNowAndThenIsTooLittle() {
    for (var second = 0; second < 60; second++) {
      assertThat(pace.isTooSlow(second * 1_000L, 80_000, second)).isFalse();
    }
    assertThat(pace.isTooSlow(60_000, 80_000, 60)).isTrue();
  }

  @Test
  void whoTakesItsPartInTimeHasThePeriodAgain() {
    assertThat(pace.isTooSlow(0, 80_000, 5)).isFalse();
    assertThat(pace.isTooSlow(59_000, 70_000, 10_005)).isFalse();
    assertThat(pace.isTooSlow(118_000, 70_000, 18_754)).isFalse();
    assertThat(pace.isTooSlow(119_000, 70_000, 18_754)).isTrue();
    assertThat(pace.isTooSlow(119_000, 70_000, 18_755)).isFalse();
  }

  @Test
  void aPeriodBeginsAnewAfterAStop() {
    assertThat(pace.endMillis()).isEqualTo(Long.MAX_VALUE);
    assertThat(pace.isTooSlow(0, 80_000, 0)).isFalse();
    assertThat(pace.endMillis()).isEqualTo(60_000);
    pace.stop();
    assertThat(pace.isTooSlow(70_000, 80_000, 0)).isFalse();
    assertThat(pace.endMillis()).isEqualTo(130_000);
  }

  @Test
  void ofLittleOneByteMustLeave() {
    assertThat(pace.isTooSlow(0, 3, 0)).isFalse();
    assertThat(pace.isTooSlow(60_000, 3, 0)).isTrue();
    assertThat(pace.isTooSlow(60_000, 3, 1)).isFalse();
  }
}
