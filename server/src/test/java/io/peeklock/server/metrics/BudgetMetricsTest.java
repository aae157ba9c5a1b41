package io.peeklock.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.meter.BudgetUse;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the page says of budgets. */
class BudgetMetricsTest {
  private final PrometheusMeterRegistry prometheus =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  @Test
  @Rule("S-493")
  void eachBudgetTellsWhatIsTakenWhatMayBeAndWhoWasRefused() {
    var now =
        new ArrayList<>(
            List.of(new BudgetUse("links", 3, 10, 0), new BudgetUse("replies", 0, 20, 0)));
    BudgetMetrics.bind(prometheus, () -> List.copyOf(now), Tags.empty());
    now.set(1, new BudgetUse("replies", 19, 20, 7));

    assertThat(prometheus.scrape())
        .contains("peeklock_budget_used{budget=\"links\"} 3.0")
        .contains("peeklock_budget_bound{budget=\"links\"} 10.0")
        .contains("peeklock_budget_used{budget=\"replies\"} 19.0")
        .contains("peeklock_budget_refused_total{budget=\"replies\"} 7.0");
  }

  /** Micrometer holds what it asks weakly, and nobody else holds what is made for it. */
  @Test
  @Rule("S-493")
  void aBudgetIsToldAfterACollection() {
    var registry = new CompositeMeterRegistry();
    registry.add(prometheus);
    var now = List.of(new BudgetUse("links", 3, 10, 5));
    BudgetMetrics.bind(registry, () -> List.copyOf(now), Tags.empty());
    var before = prometheus.scrape();

    collect();

    assertThat(before).contains("peeklock_budget_refused_total{budget=\"links\"} 5.0");
    assertThat(prometheus.scrape()).isEqualTo(before);
    assertThat(registry.getMeters()).hasSize(3);
  }

  private static void collect() {
    var canary = new WeakReference<>(new Object());
    while (canary.get() != null) {
      System.gc();
    }
  }
}
