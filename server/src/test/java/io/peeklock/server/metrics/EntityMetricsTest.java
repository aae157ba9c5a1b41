package io.peeklock.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.meter.Count;
import io.peeklock.runtime.meter.ShardMeters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The metrics of entities while these come, go and are emptied. */
class EntityMetricsTest {
  private final PrometheusMeterRegistry prometheus =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final CompositeMeterRegistry registry = new CompositeMeterRegistry();
  private final ShardMeters meters = new ShardMeters();
  private final MeterRoom room = new MeterRoom(20 * MeterRoom.BYTES);
  private final EntityMetrics metrics =
      new EntityMetrics(registry, meters, true, Tags.empty(), room);

  EntityMetricsTest() {
    registry.add(prometheus);
  }

  private static Catalogue.Entry queue(String path, int number) {
    var definition = QueueDefinition.named(path);
    return new Catalogue.Entry(new QueueId(number), new QueueId(number + 1), definition, 0, 0, 0);
  }

  private String page(long active, Catalogue.Entry... entries) {
    List<@Nullable EntityCounts> counts = new ArrayList<>();
    for (var unused : entries) {
      counts.add(new EntityCounts(active, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    }
    metrics.refresh(List.of(entries), counts);
    return prometheus.scrape();
  }

  private static String active(String path, long count) {
    return "peeklock_messages{entity=\"" + path + "\",kind=\"queue\",state=\"active\"} " + count;
  }

  @Test
  @Rule("S-493")
  void theGuideNamesEveryCounter() throws IOException {
    var guide = Files.readString(Path.of("..", "docs", "guide", "metrics.md"));

    for (var what : Count.values()) {
      assertThat(guide).contains("`peeklock_" + CounterNames.of(what).replace('.', '_') + "_total");
    }
  }

  /** Emptying gives each entity that is kept another number. */
  @Test
  @Rule("S-493")
  void anEntityThatIsEmptiedAndKeptGoesOnToBeShown() {
    assertThat(page(3, queue("kept", 1), queue("other", 3)))
        .contains(active("kept", 3), active("other", 3));

    for (var number = 5; number < 21; number += 4) {
      assertThat(page(number, queue("kept", number), queue("other", number + 2)))
          .contains(active("kept", number), active("other", number));
    }
  }

  /** Anybody on the machine may look, and what is shown stays in the heap. */
  @Test
  void entitiesForWhichThereIsNoRoomAreLeftOutUntilThereIs() {
    var all = new Catalogue.Entry[50];
    for (var i = 0; i < all.length; i++) {
      all[i] = queue("q" + i + "-", 2 * i + 1);
    }

    var page = page(3, all);

    assertThat(page).contains(active("q0-", 3), active("q1-", 3)).doesNotContain("q2-");
    assertThat(metrics.leftOut()).isEqualTo(48);
    assertThat(room.use().taken()).isEqualTo(16 * MeterRoom.BYTES);
    assertThat(room.use().refused()).isPositive();
    assertThat(page(3, all[7], all[1], all[9]))
        .contains("q7-", active("q1-", 3))
        .doesNotContain("q0-", "q9-");
    page(3);
    assertThat(room.use().taken()).isZero();
  }

  @Test
  @Rule("S-493")
  void anEntityThatIsGoneIsShownNoLonger() {
    page(3, queue("gone", 1));

    assertThat(page(3, queue("there", 3))).contains("there").doesNotContain("gone");
  }
}
