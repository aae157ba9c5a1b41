package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.NamespaceLimits;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Transaction;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.StagedBodies;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.testkit.ShardFixture.Client;
import io.peeklock.testkit.ShardFixture.Note;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Where stored messages take all of the heap that they may, sends are refused as by a full disk,
 * and all else goes on, as there is room to write it.
 */
class FullMemoryTest {
  /** An eighth of it is more than one message takes that needs a new chunk. */
  private static final long BOUND = 1 << 20;

  private final ShardFixture fixture = new ShardFixture();
  private final Client client = fixture.new Client();
  private final Note note = new Note("asked");
  private QueueId orders = new QueueId(1);
  private @Nullable Refusal last;
  private long refusedBefore; // the last one of a fill
  private long left; // a lock of whose message nothing was changed

  @BeforeEach
  void begin() throws IOException {
    bound(BOUND);
    orders = fixture.queue("orders");
  }

  private void bound(long bytes) throws IOException {
    fixture.shard.limit(NamespaceLimits.NONE, Long.MAX_VALUE, bytes);
    fixture.shard.start();
    fixture.shardExecutor.settle();
  }

  private BudgetUse messages() {
    return fixture.shard.budgets().stream()
        .filter(use -> use.name().equals("messages"))
        .findAny()
        .orElseThrow();
  }

  /** Sends until nothing is taken for anybody; how many one queue took. */
  private int fill() {
    var sent = fill(orders);
    assertThat(last).isInstanceOf(Refusal.MemoryShareExceeded.class);
    for (var other = 0; !(last instanceof Refusal.StoreFull) && other < 20; other++) {
      fill(fixture.queue("other" + other));
    }
    assertThat(last).isInstanceOf(Refusal.StoreFull.class);
    refusedBefore = messages().refused() - 1;
    return sent;
  }

  /** Sends until one is refused; how many were taken. */
  private int fill(QueueId queue) {
    for (var sent = 0; sent < 100_000; sent++) {
      client.send(queue, "x");
      fixture.shardExecutor.settle();
      var refusals = client.last(Effect.SendAnswered.class).refusals();
      if (refusals != null) {
        last = refusals[0];
        return sent;
      }
    }
    throw new AssertionError("there is no end");
  }

  @Test
  @Rule({"I-46", "I-08"})
  void sendsAreRefusedWhenItIsFullAndTakenWhenMessagesHaveGone() {
    var sent = fill();

    assertThat(sent).isGreaterThan(500);
    assertThat(messages().taken()).isBetween(BOUND, BOUND * 5 / 4 + (32 << 10));
    assertThat(messages().refused() - refusedBefore).isEqualTo(1);
    assertThat(fixture.shard.takesSends()).isFalse();

    client.receive(orders, ReceiveMode.RECEIVE_AND_DELETE, sent);
    fixture.shardExecutor.settle();
    assertThat(fixture.shard.takesSends()).isTrue();
    client.send(orders, "again");
    fixture.shardExecutor.settle();
    assertThat(client.last(Effect.SendAnswered.class).refusals()).isNull();
  }

  @Test
  @Rule({"I-46", "I-08"})
  void afterARestartItIsAsFull() throws IOException {
    fill();

    fixture.shard.start();
    fixture.shardExecutor.settle();

    assertThat(fixture.shard.takesSends()).isFalse();
  }

  private static final class Work implements Transaction {}

  @AfterEach
  void nothingStagedIsKept() {
    assertThat(fixture.journal.leaks()).isZero();
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

  private StagedBodies staged(int bytes) {
    var arena = fixture.shard.newArena();
    arena.begin();
    arena.reserve(bytes).put(new byte[bytes]);
    arena.commit();
    return arena.end();
  }

  private Request.Settle settle(Settlement settlement, int overlayBytes) {
    return settle(settlement, overlayBytes, client.lockIds());
  }

  private Request.Settle settle(Settlement settlement, int overlayBytes, long... locks) {
    var overlay = overlayBytes == 0 ? null : new Overlay(overlayBytes, 0);
    return new Request.Settle(
        client, note, orders, settlement, locks, locks.length, false, overlay);
  }

  private QueueId games() {
    return fixture.queue(QueueDefinition.named("games").withSession(true));
  }

  private void hold(QueueId games, String session) {
    ask(new Request.AcceptSession(client, note, games, session, ReceiveMode.PEEK_LOCK, 1_000));
    client.last(Effect.SessionAccepted.class);
  }

  /** Sets or, below 0, clears the state of a session, and lets it go; whether that was done. */
  private boolean sets(QueueId games, String session, int bytes) {
    hold(games, session);
    var set = new Request.SetSessionState(client, note, games, session, client, bytes);
    ask(set, bytes < 0 ? null : staged(bytes), null);
    var done = client.wasTold(Effect.SessionStateStored.class);
    assertThat(done || refusal() instanceof Refusal.StoreFull).isTrue();
    ask(new Request.CloseReceiver(client));
    return done;
  }

  private static TransactionRequest.Commit commit(
      Client client, Note note, Work work, List<Request.Settle> settles, List<Request.Send> sends) {
    return new TransactionRequest.Commit(client, note, work, settles, List.of(), List.of(), sends);
  }

  private void receiveOneAndFill() {
    client.send(orders, "order");
    client.receive(orders, ReceiveMode.PEEK_LOCK, 1);
    fill();
  }

  @ParameterizedTest
  @EnumSource(names = {"ABANDON", "DEFER", "DEAD_LETTER", "COMPLETE"})
  @Rule({"I-08", "I-46"})
  void aSettlementThatBringsPropertiesGoesOn(Settlement settlement) {
    receiveOneAndFill();

    ask(settle(settlement, 2), null, new byte[] {'h', 'i'});

    assertThat(client.last(Effect.SettleAnswered.class).refusals()).isNull();
  }

  /** Defers one after the other with properties until that is refused. */
  private int deferUntilRefused() {
    client.receive(orders, ReceiveMode.PEEK_LOCK, 100_000);
    fixture.shardExecutor.settle();
    var deferred = 0;
    for (var lock : locks()) {
      ask(settle(Settlement.DEFER, 2, lock), null, new byte[] {'h', 'i'});
      var refusals = client.last(Effect.SettleAnswered.class).refusals();
      if (refusals != null) {
        assertThat(refusals).singleElement().isInstanceOf(Refusal.StoreFull.class);
        left = lock;
        return deferred;
      }
      deferred++;
    }
    throw new AssertionError("there is no end");
  }

  private long[] locks() {
    return client.told.stream()
        .filter(Effect.Delivered.class::isInstance)
        .flatMapToLong(
            it ->
                LongStream.of(Objects.requireNonNull(((Effect.Delivered) it).messages().lockIds())))
        .toArray();
  }

  @Test
  @Rule({"I-08", "I-46"})
  void manyThatBringPropertiesAreRefusedWhereAnEighthMoreIsTaken() {
    fill();

    assertThat(deferUntilRefused()).isGreaterThan(2_000);

    assertThat(messages().taken()).isLessThan(BOUND * 5 / 4 + (32 << 10));
    var work = new Work();
    var abandon = settle(Settlement.ABANDON, 2, left);
    ask(new TransactionRequest.Enlist(work, abandon));
    ask(commit(client, note, work, List.of(abandon), List.of()), staged(2), null);
    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);
    ask(settle(Settlement.COMPLETE, 2, left), null, new byte[] {'h', 'i'});
    assertThat(client.last(Effect.SettleAnswered.class).refusals()).isNull();
  }

