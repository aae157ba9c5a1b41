package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Transaction;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.StagedBodies;
import io.peeklock.runtime.Submission;
import io.peeklock.testkit.ShardFixture.Client;
import io.peeklock.testkit.ShardFixture.Note;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Without room, whatever makes the log grow and frees nothing is refused, and the rest goes on. */
class FullStoreTest {
  private static final QueueDefinition OF_ORDERS = QueueDefinition.named("orders");

  private final ShardFixture fixture = new ShardFixture();
  private final QueueId orders = fixture.queue(OF_ORDERS);
  private final QueueId games = fixture.queue(QueueDefinition.named("games").withSession(true));
  private final QueueId feed =
      fixture.queue(QueueDefinition.named("feed").as(new QueueRole.Topic(false)));
  private final QueueId all =
      fixture.queue(
          QueueDefinition.named("feed/subscriptions/all")
              .as(new QueueRole.Subscription("feed", false)));
  private final Client client = fixture.client();
  private final Note note = new Note("asked");

  private static final class Work implements Transaction {}

  @AfterEach
  void nothingStagedIsKept() {
    assertThat(fixture.journal.leaks()).isZero();
  }

  private void full() {
    fixture.journal.setTakesSends(false);
  }

  private void ask(Request request, @Nullable StagedBodies bodies, byte @Nullable [] overlay) {
    client.told.clear();
    fixture.shard.submit(new Submission(request, bodies, overlay));
    fixture.shardExecutor.settle();
  }

  private void ask(Request request) {
    ask(request, null, null);
  }

  private Refusal refusal() {
    return client.last(Effect.Refused.class).refusal();
  }

  private StagedBodies state(int bytes) {
    var arena = fixture.shard.newArena();
    arena.begin();
    arena.reserve(bytes).put(new byte[bytes]);
    arena.commit();
    return arena.end();
  }

  private Request.SetSessionState set(int bytes) {
    return new Request.SetSessionState(client, note, games, "chess", client, bytes);
  }

  private void hold() {
    client.ask(
        new Request.AcceptSession(client, note, games, "chess", ReceiveMode.PEEK_LOCK, 1_000));
    fixture.shardExecutor.settle();
    client.last(Effect.SessionAccepted.class);
  }

  private Request.Settle settle(Settlement settlement, @Nullable Note ticket, int overlayBytes) {
    var locks = client.lockIds();
    var overlay = overlayBytes == 0 ? null : new Overlay(overlayBytes, 0);
    return new Request.Settle(
        client, ticket, orders, settlement, locks, locks.length, false, overlay);
  }

  private void receiveOne() {
    client.send(orders, "order");
    client.receive(orders, ReceiveMode.PEEK_LOCK, 1);
  }

