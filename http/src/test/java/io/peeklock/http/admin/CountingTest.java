package io.peeklock.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.EntityCounting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What entities hold, asked of the shard in slices. */
class CountingTest {
  private final AdminFixture admin = new AdminFixture();

  private List<@Nullable EntityCounts> counted(List<QueueId> queues) {
    var answer = EntityCounting.of(admin.shard, queues);
    admin.shardExecutor.settle();
    assertThat(answer).isCompleted();
    return answer.join();
  }

  @Test
  @Rule("S-489")
  void everyEntityIsAnsweredInTheOrderAskedForHoweverMany() {
    admin.create("/q", "QueueDescription", "");
    var there = Objects.requireNonNull(admin.shard.catalogue().queue("q")).queue();
    var gone = new QueueId(1_000_000);

    for (var many : List.of(1, 999, 1_000, 1_001, 2_000, 2_500)) {
      var asked = new ArrayList<QueueId>();
      for (var i = 0; i < many; i++) {
        asked.add(i % 7 == 3 ? gone : there);
      }
      var counts = counted(asked);
      assertThat(counts).hasSize(many);
      for (var i = 0; i < many; i++) {
        assertThat(counts.get(i) == null).isEqualTo(i % 7 == 3);
      }
    }
  }

  @Test
  @Rule({"S-489", "S-507"})
  void whoseEntitiesAreNotCountedIsToldWhenToAskAgain() {
    admin.create("/q", "QueueDescription", "");
    admin.whyNotCounted = new Refusal.NotLeading();

    for (var path : List.of("/q", "/$Resources/queues")) {
      var refused = admin.get(path);
      assertThat(refused.status()).as(path).isEqualTo(503);
      assertThat(refused.head()).contains("Retry-After: 1");
      assertThat(refused.body()).contains("SubCode=50004");
    }

    admin.whyNotCounted = null;
    assertThat(admin.get("/q").status()).isEqualTo(200);
  }

  @Test
  void nobodyIsAnsweredToo() {
    assertThat(counted(List.of())).isEmpty();
  }
}