  @Test
  @Rule("I-08")
  void onTheLastRoomOfTheDiskItIsTheDiskThatCounts() {
    receiveOneAndFill();
    fixture.journal.setTakesSends(false);
    fixture.journal.setOnLastRoom(true);

    ask(settle(Settlement.DEAD_LETTER, 0));

    assertThat(client.last(Effect.SettleAnswered.class).refusals())
        .singleElement()
        .isInstanceOf(Refusal.StoreFull.class);
    assertThat(messages().refused() - refusedBefore).as("for want of memory").isEqualTo(1);
  }

  @Test
  @Rule({"I-08", "S-160"})
  void whatIsScheduledIsRefusedTooAlsoInATransaction() {
    fill();

    client.schedule(orders, Duration.ofSeconds(5), "later");
    assertThat(client.last(Effect.SendAnswered.class).refusals())
        .singleElement()
        .isInstanceOf(Refusal.StoreFull.class);
    ask(new TransactionRequest.GiveNumbers(client, note, orders, 1));
    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);
    assertThat(messages().refused() - refusedBefore).isEqualTo(3);
  }

  @Test
  @Rule({"I-08", "S-399", "S-381"})
  void aCommitThatSendsIsRefusedAndOneThatOnlySettlesIsNot() {
    receiveOneAndFill();
    var work = new Work();
    var deadLetter = settle(Settlement.DEAD_LETTER, 2);
    var burst = new SendBurst(1, new int[] {1}, new int[1], new long[] {QueueDefinition.FOREVER});
    var send = new Request.Send(client, note, orders, burst, false);

    ask(commit(client, note, new Work(), List.of(), List.of(send)), staged(1), null);
    assertThat(refusal()).isInstanceOf(Refusal.StoreFull.class);

    ask(new TransactionRequest.Enlist(work, deadLetter));
    ask(commit(client, note, work, List.of(deadLetter), List.of()), staged(2), null);
    assertThat(client.wasTold(Effect.TransactionEnded.class)).isTrue();
  }

  @Test
  @Rule("I-08")
  void entitiesAndRulesAreMadeAndChanged() {
    fixture.queue(QueueDefinition.named("feed").as(new QueueRole.Topic(false)));
    var all =
        fixture.queue(
            QueueDefinition.named("feed/subscriptions/all")
                .as(new QueueRole.Subscription("feed", false)));
    fill();
    var rule = io.peeklock.kernel.entity.Rule.selectingAll(1);

    ask(new Request.CreateQueue(client, note, QueueDefinition.named("bills")));
    assertThat(client.last(Effect.QueueReady.class).created()).isTrue();
    var longer = QueueDefinition.named("orders").with().lockDurationMillis(30_000).build();
    ask(new EntityRequest.UpdateQueue(client, note, longer));
    assertThat(client.wasTold(Effect.Refused.class)).isFalse();
    ask(
        new Request.AddRule(
            client, note, all, new io.peeklock.kernel.entity.Rule("more", rule.filter(), null, 1)));
    assertThat(client.wasTold(Effect.RulesChanged.class)).isTrue();
  }

  @Test
  @Rule({"I-08", "I-46", "S-256"})
  void statesAreSetAndOnlyForMoreAndMoreSessionsThereIsAnEnd() {
    var games = games();
    assertThat(sets(games, "chess", 3)).isTrue();
    fill();
    long full = messages().taken();

    var more = 0;
    while (sets(games, "new" + more, 1)) {
      more++;
    }

    assertThat(more).as("what needs no more goes on, and some more").isGreaterThan(5);
    assertThat(messages().taken()).isLessThan(full + BOUND / 8 + (2 << 10));
    assertThat(sets(games, "chess", 5)).isTrue();
    assertThat(sets(games, "chess", -1)).isTrue();
    assertThat(sets(games, "chess", 5)).as("in its place").isTrue();
  }
}
