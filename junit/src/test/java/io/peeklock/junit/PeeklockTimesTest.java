package io.peeklock.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.LongProof;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** How long starts and resets take; the numbers are printed. */
@LongProof
class PeeklockTimesTest {
  @Test
  void laterStartsTakeMillisecondsAndResetsToo() {
    Peeklock.start().close(); // the first loads classes
    var starts = new ArrayList<Duration>();
    var resets = new ArrayList<Duration>();
    for (var i = 0; i < 30; i++) {
      var began = System.nanoTime();
      try (var peeklock = Peeklock.builder().queue("orders").topic("events").start()) {
        starts.add(Duration.ofNanos(System.nanoTime() - began));
        began = System.nanoTime();
        peeklock.reset();
        resets.add(Duration.ofNanos(System.nanoTime() - began));
      }
    }
    starts.sort(null);
    resets.sort(null);
    assertThat(starts.get(15)).isLessThanOrEqualTo(Duration.ofMillis(50));
    assertThat(resets.get(15)).isLessThanOrEqualTo(Duration.ofMillis(5));
  }
}