  @Test
  @Rule({"I-08", "S-256"})
  void aStateIsRefusedWhileOneMayBeClearedAndTheOldOneStays() {
    hold();
    ask(set(3), state(3), null);
    full();

    ask(set(200_000), state(200_000), null);

    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);
    ask(new Request.GetSessionState(client, note, games, "chess", client));
    assertThat(client.bodies.getLast().getFirst()).hasSize(3);
    ask(set(-1));
    assertThat(client.wasTold(Effect.SessionStateStored.class)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"ABANDON", "DEFER", "DEAD_LETTER"})
  @Rule("I-08")
  void aSettlementThatBringsPropertiesIsRefusedAndOneWithoutGoesOn(Settlement settlement) {
    receiveOne();
    var bringing = settle(settlement, note, 2);
    var plain = settle(settlement, note, 0);
    full();

    ask(bringing, null, new byte[] {'h', 'i'});

    assertThat(client.last(Effect.SettleAnswered.class).refusals())
        .singleElement()
        .isInstanceOf(Refusal.StoreFull.class);
    ask(plain);
    assertThat(client.last(Effect.SettleAnswered.class).refusals()).isNull();
  }

  @ParameterizedTest
  @EnumSource(names = {"ABANDON", "DEFER", "DEAD_LETTER"})
  @Rule("I-08")
  void onTheLastRoomOnlyWhatLetsMessagesGoIsTaken(Settlement settlement) {
    receiveOne();
    var plain = settle(settlement, note, 0);
    var complete = settle(Settlement.COMPLETE, note, 0);
    full();
    fixture.journal.setOnLastRoom(true);

    ask(plain);

    assertThat(client.last(Effect.SettleAnswered.class).refusals())
        .singleElement()
        .isInstanceOf(Refusal.StoreFull.class);
    ask(complete);
    assertThat(client.last(Effect.SettleAnswered.class).refusals()).isNull();
  }

  @Test
  @Rule("I-08")
  void onTheLastRoomAMessageIsStillReleased() {
    receiveOne();
    var release = settle(Settlement.RELEASE, note, 0);
    full();
    fixture.journal.setOnLastRoom(true);

    ask(release);

    assertThat(client.last(Effect.SettleAnswered.class).refusals()).isNull();
  }

  @Test
  @Rule({"I-08", "S-042"})
  void onTheLastRoomNothingIsWrittenForLocksThatLapse() {
    receiveOne();
    full();
    fixture.journal.setOnLastRoom(true);
    var written = fixture.journal.durableBatches().size();

    for (var i = 0; i < 20; i++) {
      fixture.advance(Duration.ofMinutes(1));
      client.receive(orders, ReceiveMode.PEEK_LOCK, i + 2);
    }

    assertThat(fixture.journal.durableBatches()).hasSize(written);
    assertThat(client.last(Effect.Delivered.class).messages().deliveryCounts()).containsExactly(0);
    ask(settle(Settlement.COMPLETE, note, 0));
    assertThat(client.last(Effect.SettleAnswered.class).refusals()).isNull();
  }

  @Test
  @Rule("I-08")
  void onTheLastRoomANamespaceIsEmptiedAndNotAgainAndAgain() {
    client.send(orders, "order");
    full();
    fixture.journal.setOnLastRoom(true);

    ask(new EntityRequest.EmptyNamespace(client, note, true));
    assertThat(client.wasTold(Effect.QueueChanged.class)).isTrue();
    ask(new EntityRequest.EmptyNamespace(client, note, true));
    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);
    ask(new EntityRequest.EmptyNamespace(client, note, false));
    assertThat(client.wasTold(Effect.QueueChanged.class)).isTrue();
  }

  @Test
  @Rule("I-08")
  void whileThereIsSomeRoomALockThatLapsesCounts() {
    receiveOne();
    full();

    fixture.advance(Duration.ofMinutes(1));
    client.receive(orders, ReceiveMode.PEEK_LOCK, 2);

    assertThat(client.last(Effect.Delivered.class).messages().deliveryCounts()).containsExactly(1);
  }

  @Test
  @Rule("I-08")
  void whatWasSettledWithoutWaitingIsAnsweredByNothingAndStaysLocked() {
    receiveOne();
    var bringing = settle(Settlement.ABANDON, null, 2);
    var complete = settle(Settlement.COMPLETE, note, 0);
    full();

    ask(bringing, null, new byte[] {'h', 'i'});

    assertThat(client.told).isEmpty();
    ask(complete);
    assertThat(client.last(Effect.SettleAnswered.class).refusals()).isNull();
  }

  @Test
  @Rule("I-08")
  void newEntitiesAndRulesAreRefusedAndThoseThatAreThereAreFound() {
    var replacing = io.peeklock.kernel.entity.Rule.selectingAll(1);
    var more = new io.peeklock.kernel.entity.Rule("more", replacing.filter(), null, 1);
    full();

    ask(new Request.CreateQueue(client, note, QueueDefinition.named("bills")));
    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);
    ask(new Request.AddRule(client, note, all, more));
    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);
    ask(new EntityRequest.ReplaceRule(client, note, all, replacing));
    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);
    var longer = OF_ORDERS.with().lockDurationMillis(30_000).build();
    ask(new EntityRequest.UpdateQueue(client, note, longer));
    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);

    ask(new Request.CreateQueue(client, note, OF_ORDERS));
    assertThat(client.last(Effect.QueueReady.class).created()).isFalse();
    ask(new Request.RemoveRule(client, note, all, "$Default"));
    assertThat(client.wasTold(Effect.RulesChanged.class)).isTrue();
  }

  @Test
  @Rule({"I-08", "S-160"})
  void schedulingIsRefusedInATransactionToo() {
    full();

    ask(new TransactionRequest.GiveNumbers(client, note, orders, 1));
    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);
    client.schedule(orders, Duration.ofSeconds(5), "later");
    assertThat(client.last(Effect.SendAnswered.class).refusals())
        .singleElement()
        .isInstanceOf(Refusal.StoreFull.class);
  }

  @Test
  @Rule({"I-08", "S-525", "S-399"})
  void aCommitThatHoldsOnlyStatesIsRefusedAndOneThatClearsThemIsNot() {
    hold();
    ask(set(3), state(3), null);
    full();

    ask(commit(List.of(), List.of(set(9))), state(9), null);

    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);
    ask(commit(List.of(), List.of(set(-1))));
    assertThat(client.wasTold(Effect.TransactionEnded.class)).isTrue();
  }

  @Test
  @Rule({"I-08", "S-399", "S-381"})
  void aCommitThatBringsPropertiesIsRefusedAndOneThatOnlyCompletesIsNot() {
    receiveOne();
    var work = new Work();
    var abandon = settle(Settlement.ABANDON, note, 2);
    var complete = settle(Settlement.COMPLETE, note, 0);
    ask(new TransactionRequest.Enlist(work, abandon));
    full();

    ask(commit(work, List.of(abandon), List.of()), state(2), null);

    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);
    ask(new TransactionRequest.Enlist(work, complete));
    ask(commit(work, List.of(complete), List.of()));
    assertThat(client.wasTold(Effect.TransactionEnded.class)).isTrue();
  }

  @Test
  @Rule("I-08")
  void whatMakesRoomGoesOn() {
    client.send(orders, "one", "two", "three", "four");
    full();

    client.receive(orders, ReceiveMode.RECEIVE_AND_DELETE, 1);
    assertThat(client.bodies.getLast()).containsExactly("one");
    ask(new EntityRequest.DeleteMessages(client, note, orders, 1, Long.MAX_VALUE, null, null));
    assertThat(client.last(Effect.MessagesDeleted.class).count()).isEqualTo(1);
    ask(new EntityRequest.DeleteQueue(client, note, "feed"));
    assertThat(client.wasTold(Effect.QueueChanged.class)).isTrue();
    assertThat(feed).isNotNull();
  }

  private TransactionRequest.Commit commit(
      List<Request.Settle> settlements, List<Request.SetSessionState> states) {
    return commit(new Work(), settlements, states);
  }

  private TransactionRequest.Commit commit(
      Transaction work, List<Request.Settle> settlements, List<Request.SetSessionState> states) {
    return new TransactionRequest.Commit(
        client, note, work, settlements, List.of(), states, List.of());
  }
}
