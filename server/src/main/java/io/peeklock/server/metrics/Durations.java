package io.peeklock.server.metrics;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.peeklock.runtime.meter.DurationMeter;
import java.util.concurrent.TimeUnit;

/** Shows a {@link DurationMeter} as two metrics: a timer, and the longest since the start. */
final class Durations {
  private Durations() {}

  /**
   * Shows it from now on.
   *
   * @param name of the timer; the longest has {@code .longest} behind it
   */
  static void bind(
      MeterRegistry registry, String name, String description, DurationMeter meter, Tags tags) {
    FunctionTimer.builder(
            name, meter, DurationMeter::count, DurationMeter::nanos, TimeUnit.NANOSECONDS)
        .description(description)
        .tags(tags)
        .register(registry);
    TimeGauge.builder(name + ".longest", meter, TimeUnit.NANOSECONDS, DurationMeter::longestNanos)
        .description("The longest of them since the start")
        .tags(tags)
        .register(registry);
  }
}
