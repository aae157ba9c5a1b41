package io.peeklock.testkit;

import static io.peeklock.kernel.request.ReceiveMode.PEEK_LOCK;
import static io.peeklock.kernel.request.ReceiveMode.RECEIVE_AND_DELETE;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.meter.Count;
import io.peeklock.testkit.ShardFixture.Note;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No answer of any kind leaves before what it rests on is durable: the journal holds its syncs
 * back, and each kind of answer is looked for.
 */
final class GateTest {
  private final ShardFixture world = new ShardFixture();

  @AfterEach
  void everythingPinnedOrStagedIsGivenBack() {
    world.journal.sync();
    world.shardExecutor.settle();

    assertThat(world.journal.leaks()).isZero();
    assertThat(world.news).isEmpty();
  }

  @Test
  @Rule({"S-001", "S-004", "I-01"})
  void anAcceptedSendIsToldOnlyWhenItIsDurable() {
    var orders = world.queue("orders");
    var sender = world.client();
    world.journal.holdSyncs();

    sender.send(orders, "one");

    assertThat(sender.told).isEmpty();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(sender.last(Effect.SendAnswered.class).refusals()).isNull();
  }

  @Test
  @Rule("S-012")
  void eachSendIsAnsweredWhenItsOwnMessageIsDurable() {
    var orders = world.queue("orders");
    var first = world.client();
    var second = world.client();
    world.journal.holdSyncs();
    first.send(orders, "one");
    second.send(orders, "two");

    world.journal.sync(1);
    world.shardExecutor.settle();

    assertThat(first.wasTold(Effect.SendAnswered.class)).isTrue();
    assertThat(second.wasTold(Effect.SendAnswered.class)).isFalse();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(second.wasTold(Effect.SendAnswered.class)).isTrue();
  }

  @Test
  void aMessageIsDeliveredOnlyWhenItIsDurable() {
    var orders = world.queue("orders");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 10);
    world.journal.holdSyncs();

    world.client().send(orders, "one");

