package io.peeklock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepAlarmTest {
  /** What was asked for, in milliseconds from then. */
  private final List<Long> later = new ArrayList<>();

  private final StepAlarm alarm =
      new StepAlarm(
          new ShardExecutor() {
            @Override
            public void execute(Runnable task) {
              task.run();
            }

            @Override
            public void executeLater(long millis, Runnable task) {
              later.add(millis);
            }
          },
          () -> {});

  @Test
  void onlyAnEarlierAlarmIsAskedFor() {
    alarm.arm(0, 1_000, false);
    alarm.arm(10, 990, false);
    alarm.arm(20, 970, false);

    assertThat(later).containsExactly(1_000L, 970L);
  }

  /** It rings by the machine's time, which did not move. */
  @Test
  void afterTheClockWasMovedWhatIsDueAtTheSameTimeIsAskedForAnew() {
    alarm.arm(0, 1_000, false);
    alarm.forget();
    alarm.arm(600, 400, false);

    assertThat(later).containsExactly(1_000L, 400L);
  }
}
