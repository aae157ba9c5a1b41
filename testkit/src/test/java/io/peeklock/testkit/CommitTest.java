package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Transaction;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Submission;
import io.peeklock.testkit.ShardFixture.Client;
import io.peeklock.testkit.ShardFixture.Note;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A commit is one batch of the log with all of its bodies, or nothing. */
class CommitTest {
  private final ShardFixture fixture = new ShardFixture();
  private final QueueId orders = fixture.queue("orders");
  private final QueueId bills = fixture.queue("bills");
  private final Client client = fixture.client();
  private final Client coordinator = fixture.client();
  private final Work transaction = new Work();

  private static final class Work implements Transaction {}

  /** Enlists a settlement of the only lock; it may change properties. */
  private Request.Settle enlist(Settlement settlement, int overlayBytes) {
    var overlay = overlayBytes == 0 ? null : new Overlay(overlayBytes, 0);
    var settle = settle(settlement, client.lockIds(), overlay);
    client.ask(new TransactionRequest.Enlist(transaction, settle));
    fixture.shardExecutor.settle();
    var answer = client.last(Effect.Enlisted.class);
    assertThat(answer.refusals()).isNull();
    var merged = overlay == null ? null : new Overlay(overlayBytes, answer.overlayId());
    return settle(settlement, settle.lockIds(), merged);
  }

  private Request.Settle settle(Settlement settlement, long[] lockIds, @Nullable Overlay overlay) {
    return new Request.Settle(
        client, new Note("enlist"), orders, settlement, lockIds, lockIds.length, false, overlay);
  }

  private void commit(Request.@Nullable Settle settle, String... texts) {
    var arena = fixture.shard.newArena();
    arena.begin();
    var sizes = new int[texts.length];
    for (var i = 0; i < texts.length; i++) {
      var bytes = texts[i].getBytes(StandardCharsets.UTF_8);
      sizes[i] = bytes.length;
      arena.reserve(bytes.length).put(bytes);
      arena.commit();
    }
    var overlays = settle == null || settle.overlay() == null ? 0 : 1;
    var count = texts.length - overlays;
    var burst =
        new SendBurst(
            count,
            Arrays.copyOfRange(sizes, overlays, texts.length),
            new int[count],
            LongStream.generate(() -> QueueDefinition.FOREVER).limit(count).toArray());
    var commit =
        new TransactionRequest.Commit(
            coordinator,
            new Note("commit"),
            transaction,
            settle == null ? List.of() : List.of(settle),
            List.of(),
            List.of(new Request.Send(coordinator, null, bills, burst, true)));
    fixture.shard.submit(new Submission(commit, arena.end(), null));
    fixture.shardExecutor.settle();
  }

  @Test
  @Rule({"I-27", "S-379"})
  void allFactsOfACommitAreInOneBatchWhateverElseIsDecidedWithIt() {
    client.send(orders, "order");
    client.receive(orders, ReceiveMode.PEEK_LOCK, 1);
    var settle = enlist(Settlement.ABANDON, 2);

    commit(settle, "ab", "bill-1", "bill-2");

    assertThat(coordinator.wasTold(Effect.TransactionEnded.class)).isTrue();
    var facts = fixture.journal.durableBatches().getLast().facts();
    assertThat(facts).anyMatch(Fact.Abandoned.class::isInstance);
    assertThat(facts).anyMatch(Fact.Enqueued.class::isInstance);
    var reader = fixture.client();
    reader.receive(bills, ReceiveMode.RECEIVE_AND_DELETE, 5);
    assertThat(reader.bodies).containsExactly(List.of("bill-1", "bill-2"));
    assertThat(fixture.journal.leaks()).isZero();
  }

  @Test
  @Rule("S-082")
  void theEarlierPropertiesComeWithTheAnswerSoThatTheNewOnesCanContainThem() {
    client.send(orders, "order");
    client.receive(orders, ReceiveMode.PEEK_LOCK, 5);
    var locks = client.lockIds();
    fixture.shard.submit(
        new Submission(
            settle(Settlement.ABANDON, locks, new Overlay(2, 0)), null, new byte[] {'h', 'i'}));
    fixture.shardExecutor.settle();
    client.bodies.clear();

    var settle = enlist(Settlement.ABANDON, 4);

    assertThat(client.bodies).containsExactly(List.of("hi"));
    commit(settle, "hiho", "bill");
    assertThat(client.bodies.getLast()).containsExactly("order", "hiho");
    assertThat(fixture.journal.leaks()).isZero();
  }

  @Test
  @Rule({"I-08", "S-399", "S-381"})
  void aStoreThatTakesNoMessagesRefusesACommitThatBringsSomeAndKeepsNoLock() {
    client.send(orders, "order");
    client.receive(orders, ReceiveMode.PEEK_LOCK, 1);
    var settle = enlist(Settlement.COMPLETE, 0);
    fixture.journal.setTakesSends(false);

    commit(settle, "bill");

    assertThat(coordinator.last(Effect.Refused.class).refusal())
        .isInstanceOf(Refusal.StoreFull.class);
    assertThat(fixture.journal.leaks()).isZero();
    client.settle(orders, Settlement.COMPLETE, client.lockIds());
    assertThat(client.last(Effect.SettleAnswered.class).refusals()).isNull();
  }

  @Test
  @Rule({"I-27", "I-29", "I-30"})
  void aCommitThatWasNotDurableIsGoneWithTheLeadershipWhollyAndItsAnswerToo() {
    client.send(orders, "order");
    client.receive(orders, ReceiveMode.PEEK_LOCK, 1);
    var settle = enlist(Settlement.COMPLETE, 0);
    fixture.journal.holdSyncs();

    commit(settle, "bill");
    fixture.journal.loseLeadership(0);
    fixture.shardExecutor.settle();

    assertThat(coordinator.wasTold(Effect.TransactionEnded.class)).isFalse();
    fixture.journal.sync();
    fixture.shardExecutor.settle();
    var ofBills = fixture.client();
    ofBills.receive(bills, ReceiveMode.PEEK_LOCK, 5);
    var ofOrders = fixture.client();
    ofOrders.receive(orders, ReceiveMode.PEEK_LOCK, 5);
    assertThat(ofBills.bodies).isEmpty();
    assertThat(ofOrders.bodies).containsExactly(List.of("order"));
  }
}
