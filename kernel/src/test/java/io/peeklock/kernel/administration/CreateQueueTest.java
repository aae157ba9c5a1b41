package io.peeklock.kernel.administration;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.proof.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How queues come into being. */
class CreateQueueTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private Effect create(QueueDefinition definition) {
    return shard
        .ask(new Request.CreateQueue(new Asker(), new Note(), definition))
        .effects()
        .getFirst();
  }

  @Test
  @Rule({"S-181", "S-035"})
  void aQueueAlwaysHasADeadLetterQueueOfItsOwn() {
    Effect effect = create(QueueDefinition.named("orders"));

    var ready = (Effect.QueueReady) effect;
    assertThat(ready.created()).isTrue();
    assertThat(ready.deadLetterQueue()).isNotEqualTo(ready.queue());
    assertThat(shard.machine.counts(ready.deadLetterQueue()).active()).isZero();
    assertThat(shard.machine.queues())
        .containsExactly(
            new QueueEntry(
                ready.queue(),
                ready.deadLetterQueue(),
                QueueDefinition.named("orders"),
                shard.nowMillis,
                shard.nowMillis));
  }

  @Test
  @Rule({"S-060", "S-061"})
  void anEqualQueueThatExistsIsNoErrorWhateverTheCaseOfItsName() {
    create(QueueDefinition.named("orders"));

    var again = (Effect.QueueReady) create(QueueDefinition.named("ORDERS"));

    assertThat(again.created()).isFalse();
    assertThat(again.queue()).isEqualTo(new QueueId(1));
    assertThat(shard.machine.queues()).hasSize(1);
  }

  @Test
  @Rule("S-524")
  void queuesAndTopicsAreKeptInLowerCaseAndSubscriptionsAsTheyAreWritten() {
    create(QueueDefinition.named("Shop/Orders"));
    create(QueueDefinition.named("Events").as(new QueueRole.Topic(false)));
    create(
        QueueDefinition.named("EVENTS/Subscriptions/Audit")
            .as(new QueueRole.Subscription("EVENTS", true)));

    assertThat(shard.machine.queues())
        .extracting(entry -> entry.definition().path())
        .containsExactlyInAnyOrder("shop/orders", "events", "events/Subscriptions/Audit");
    assertThat(shard.machine.queues())
        .extracting(entry -> entry.definition().role())
        .contains(new QueueRole.Subscription("events", true));
  }

  /** A log of an earlier version has names as they were written. */
  @Test
  @Rule({"S-524", "S-060", "I-01"})
  void namesInAnOldLogKeepTheirSpelling() {
    shard.take(
        Decision.of(
            List.of(
                new Fact.QueueCreated(
                    new QueueId(1),
                    new QueueId(2),
                    QueueDefinition.named("Events").as(new QueueRole.Topic(false)),
                    shard.nowMillis)),
            List.of(),
            List.of(),
            null));
    shard.restart();

    var again =
        (Effect.QueueReady) create(QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    create(
        QueueDefinition.named("events/Subscriptions/s")
            .as(new QueueRole.Subscription("events", true)));

    assertThat(again.created()).isFalse();
    assertThat(shard.machine.queues())
        .extracting(entry -> entry.definition().path())
        .containsExactlyInAnyOrder("Events", "Events/Subscriptions/s");
  }

  @Test
  @Rule({"S-061", "S-509"})
  void aDifferentQueueOfTheNameIsRefusedWithTheDifference() {
    create(QueueDefinition.named("orders"));

    assertThat(differenceOf(5_000, 10, FOREVER, false, 100L << 20, FOREVER))
        .isEqualTo("LockDuration is 60000, not 5000");
    assertThat(differenceOf(60_000, 3, FOREVER, false, 100L << 20, FOREVER))
        .isEqualTo("MaxDeliveryCount is 10, not 3");
    assertThat(differenceOf(60_000, 10, 1_000, false, 100L << 20, FOREVER))
        .startsWith("DefaultMessageTimeToLive is");
    assertThat(differenceOf(60_000, 10, FOREVER, true, 100L << 20, FOREVER))
        .isEqualTo("DeadLetteringOnMessageExpiration is false, not true");
    assertThat(differenceOf(60_000, 10, FOREVER, false, 1, FOREVER))
        .startsWith("MaxMessageSize is");
    assertThat(differenceOf(60_000, 10, FOREVER, false, 100L << 20, 1)).startsWith("MaxSize is");
  }

  private String differenceOf(
      long lock, int count, long timeToLive, boolean deadLettering, long message, long size) {
    Effect effect =
        create(
            new QueueDefinition("orders", lock, count, timeToLive, deadLettering, message, size));
    var refusal = (Refusal.EntityAlreadyExists) ((Effect.Refused) effect).refusal();
    assertThat(refusal.path()).isEqualTo("orders");
    return refusal.difference();
  }

  @Test
  @Rule({"S-063", "S-046"})
  void theDefaultsAreThoseOfTheService() {
    QueueDefinition definition = QueueDefinition.named("orders");

    assertThat(definition.lockDurationMillis()).isEqualTo(60_000);
    assertThat(definition.maxDeliveryCount()).isEqualTo(10);
    assertThat(definition.defaultTimeToLiveMillis()).isEqualTo(FOREVER);
    assertThat(definition.deadLetteringOnExpiration()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, 999, 300_001})
  @Rule({"S-047", "S-064"})
  void aLockDurationOutsideOfItsRangeIsRefused(long millis) {
    assertThatThrownBy(() -> new QueueDefinition("orders", millis, 10, FOREVER, false, 1, FOREVER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LockDuration");
  }

  @Test
  @Rule({"S-065", "S-066"})
  void otherValuesOutsideOfTheirRangesAreRefused() {
    assertThatThrownBy(() -> Definitions.maxDeliveryCount(0)).hasMessageContaining("MaxDelivery");
    assertThatThrownBy(() -> new QueueDefinition("q", 60_000, 10, 999, false, 1, 1))
        .hasMessageContaining("DefaultMessageTimeToLive");
    assertThatThrownBy(() -> new QueueDefinition("q", 60_000, 10, 1_000, false, 0, 1))
        .hasMessageContaining("sizes");
    assertThatThrownBy(() -> new QueueDefinition("q", 60_000, 10, 1_000, false, 1, 0))
        .hasMessageContaining("sizes");
    assertThatThrownBy(() -> new QueueId(0)).hasMessageContaining("starts at 1");
    assertThat(Definitions.maxDeliveryCount(Integer.MAX_VALUE)).isNotNull();
  }

  @Test
  void manyQueuesKeepTheirOrderOfCreation() {
    for (int i = 0; i < 20; i++) {
      create(QueueDefinition.named("queue-" + i));
    }

    assertThat(shard.machine.queues())
        .extracting(entry -> entry.definition().path())
        .startsWith("queue-0", "queue-1")
        .endsWith("queue-19");
    assertThatThrownBy(() -> shard.machine.counts(new QueueId(99)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
