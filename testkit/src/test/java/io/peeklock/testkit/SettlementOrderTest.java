package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Submission;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A settlement that must read earlier changes first keeps its place among its sender's requests.
 */
class SettlementOrderTest {
  private final ShardFixture fixture = new ShardFixture();
  private final ShardFixture.Client client = fixture.client();
  private final QueueId queue = fixture.queue("q");

  private void settleWith(String changes, Settlement settlement, long... lockIds) {
    settleWith(client, queue, changes, settlement, lockIds);
  }

  private void settleWith(
      ShardFixture.Client who, QueueId at, String changes, Settlement how, long... lockIds) {
    var overlay = changes.getBytes(StandardCharsets.UTF_8);
    var settle =
        new Request.Settle(
            who,
            new ShardFixture.Note(changes),
            at,
            how,
            lockIds,
            lockIds.length,
            false,
            new Overlay(overlay.length, 0));
    fixture.shard.submit(new Submission(settle, null, overlay));
    fixture.shardExecutor.settle();
  }

  /** A message that has changed properties, and is locked again. */
  private long[] changedOnce() {
    client.send(queue, "message");
    client.receive(queue, ReceiveMode.PEEK_LOCK, 9);
    settleWith("a", Settlement.ABANDON, client.lockIds());
    return client.lockIds();
  }

  @Test
  @Rule("S-082")
  void whatComesBehindItIsDecidedAfterIt() {
    var lock = changedOnce();
    fixture.journal.holdLoads();

    settleWith("b", Settlement.ABANDON, lock);
    client.settle(queue, Settlement.COMPLETE, lock);
    fixture.client().send(queue, "of another client");
    fixture.journal.letLoadsGo();
    fixture.shardExecutor.settle();

    assertThat(client.last(Effect.SettleAnswered.class).refusals()).isNotNull();
    assertThat(fixture.messages(queue)).containsExactly("message", "of another client", "ab");
    assertThat(fixture.journal.leaks()).isZero();
  }

  @Test
  @Rule({"S-082", "S-245"})
  void aSessionThatIsGivenBackRightBehindItIsGivenBackAfterIt() {
    var sessions = fixture.queue(QueueDefinition.named("s").withSession(true));
    client.sendInSession(sessions, "one", "message");
    accept(sessions);
    settleWith(client, sessions, "a", Settlement.ABANDON, client.lockIds());
    var lock = client.lockIds();
    fixture.journal.holdLoads();

    settleWith(client, sessions, "b", Settlement.DEAD_LETTER, lock);
    client.ask(new Request.CloseReceiver(client));
    fixture.shardExecutor.settle();
    fixture.journal.letLoadsGo();
    fixture.shardExecutor.settle();

    assertThat(client.last(Effect.SettleAnswered.class).refusals()).isNull();
    assertThat(fixture.messages(sessions)).isEmpty();
  }

  private void accept(QueueId sessions) {
    client.ask(
        new Request.AcceptSession(
            client,
            new ShardFixture.Note("accept"),
            sessions,
            "one",
            ReceiveMode.PEEK_LOCK,
            1_000));
    client.ask(new Request.Flow(client, 9, false));
    fixture.shardExecutor.settle();
  }

  @Test
  @Rule("S-082")
  void oneWhoseReadFailsIsGivenUpAndTheOthersGoOn() {
    var lock = changedOnce();
    fixture.journal.holdLoads();
    settleWith("b", Settlement.ABANDON, lock);
    client.settle(queue, Settlement.COMPLETE, lock);

    fixture.journal.failLoads(1);
    fixture.journal.letLoadsGo();
    fixture.shardExecutor.settle();

    assertThat(client.troubles).hasSize(1);
    assertThat(client.last(Effect.SettleAnswered.class).refusals()).isNull();
    assertThat(fixture.messages(queue)).isEmpty();
  }

  @Test
  @Rule("S-082")
  void oneWhoseReadIsNotAnsweredIsTold() {
    var lock = changedOnce();
    fixture.journal.holdLoads();
    settleWith("b", Settlement.ABANDON, lock);

    fixture.advance(Duration.ofSeconds(3));

    assertThat(fixture.shard.standing())
        .hasValueSatisfying(it -> assertThat(it).contains("Settling with changed properties"));
    fixture.journal.letLoadsGo();
    fixture.shardExecutor.settle();
    assertThat(fixture.shard.standing()).isEmpty();
  }

  @Test
  @Rule("S-082")
  void whatWaitsIsForgottenWithItsTerm() {
    var lock = changedOnce();
    fixture.journal.holdLoads();
    settleWith("b", Settlement.ABANDON, lock);
    client.send(queue, "behind it");
    var told = client.told.size();

    fixture.journal.loseLeadership(0);
    fixture.shardExecutor.settle();
    fixture.journal.letLoadsGo();
    fixture.shardExecutor.settle();

    assertThat(client.told).hasSize(told);
    assertThat(fixture.messages(queue)).containsExactly("message", "a");
    assertThat(fixture.journal.leaks()).isZero();
  }

  @Test
  void whatWaitedBehindItDoesNotComeBeforeAllOthers() {
    var lock = changedOnce();
    fixture.journal.holdLoads();
    settleWith("b", Settlement.ABANDON, lock);
    for (var i = 0; i < 500; i++) {
      client.ask(
          new Request.ListSessions(
              client, new ShardFixture.Note("list"), queue, Long.MAX_VALUE, 0, 0, 100));
    }
    fixture.shardExecutor.settle();
    var told = client.told.size();
    fixture.clock.slowWork(Duration.ofMillis(1));
    var innocent = fixture.client();
    var answeredBehind = new int[1];
    innocent.whenTold = () -> answeredBehind[0] = client.told.size() - told;

    fixture.journal.letLoadsGo();
    innocent.send(queue, "of another client");

    assertThat(answeredBehind[0]).isLessThan(10);
    assertThat(client.told).filteredOn(Effect.SessionsListed.class::isInstance).hasSize(500);
  }
}
