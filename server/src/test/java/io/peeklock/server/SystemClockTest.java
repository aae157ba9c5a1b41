package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clocks of a machine that sleeps. */
class SystemClockTest {
  @TempDir Path folder;

  @Test
  void theUptimeTellsHowLongTheMachineSlept() throws IOException {
    var uptime = Files.writeString(folder.resolve("uptime"), "350735.47 234388.90\n");
    var clock = new SystemClock(uptime);

    Files.writeString(uptime, "379535.47 234389.90\n");

    var awake = clock.monotonicMillis();
    assertThat(clock.sleptMillis()).isBetween(28_800_000 - awake - 60_000, 28_800_000L);
  }

  @Test
  void withoutAnUptimeNoSleepIsKnown() throws IOException {
    var uptime = folder.resolve("uptime");
    var clock = new SystemClock(uptime);
    Files.writeString(uptime, "nothing");
    assertThat(clock.sleptMillis()).isZero();

    Files.writeString(uptime, "5.00 1.00\n");
    assertThat(clock.sleptMillis()).isZero();
    assertThat(new SystemClock().sleptMillis()).isBetween(0L, 1_000L);
  }
}
