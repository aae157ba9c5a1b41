package io.peeklock.kernel.transaction;

import static io.peeklock.kernel.session.SessionStateTest.setting;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** States of sessions that are set with the rest of a transaction, or not at all. */
class TransactedStateTest {
  private static final Outcome SESSION_LOST = new Outcome(new Refusal.SessionLockLost());

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final QueueFixture queue =
      QueueFixture.of(
          shard,
          Definitions.lockDuration(ofSeconds(30))
              .withSession(true)
              .with()
              .maxSizeBytes(1_000)
              .build());

  private long stateBody(Consumer holder, String session) {
    var get = new Request.GetSessionState(new Asker(), new Note(), queue.id, session, holder.asker);
    return ShardFixture.only(shard.ask(get), Effect.SessionStateRead.class).bodyId();
  }

  private Received first(Consumer holder) {
    holder.wants(1);
    return holder.gets().getFirst();
  }

  @Test
  @Rule({"S-525", "S-379", "I-27"})
  void theStatesOfTwoSessionsAreSetWithTheSettlementOfTheirMessages() {
    queue.sendTo("a");
    Consumer a = queue.accepts("a", ZERO);
    Consumer b = queue.accepts("b", ZERO);
    TransactionFixture transaction = new TransactionFixture(shard);
    assertThat(transaction.completes(queue, first(a))).isEqualTo(Outcome.DONE);
    transaction.sets(setting(queue, a.asker, "a", 10)).sets(setting(queue, b.asker, "b", 20));

    assertThat(transaction.commits()).isEqualTo(Outcome.DONE);

    assertThat(queue.counts().active()).isZero();
    assertThat(stateBody(a, "a")).isPositive();
    assertThat(stateBody(b, "b")).isGreaterThan(stateBody(a, "a"));
  }

  @Test
  @Rule({"S-525", "S-255"})
  void aStateIsClearedByTheCommitAndClearingNoneIsNoFact() {
    Consumer a = queue.accepts("a", ZERO);
    Consumer b = queue.accepts("b", ZERO);
    assertThat(new TransactionFixture(shard).sets(setting(queue, a.asker, "a", 10)).commits())
        .isEqualTo(Outcome.DONE);
    TransactionFixture transaction =
        new TransactionFixture(shard)
            .sets(setting(queue, a.asker, "a", -1))
            .sets(setting(queue, b.asker, "b", -1));

    var decision = shard.ask(transaction.commit());

    assertThat(decision.facts()).hasSize(1).first().isInstanceOf(Fact.SessionStateSet.class);
    assertThat(stateBody(a, "a")).isZero();
  }

  @Test
  @Rule({"S-525", "S-399", "I-27"})
  void aSessionThatIsLostBeforeTheCommitRefusesAllOfIt() {
    queue.sendTo("a");
    Consumer a = queue.accepts("a", ZERO);
    Consumer b = queue.accepts("b", ZERO);
    TransactionFixture transaction = new TransactionFixture(shard);
    transaction.completes(queue, first(a));
    transaction.sets(setting(queue, a.asker, "a", 10)).sets(setting(queue, b.asker, "b", 20));
    b.closes();

    assertThat(transaction.commits()).isEqualTo(SESSION_LOST);

    assertThat(stateBody(a, "a")).isZero();
    assertThat(queue.counts().active()).isEqualTo(1);
  }

  @Test
  @Rule({"S-525", "S-256"})
  void statesOfOneCommitFillTheQueueInSum() {
    Consumer a = queue.accepts("a", ZERO);
    Consumer b = queue.accepts("b", ZERO);

    Outcome tooMuch =
        new TransactionFixture(shard)
            .sets(setting(queue, a.asker, "a", 600))
            .sets(setting(queue, b.asker, "b", 600))
            .commits();

    assertThat(tooMuch.refusal()).isInstanceOf(Refusal.QuotaExceeded.class);
    assertThat(stateBody(a, "a")).isZero();
  }

  @Test
  @Rule("S-525")
  void whetherAStateCanBeSetIsToldBeforeTheCommit() {
    Consumer a = queue.accepts("a", ZERO);

    var fits = shard.ask(new TransactionRequest.CheckSessionState(setting(queue, a.asker, "a", 9)));
    var not = shard.ask(new TransactionRequest.CheckSessionState(setting(queue, null, "a", 9)));

    ShardFixture.only(fits, Effect.SessionStateStored.class);
    assertThat(fits.facts()).isEmpty();
    assertThat(QueueFixture.whole(not)).isEqualTo(SESSION_LOST);
  }

  @Test
  @Rule({"S-399", "S-062"})
  void aQueueThatIsGoneAtTheCommitRefusesAllOfIt() {
    QueueFixture other = QueueFixture.of(shard, QueueDefinition.named("other"));
    other.send(1);
    TransactionFixture transaction = new TransactionFixture(shard);
    transaction.completes(other, other.peekLock());
    shard.ask(new EntityRequest.DeleteQueue(new Asker(), new Note(), "other"));

    assertThat(transaction.commits()).isEqualTo(new Outcome(new Refusal.EntityNotFound()));
    assertThat(new TransactionFixture(shard).sends(other, 1).commits())
        .isEqualTo(new Outcome(new Refusal.EntityNotFound()));
  }
}