    assertThat(receiver.told).isEmpty();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(receiver.bodies).containsExactly(List.of("one"));
  }

  @Test
  void aDeliveryOfADurableMessageDoesNotWaitForTheNextSync() {
    var orders = world.queue("orders");
    var other = world.queue("other");
    world.client().send(orders, "one");
    world.journal.holdSyncs();
    world.client().send(other, "unrelated");
    var receiver = world.client();

    receiver.receive(orders, PEEK_LOCK, 10);

    assertThat(receiver.bodies).containsExactly(List.of("one"));
  }

  @Test
  @Rule({"S-021", "I-07"})
  void receiveAndDeleteDeliversOnlyWhenTheRemovalIsDurable() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    world.journal.holdSyncs();
    var receiver = world.client();

    receiver.receive(orders, RECEIVE_AND_DELETE, 10);

    assertThat(receiver.told).isEmpty();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(receiver.bodies).containsExactly(List.of("one"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Settlement.class,
      names = {"COMPLETE", "ABANDON", "DEFER", "DEAD_LETTER"})
  @Rule({"S-031", "I-05", "I-06"})
  void aSettlementIsConfirmedOnlyWhenItIsDurable(Settlement settlement) {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 1);
    world.journal.holdSyncs();

    receiver.settle(orders, settlement, receiver.lockIds());

    assertThat(receiver.wasTold(Effect.SettleAnswered.class)).isFalse();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(receiver.last(Effect.SettleAnswered.class).refusals()).isNull();
  }

  @Test
  @Rule({"S-028", "S-032"})
  void anAbandonedMessageComesAgainOnlyWhenItsCountIsDurable() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 2);
    world.journal.holdSyncs();

    receiver.settle(orders, Settlement.ABANDON, receiver.lockIds());

    assertThat(receiver.bodies).hasSize(1);
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(receiver.bodies).hasSize(2);
    assertThat(receiver.last(Effect.Delivered.class).messages().deliveryCounts())
        .containsExactly(1);
  }

  @Test
  @Rule("S-038")
  void aRefusedSettlementWaitsForTheFactsItWasDecidedOn() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 1);
    world.journal.holdSyncs();
    var lock = receiver.lockIds();
    receiver.settle(orders, Settlement.COMPLETE, lock);
    var late = world.client();

    late.settle(orders, Settlement.COMPLETE, lock);

    assertThat(late.told).isEmpty();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(late.last(Effect.SettleAnswered.class).refusals()).isNotNull();
  }

  @Test
  @Rule("S-105")
  void aRenewalWaitsForTheFactsItWasDecidedOn() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 1);
    world.journal.holdSyncs();
    world.client().send(orders, "two");

    receiver.ask(new Request.Renew(receiver, new Note("renew"), orders, receiver.lockIds()));
    world.shardExecutor.settle();

    assertThat(receiver.wasTold(Effect.Renewed.class)).isFalse();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(receiver.last(Effect.Renewed.class).lockedUntilMillis())
        .isEqualTo(world.clock.wallMillis() + 60_000);
  }

  @Test
  @Rule("S-218")
  void aPeekShowsNothingThatIsNotDurable() {
    var orders = world.queue("orders");
    var looker = world.client();
    world.journal.holdSyncs();
    world.client().send(orders, "one");

    looker.ask(new Request.Peek(looker, new Note("peek"), orders, 1, 10, 1 << 20));
    world.shardExecutor.settle();

    assertThat(looker.told).isEmpty();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(looker.bodies).containsExactly(List.of("one"));
  }

  @Test
  @Rule("S-207")
  void aDeferredMessageIsHandedOutOnlyWhenItsDeferralIsDurable() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 1);
    world.journal.holdSyncs();
    receiver.settle(orders, Settlement.DEFER, receiver.lockIds());
    var other = world.client();

    other.ask(
        new Request.ReceiveDeferred(
            other, new Note("deferred"), orders, new long[] {1}, PEEK_LOCK, null, Long.MAX_VALUE));
    world.shardExecutor.settle();

    assertThat(other.told).isEmpty();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(other.bodies).containsExactly(List.of("one"));
  }

  @Test
  @Rule("S-062")
  void aNewQueueIsShownOnlyWhenItIsDurable() {
    world.journal.holdSyncs();
    var admin = world.client();

    admin.ask(new Request.CreateQueue(admin, new Note("create"), QueueDefinition.named("orders")));
    world.shardExecutor.settle();

    assertThat(admin.told).isEmpty();
    assertThat(world.shard.catalogue().queue("orders")).isNull();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(admin.wasTold(Effect.QueueReady.class)).isTrue();
    assertThat(world.shard.catalogue().queue("ORDERS")).isNotNull();
  }

  @Test
  @Rule("S-062")
  void eachEntityIsShownWhenItIsDurableHoweverManyFollow() {
    world.journal.holdSyncs();
    var admin = world.client();
    for (var path : List.of("first", "second")) {
      admin.ask(new Request.CreateQueue(admin, new Note(path), QueueDefinition.named(path)));
      world.shardExecutor.settle();
    }

    world.journal.sync(1);
    world.shardExecutor.settle();

    assertThat(world.shard.catalogue().queue("first")).isNotNull();
    assertThat(world.shard.catalogue().queue("second")).isNull();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(world.shard.catalogue().queue("second")).isNotNull();
  }

  @Test
  @Rule({"S-071", "S-427"})
  void whoWatchesIsToldOfUpdatesAndDeletionsOnceTheyAreDurableAndAnswered() {
    world.queue("orders");
    var admin = world.client();
    var seen = new ArrayList<String>();
    world.shard.watch(
        () -> {
          var entry = world.shard.catalogue().queue("orders");
          seen.add(entry == null ? "gone" : entry.definition().status().name());
          assertThat(admin.wasTold(Effect.QueueChanged.class)).isTrue();
        });
    var disabled =
        QueueDefinition.named("orders").with().status(EntityStatus.SEND_DISABLED).build();
    world.journal.holdSyncs();

    admin.ask(new EntityRequest.UpdateQueue(admin, new Note("update"), disabled));
    world.shardExecutor.settle();
    assertThat(seen).isEmpty();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(seen).containsExactly("SEND_DISABLED");
    admin.ask(new Request.CreateQueue(admin, new Note("other"), QueueDefinition.named("other")));
    admin.ask(new EntityRequest.UpdateQueue(admin, new Note("same"), disabled));
    world.shardExecutor.settle();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(seen).as("what is new or the same is no news").hasSize(1);
    admin.ask(new EntityRequest.DeleteQueue(admin, new Note("delete"), "orders"));
    world.shardExecutor.settle();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(seen).containsExactly("SEND_DISABLED", "gone");
  }

  private Catalogue.Entry shown(String path) {
    return Objects.requireNonNull(world.shard.catalogue().queue(path));
  }

  @Test
  @Rule({"S-062", "S-071", "S-489"})
  void updatesAndDeletionsAreShownOnlyWhenTheyAreDurable() {
    world.queue("orders");
    var created = shown("orders").createdAtMillis();
    world.advance(Duration.ofMinutes(1));
    var admin = world.client();
    var wanted = QueueDefinition.named("Orders").with().lockDurationMillis(5_000).build();
    world.journal.holdSyncs();

    admin.ask(new EntityRequest.UpdateQueue(admin, new Note("update"), wanted));
    world.shardExecutor.settle();

    assertThat(admin.told).isEmpty();
    assertThat(shown("orders").definition().lockDurationMillis()).isEqualTo(60_000);
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(admin.wasTold(Effect.QueueChanged.class)).isTrue();
    var entry = shown("orders");
    assertThat(entry.definition()).isEqualTo(wanted.with().path("orders").build());
    assertThat(entry.createdAtMillis()).isEqualTo(created);
    assertThat(entry.updatedAtMillis()).isEqualTo(created + 60_000);

    admin.ask(new EntityRequest.DeleteQueue(admin, new Note("delete"), "orders"));
    world.shardExecutor.settle();
    assertThat(world.shard.catalogue().queue("orders")).isNotNull();
    world.journal.sync();
    world.shardExecutor.settle();
    assertThat(world.shard.catalogue().queue("orders")).isNull();
  }

  @Test
  @Rule("I-10")
  void nothingIsToldAfterAFailedSync() {
    var orders = world.queue("orders");
    var sender = world.client();
    world.journal.holdSyncs();
    sender.send(orders, "one");

    world.journal.fail(new IOException("sync failed on segment-1"));
    world.shardExecutor.settle();
    world.client().send(orders, "two");
    world.shardExecutor.settle();

    assertThat(sender.told).isEmpty();
    assertThat(world.news).containsExactly("ended: sync failed on segment-1");
    world.news.clear();
  }

  @Test
  void effectsOfOneEndpointKeepTheirOrderWhileABodyIsRead() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    world.journal.holdLoads();
    var receiver = world.client();
    receiver.ask(new Request.OpenReceiver(receiver, orders, PEEK_LOCK));
    receiver.ask(new Request.Flow(receiver, 5, true));
    world.shardExecutor.settle();

    assertThat(receiver.told).isEmpty();
    world.journal.answerLoads();
    world.shardExecutor.settle();

    assertThat(receiver.told).hasSize(2);
    assertThat(receiver.told.getFirst()).isInstanceOf(Effect.Delivered.class);
    assertThat(receiver.told.getLast()).isInstanceOf(Effect.Drained.class);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  @Rule({"I-11", "I-18"})
  void aBodyThatCannotBeReadStopsItsQueueAndNoOther(ReceiveMode mode) {
    var orders = world.queue("orders");
    var invoices = world.queue("invoices");
    world.client().send(orders, "one", "two", "three");
    world.client().send(invoices, "bill");
    world.journal.damage(2);
    var waiting = world.client();
    var unlucky = world.client();
    var later = world.client();
    var elsewhere = world.client();
    waiting.receive(orders, mode, 0);

    unlucky.receive(orders, mode, 2);
    later.receive(orders, mode, 10);
    waiting.ask(new Request.Flow(waiting, 10, false));
    elsewhere.receive(invoices, mode, 10);
    world.shardExecutor.settle();

    for (var client : List.of(waiting, unlucky, later)) {
      assertThat(client.troubles).singleElement().asString().contains("segment-1 at 42");
      assertThat(client.told).isEmpty();
    }
    assertThat(elsewhere.bodies).containsExactly(List.of("bill"));
    assertThat(world.shard.meters().of(orders).read(Count.SERVER_ERRORS)).isEqualTo(3);
    var sender = world.client();
    sender.send(orders, "four");
    assertThat(sender.last(Effect.SendAnswered.class).refusals()).isNull();
    assertNoMessageIsHeldOrCounted(orders, mode == PEEK_LOCK ? 4 : 2);
  }

  /** One more than the damaged one cannot be peeked at with it, so the counts say it. */
  private void assertNoMessageIsHeldOrCounted(QueueId orders, int left) {
    world.advance(Duration.ofMinutes(10));
    var peeker = world.client();
    peeker.ask(new Request.Peek(peeker, new Note("peek"), orders, 3, 10, 1_000));
    world.shardExecutor.settle();
    var peeked = peeker.last(Effect.Peeked.class).messages();
    assertThat(peeked.count()).isEqualTo(left == 4 ? 2 : left);
    assertThat(peeked.deliveryCounts()).containsOnly(0);
  }

  @Test
  @Rule("S-082")
  void laterChangesOfPropertiesAreMergedOverEarlierOnes() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 3);

    abandonWith(receiver, "A", orders);
    abandonWith(receiver, "B", orders);

    assertThat(receiver.bodies.getLast()).containsExactly("one", "AB");
  }

  private void abandonWith(
      ShardFixture.Client receiver, String overlay, io.peeklock.kernel.entity.QueueId queue) {
    world.shard.submit(
        new Submission(
            new Request.Settle(
                receiver,
                new Note("abandon"),
                queue,
                Settlement.ABANDON,
                receiver.lockIds(),
                1,
                false,
                new Overlay(overlay.length(), 0)),
            null,
            overlay.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    world.shardExecutor.settle();
  }

  @Test
  @Rule({"S-033", "S-121"})
  void aLapsedLockBringsTheMessageBackByItself() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 2);

    world.advance(Duration.ofSeconds(59));
    assertThat(receiver.bodies).hasSize(1);
    world.advance(Duration.ofSeconds(1));

    assertThat(receiver.bodies).hasSize(2);
    assertThat(receiver.last(Effect.Delivered.class).messages().deliveryCounts())
        .containsExactly(1);
  }

  @Test
  @Rule("I-08")
  void sendsAreRefusedWithoutRoomAndSettlementsGoOn() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    var receiver = world.client();
    receiver.receive(orders, PEEK_LOCK, 1);
    world.journal.setTakesSends(false);
    var sender = world.client();

    sender.send(orders, "two");
    receiver.settle(orders, Settlement.COMPLETE, receiver.lockIds());

    assertThat(sender.last(Effect.SendAnswered.class).refusals()).hasSize(1);
    assertThat(receiver.last(Effect.SettleAnswered.class).refusals()).isNull();
  }
}
