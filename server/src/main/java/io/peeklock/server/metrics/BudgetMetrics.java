package io.peeklock.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.peeklock.runtime.meter.BudgetUse;
import java.util.List;
import java.util.function.Supplier;

/** Shows budgets: what is taken, what may be, and how often somebody was refused. */
final class BudgetMetrics {
  private BudgetMetrics() {}

  /**
   * Shows them from now on.
   *
   * @param registry held by its owner as long as somebody looks
   * @param budgets held from here on; always the same ones, in the same order
   */
  static void bind(MeterRegistry registry, Supplier<List<BudgetUse>> budgets, Tags common) {
    var known = budgets.get();
    for (var i = 0; i < known.size(); i++) {
      var place = i;
      Supplier<BudgetUse> one = () -> budgets.get().get(place);
      var tags = common.and("budget", known.get(i).name());
      Gauge.builder("peeklock.budget.used", () -> one.get().taken())
          .description("What is taken of a budget: bytes, of connections places")
          .tags(tags)
          .register(registry);
      Gauge.builder("peeklock.budget.bound", () -> one.get().most())
          .description("What may be taken of it")
          .tags(tags)
          .register(registry);
      // What a counter asks is held weakly; the registry is there as long as anybody looks.
      FunctionCounter.builder("peeklock.budget.refused", registry, all -> one.get().refused())
          .description("How often somebody was refused for want of it, or at its own part of it")
          .tags(tags)
          .register(registry);
    }
  }
}
