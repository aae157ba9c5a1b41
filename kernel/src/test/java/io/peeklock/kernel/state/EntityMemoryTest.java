package io.peeklock.kernel.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.snapshot.Snapshot;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What entities take of the heap is counted, given back and bounded. */
class EntityMemoryTest {
  private static final QueueDefinition PLAIN = QueueDefinition.named("q");

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private StoredMemory stored() {
    return shard.machine.stored();
  }

  private static @Nullable Refusal refusal(Decision decision) {
    for (Effect effect : decision.effects()) {
      if (effect instanceof Effect.Refused refused) {
        assertThat(decision.facts()).isEmpty();
        return refused.refusal();
      }
    }
    return null;
  }

  private @Nullable Refusal make(QueueDefinition definition) {
    return refusal(shard.ask(new Request.CreateQueue(new Asker(), new Note(), definition)));
  }

  private @Nullable Refusal update(QueueDefinition definition) {
    return refusal(shard.ask(new EntityRequest.UpdateQueue(new Asker(), new Note(), definition)));
  }

  private @Nullable Refusal delete(String path) {
    return refusal(shard.ask(new EntityRequest.DeleteQueue(new Asker(), new Note(), path)));
  }

  private static QueueDefinition commented(String path, int characters) {
    return QueueDefinition.named(path)
        .with()
        .attributes(Map.of("UserMetadata", "x".repeat(characters)))
        .build();
  }

  private static QueueDefinition subscription(String name) {
    return QueueDefinition.named("news/Subscriptions/" + name)
        .as(new QueueRole.Subscription("news", false));
  }

  private Refusal tooMany() {
    return new Refusal.TooMany("bytes of memory for all entities", (int) stored().mostEntities());
  }

  @Test
  @Rule("I-46")
  void entitiesTakeHalfOfWhatMessagesMayTakeAndNoMore() {
    stored().bound(2 * 3 * EntityWeight.of(PLAIN));
    assertThat(make(QueueDefinition.named("a"))).isNull();
    assertThat(make(QueueDefinition.named("b"))).isNull();
    assertThat(make(PLAIN)).isNull();

    assertThat(make(QueueDefinition.named("c"))).isEqualTo(tooMany());
    assertThat(make(QueueDefinition.named("d").as(new QueueRole.Topic(false))))
        .isEqualTo(tooMany());
    assertThat(make(PLAIN)).as("it is there").isNull();

    assertThat(delete("a")).isNull();
    assertThat(make(commented("c", 10))).as("it takes more").isEqualTo(tooMany());
    assertThat(make(QueueDefinition.named("c"))).isNull();
    assertThat(stored().entities()).isEqualTo(stored().mostEntities());
  }

  @Test
  @Rule("I-46")
  void aSubscriptionCountsAndIsRefusedWithItsRules() {
    QueueDefinition topic = QueueDefinition.named("news").as(new QueueRole.Topic(false));
    long most = EntityWeight.of(topic) + EntityWeight.of(subscription("s0"));
    stored().bound(2 * most);
    assertThat(make(topic)).isNull();
    assertThat(make(subscription("s0"))).isNull();
    var rules = List.of(io.peeklock.kernel.entity.Rule.selectingAll(1));

    var second = new Request.CreateQueue(new Asker(), new Note(), subscription("s1"), rules);
    assertThat(refusal(shard.ask(second))).isEqualTo(tooMany());

    assertThat(delete("news")).isNull();
    shard.advance(Duration.ZERO);
    assertThat(stored().taken()).as("nothing for nothing").isZero();
  }

  @Test
  @Rule("I-46")
  void anUpdateCountsByWhatItChangesAndIsRefusedWhereThatIsTooMuch() {
    assertThat(make(commented("Q", 100))).isNull();
    stored().bound(2 * (stored().entities() + 100));

    assertThat(update(commented("q", 151))).isEqualTo(tooMany());
    assertThat(update(commented("q", 150))).as("in the case that it keeps").isNull();
    assertThat(stored().entities()).isEqualTo(EntityWeight.of(commented("q", 150)));

    stored().bound(1_000);
    assertThat(update(commented("Q", 151))).isEqualTo(tooMany());
    assertThat(update(commented("Q", 150).with().maxDeliveryCount(3).build()))
        .as("no more than before")
        .isNull();
    assertThat(update(commented("Q", 3))).isNull();
    assertThat(delete("Q")).isNull();
    assertThat(stored().taken()).isZero();
  }

  @Test
  @Rule("I-46")
  void aReplayAndACheckpointCountAsMuchAndRefuseNothing() {
    assertThat(make(QueueDefinition.named("news").as(new QueueRole.Topic(false)))).isNull();
    assertThat(make(subscription("one"))).isNull();
    assertThat(make(commented("q", 1_000))).isNull();
    assertThat(update(commented("q", 2_000))).isNull();
    assertThat(make(QueueDefinition.named("gone"))).isNull();
    assertThat(delete("gone")).isNull();
    long before = stored().entities();

    Machine restored = new Machine();
    restored.stored().bound(1);
    Snapshot snapshot = shard.machine.beginSnapshot();
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      part.forEach(fact -> restored.apply(0, fact));
    }
    snapshot.end();
    shard.restart();

    assertThat(stored().entities()).isEqualTo(before);
    assertThat(restored.stored().entities()).isEqualTo(before);
    assertThat(restored.queues()).hasSize(3);
  }

  /** Who deletes what is full and makes it anew must not have both. */
  @Test
  @Rule("I-46")
  void whatIsDeletedCountsUntilItIsEmptied() {
    QueueFixture queue = QueueFixture.of(shard, PLAIN);
    queue.send(5);

    assertThat(delete("q")).isNull();
    assertThat(stored().entities()).isEqualTo(EntityWeight.of(PLAIN));

    shard.advance(Duration.ZERO);
    assertThat(stored().taken()).isZero();
  }

  @Test
  @Rule("I-46")
  void whereMessagesTakeAnEighthMoreThanAllNoEntityComesOrGrows() {
    QueueFixture queue = QueueFixture.of(shard, commented("q", 10));
    queue.send(2_000);
    stored().bound(stored().taken());
    assertThat(stored().isFull()).isTrue();
    assertThat(make(QueueDefinition.named("more"))).as("there is an eighth more").isNull();

    stored().bound(stored().taken() * 8 / 9);

    assertThat(make(QueueDefinition.named("r"))).isInstanceOf(Refusal.StoreFull.class);
    assertThat(update(commented("q", 11))).isInstanceOf(Refusal.StoreFull.class);
    assertThat(update(commented("q", 9))).isNull();
    assertThat(delete("more")).isNull();
  }

  /** A client with Send has them made, one for each pair of entities. */
  @Test
  @Rule({"I-46", "S-205"})
  void whereTransfersWaitCountsAsAnEntity() {
    assertThat(make(PLAIN)).isNull();
    QueueDefinition transfers = QueueRole.Transfers.of(PLAIN, null);
    stored().bound(2 * (EntityWeight.of(PLAIN) + EntityWeight.of(transfers)) - 2);

    assertThat(make(transfers)).isEqualTo(tooMany());
    stored().bound(stored().most() + 2);
    assertThat(make(transfers)).isNull();

    assertThat(stored().entities()).isEqualTo(stored().mostEntities());
  }
}
