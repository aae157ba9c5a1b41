package io.peeklock.kernel.transaction;

import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.Outcome.LOST;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sends and settlements that happen together or not at all. */
class TransactionTest {

  private static final Duration LOCK =
      Duration.ofMillis(Definitions.defaults().lockDurationMillis());

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final QueueFixture orders = QueueFixture.of(shard, Definitions.defaults());
  private final QueueFixture bills = QueueFixture.of(shard, QueueDefinition.named("bills"));
  private final TransactionFixture transaction = new TransactionFixture(shard);

  @Test
  @Rule({"S-376", "S-379", "S-390", "I-27"})
  void whatIsCommittedHappensTogetherInOrderAndInOneBatch() {
    orders.send(5);
    List<Received> messages = orders.peekLock(5);
    transaction.completes(orders, messages.get(0));
    transaction.settles(Settlement.ABANDON, orders, messages.get(1));
    transaction.settles(Settlement.DEFER, orders, messages.get(2));
    transaction.settles(Settlement.DEAD_LETTER, orders, messages.get(3));
    transaction.settles(Settlement.RELEASE, orders, messages.get(4));
    transaction.sends(bills, 2).sends(orders, 3);
    int logged = shard.log.size();

    assertThat(transaction.commits()).isEqualTo(DONE);
    long batch = shard.index;

    assertThat(numbers(orders.peek())).containsExactly(2L, 3L, 5L, 6L, 7L, 8L);
    assertThat(orders.peek()).extracting(Received::deliveryCount).containsExactly(1, 1, 0, 0, 0, 0);
    assertThat(orders.peek().get(1).state()).isEqualTo(MessageState.DEFERRED);
    assertThat(numbers(orders.deadLetters().peek())).containsExactly(4L);
    assertThat(orders.deadLetters().peek().getFirst().cause()).isEqualTo(DeadLetterCause.RECEIVER);
    assertThat(numbers(bills.peek())).containsExactly(1L, 2L);
    assertThat(orders.counts().locked()).isZero();
    assertThat(shard.log.subList(logged, shard.log.size()))
        .extracting(ShardFixture.Logged::index)
        .containsOnly(batch);
  }

  @Test
  @Rule({"S-379", "S-380", "I-28"})
  void nothingIsSeenBeforeTheCommitAndNothingIsLogged() {
    orders.send(1);
    Received message = orders.peekLock();
    int logged = shard.log.size();

    transaction.sends(bills, 1).completes(orders, message);

    assertThat(bills.peek()).isEmpty();
    assertThat(orders.counts().locked()).isOne();
    assertThat(orders.peek()).hasSize(1);
    assertThat(shard.log).hasSize(logged);
  }

  @Test
  @Rule({"S-380", "S-381", "I-28"})
  void aRollbackLeavesTheLockAsItWasAndTheTokenGood() {
    orders.send(3);
    List<Received> messages = orders.peekLock(3);
    transaction.sends(bills, 1);
    transaction.completes(orders, messages.get(0), messages.get(1));
    int logged = shard.log.size();

    assertThat(transaction.rollsBack()).isEqualTo(DONE);

    assertThat(shard.log).hasSize(logged);
    assertThat(bills.peek()).isEmpty();
    assertThat(orders.complete(messages.get(0))).isEqualTo(DONE);
    assertThat(orders.abandon(messages.get(1))).isEqualTo(DONE);
    assertThat(orders.peekLock().deliveryCount()).isOne();
  }

  @Test
  @Rule({"S-383", "S-384", "I-17"})
  void aTokenThatIsInATransactionIsGoodForNothingElseAndAfterItsCommitForNothing() {
    orders.send(1);
    Received message = orders.peekLock();
    TransactionFixture other = new TransactionFixture(shard);
    transaction.completes(orders, message);

    assertThat(orders.complete(message)).isEqualTo(LOST);
    assertThat(orders.abandon(message)).isEqualTo(LOST);
    assertThat(other.completes(orders, message)).isEqualTo(LOST);
    assertThat(transaction.completes(orders, message)).isEqualTo(LOST);
    assertThat(transaction.commits()).isEqualTo(DONE);
    assertThat(orders.complete(message)).isEqualTo(LOST);
    assertThat(orders.peek()).isEmpty();
  }

  @Test
  @Rule("S-383")
  void aTokenNamedTwiceInOneSettlementEnlistsNothing() {
    orders.send(2);
    List<Received> messages = orders.peekLock(2);

    assertThat(transaction.completes(orders, messages.get(0), messages.get(1), messages.get(0)))
        .isEqualTo(LOST);

    assertThat(orders.complete(messages.get(0))).isEqualTo(DONE);
    assertThat(orders.complete(messages.get(1))).isEqualTo(DONE);
  }

  @Test
  @Rule("S-382")
  void aLockInATransactionDoesNotLapseBeforeItsEnd() {
    orders.send(2);
    List<Received> messages = orders.peekLock(2);
    transaction.completes(orders, messages.get(0));

    shard.advance(LOCK.plusSeconds(1));

    assertThat(numbers(orders.peekLock(5))).containsExactly(2L);
    assertThat(transaction.commits()).isEqualTo(DONE);
    assertThat(numbers(orders.peek())).containsExactly(2L);
  }

  @Test
  @Rule("S-382")
  void aRollbackPastLockedUntilCountsAndFreesTheMessage() {
    orders.send(3);
    List<Received> messages = orders.peekLock(3);
    transaction.completes(orders, messages.get(0), messages.get(2));
    shard.advance(LOCK.plusSeconds(1));

    transaction.rollsBack();
    shard.tickWhileDue();

    assertThat(orders.complete(messages.get(0))).isEqualTo(LOST);
    assertThat(orders.peekLock(5)).extracting(Received::deliveryCount).containsExactly(1, 1, 1);
  }

  @Test
  @Rule({"S-381", "S-033"})
  void aRolledBackLockLapsesInItsTurnAmongOthers() {
    orders.send(4);
    Received first = orders.peekLock();
    shard.advance(Duration.ofSeconds(1));
    Received second = orders.peekLock();
    shard.advance(Duration.ofSeconds(1));
    Received third = orders.peekLock();
    shard.advance(Duration.ofSeconds(1));
    orders.peekLock();
    transaction.completes(orders, first, third);
    transaction.completes(orders, second);
    transaction.rollsBack();

    shard.advance(LOCK.minusSeconds(3));
    assertThat(numbers(orders.peekLock(5))).containsExactly(1L);
    shard.advance(Duration.ofSeconds(1));
    assertThat(numbers(orders.peekLock(5))).containsExactly(2L);
    shard.advance(Duration.ofSeconds(1));
    assertThat(numbers(orders.peekLock(5))).containsExactly(3L);
  }

  @Test
  @Rule("S-377")
  void aLockInATransactionIsRenewedAtOnce() {
    orders.send(1);
    Received message = orders.peekLock();
    transaction.completes(orders, message);
    shard.advance(LOCK.minusSeconds(1));

    assertThat(orders.renew(message)).isEqualTo(DONE);
    shard.advance(Duration.ofSeconds(2));
    transaction.rollsBack();

    assertThat(orders.complete(message)).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-399", "S-278", "I-27", "I-08"})
  void aRefusalOfTheLastPartLeavesNoTraceOfTheFirst() {
    QueueFixture small =
        QueueFixture.of(
            shard,
            new QueueDefinition("small", 60_000, 10, QueueDefinition.FOREVER, true, 250, 250));
    orders.send(1);
    Received message = orders.peekLock();
    transaction.completes(orders, message);
    transaction.sends(bills, 1).sends(small, 3);
    int logged = shard.log.size();

    assertThat(transaction.commits().refusal()).isInstanceOf(Refusal.QuotaExceeded.class);

    assertThat(shard.log).hasSize(logged);
    assertThat(bills.peek()).isEmpty();
    assertThat(orders.complete(message)).isEqualTo(DONE);
    assertThat(new TransactionFixture(shard).sends(small, 2).commits()).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-277", "S-278"})
  void idsCountOnceInATransactionAndOnlyWhenItIsCommitted() {
    QueueFixture once =
        QueueFixture.of(shard, QueueDefinition.named("once").withDuplicateWindow(60_000));
    long[] hashes = {7, 7, 8, 8, 7, 7};
    SendBurst burst =
        new SendBurst(
            3,
            new int[] {10, 10, 10},
            new int[3],
            TransactionFixture.forever(1, 1, 1),
            null,
            hashes,
            null);
    TransactionFixture rolledBack = new TransactionFixture(shard).sends(once, burst);
    rolledBack.rollsBack();

    Decision decision = shard.ask(transaction.sends(bills, 1).sends(once, burst).commit());

    assertThat(decision.keptBodies()).containsExactly(true, true, true, false);
    assertThat(once.peek()).hasSize(2);
    assertThat(new TransactionFixture(shard).sends(once, burst).commits()).isEqualTo(DONE);
    assertThat(once.peek()).hasSize(2);
  }

  @Test
  @Rule("S-082")
  void changedPropertiesAreStoredWithTheCommitAndContainTheEarlierOnes() {
    orders.send(3);
    orders.settleChanging(Settlement.ABANDON, orders.peekLock(), 40);
    List<Received> messages = orders.peekLock(3);
    long earlier = messages.get(0).overlayId();
    transaction.settlesChanging(Settlement.ABANDON, orders, messages.get(0), 60);
    transaction.settlesChanging(Settlement.COMPLETE, orders, messages.get(1), 50);
    transaction.settlesChanging(Settlement.DEAD_LETTER, orders, messages.get(2), 30);
    transaction.sends(bills, 1);

    Decision decision = shard.ask(transaction.commit());

    assertThat(decision.keptBodies()).containsExactly(true, false, true, true);
    assertThat(earlier).isPositive();
    assertThat(shard.deadBodies).contains(earlier);
    assertThat(orders.peek().getFirst().overlayId()).isGreaterThan(earlier);
    assertThat(bills.peek().getFirst().bodyId())
        .isEqualTo(orders.deadLetters().peek().getFirst().overlayId() + 1);
  }

  @Test
  @Rule({"S-160", "S-154"})
  void aCancellationHappensWithTheCommitOrNotAtAll() {
    long due = shard.nowMillis + 60_000;
    long[] numbers = orders.schedule(due, due, due);
    new TransactionFixture(shard).cancels(orders, numbers[0]).rollsBack();
    assertThat(orders.counts().scheduled()).isEqualTo(3);

    assertThat(transaction.cancels(orders, numbers[0], numbers[1], numbers[0]).commits())
        .isEqualTo(DONE);

    assertThat(orders.counts().scheduled()).isOne();
    TransactionFixture late = new TransactionFixture(shard).sends(bills, 1);
    assertThat(late.cancels(orders, numbers[2], numbers[1]).commits().refusal())
        .isInstanceOf(Refusal.ScheduledMessagesNotFound.class);
    assertThat(bills.peek()).isEmpty();
    assertThat(orders.counts().scheduled()).isOne();
  }

  @Test
  @Rule({"S-400", "S-404", "S-231"})
  void messagesForSeveralSessionsAreSentInOneTransaction() {
    QueueFixture sessions =
        QueueFixture.of(shard, QueueDefinition.named("sessions").withSession(true));
    SendBurst burst =
        new SendBurst(
            2,
            new int[] {10, 10},
            new int[2],
            TransactionFixture.forever(1, 1),
            null,
            null,
            new String[] {"red", "blue"});

    assertThat(transaction.sends(sessions, burst).commits()).isEqualTo(DONE);

    assertThat(sessions.accepts("blue", Duration.ZERO).wants(5).gets()).hasSize(1);
    assertThat(sessions.accepts("red", Duration.ZERO).wants(5).gets()).hasSize(1);
    Outcome without = new TransactionFixture(shard).sends(sessions, 1).commits();
    assertThat(without.refusal()).isInstanceOf(Refusal.SessionIdMissing.class);
  }

  @Test
  @Rule({"S-245", "S-251", "I-26"})
  void aSessionThatWasLostTakesItsMessagesOutOfTheTransaction() {
    QueueFixture sessions =
        QueueFixture.of(shard, QueueDefinition.named("sessions").withSession(true));
    sessions.sendTo("red", "red");
    Consumer holder = sessions.accepts("red", Duration.ZERO).wants(2);
    List<Received> messages = holder.gets();
    transaction.sends(bills, 1).completes(sessions, messages.get(0));

    holder.closes();

    assertThat(transaction.commits().refusal()).isInstanceOf(Refusal.SessionLockLost.class);
    assertThat(bills.peek()).isEmpty();
    assertThat(sessions.accepts("red", Duration.ZERO).wants(5).gets()).hasSize(2);
  }

  @Test
  @Rule({"S-128", "S-382"})
  void aSessionLockEndsInItsTimeWhateverTransactionsItsMessagesAreIn() {
    QueueFixture sessions =
        QueueFixture.of(shard, QueueDefinition.named("sessions").withSession(true));
    sessions.sendTo("red");
    Consumer holder = sessions.accepts("red", Duration.ZERO).wants(1);
    transaction.completes(sessions, holder.gets().getFirst());

    shard.passes(Duration.ofMinutes(10));
    assertThat(transaction.commits().refusal()).isInstanceOf(Refusal.SessionLockLost.class);
    shard.tickWhileDue();

    assertThat(holder.lostItsSession()).isTrue();
    assertThat(sessions.peek().getFirst().deliveryCount()).isOne();
  }

  @Test
  @Rule({"S-184", "S-185"})
  void deadLettersAreSettledInTransactionsButDoNotDieAgain() {
    orders.send(2);
    orders.peekLock(2).forEach(orders::deadLetter);
    QueueFixture deadLetters = orders.deadLetters();
    List<Received> dead = deadLetters.peekLock(2);

    assertThat(transaction.settles(Settlement.DEAD_LETTER, deadLetters, dead.get(0)).refusal())
        .isInstanceOf(Refusal.AlreadyDeadLettered.class);
    assertThat(transaction.completes(deadLetters, dead.get(0))).isEqualTo(DONE);
    assertThat(transaction.sends(orders, 1).commits()).isEqualTo(DONE);

    assertThat(numbers(deadLetters.peek())).containsExactly(2L);
    assertThat(orders.peek()).hasSize(1);
    Outcome toTheDead = new TransactionFixture(shard).sends(deadLetters, 1).commits();
    assertThat(toTheDead.refusal()).isInstanceOf(Refusal.EntityNotFound.class);
  }

  @Test
  @Rule("S-126")
  void theLastAttemptDeadLettersAndAnExpiredMessageExpiresInATransactionToo() {
    QueueFixture strict =
        QueueFixture.of(
            shard,
            new QueueDefinition(
                "strict", 60_000, 1, QueueDefinition.FOREVER, true, 1 << 20, 1 << 20));
    strict.send(1);
    strict.sendLiving(Duration.ofSeconds(5));
    List<Received> messages = strict.peekLock(2);
    transaction.settles(Settlement.ABANDON, strict, messages.get(0));
    transaction.settlesChanging(Settlement.RELEASE, strict, messages.get(1), 10);
    shard.advance(Duration.ofSeconds(6));

    assertThat(transaction.commits()).isEqualTo(DONE);

    assertThat(strict.peek()).isEmpty();
    assertThat(strict.deadLetters().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED, DeadLetterCause.TTL_EXPIRED);
  }

  @Test
  @Rule({"S-062", "S-398"})
  void queuesThatAreNotThereRefuseAndUnknownTransactionsKeepNothing() {
    QueueId nowhere = new QueueId(77);
    Request.Send lost =
        new Request.Send(
            new Asker(),
            null,
            nowhere,
            new SendBurst(1, new int[1], new int[1], new long[1]),
            true);

    assertThat(transaction.settles(Settlement.COMPLETE, nowhere, null, 1L).refusal())
        .isInstanceOf(Refusal.EntityNotFound.class);
    assertThat(transaction.rollsBack()).isEqualTo(DONE);
    assertThat(transaction.commits()).isEqualTo(DONE);
    TransactionRequest.Commit commit = transaction.commit();
    Request.Settle settle =
        new Request.Settle(
            commit.origin(), null, nowhere, Settlement.COMPLETE, new long[] {1}, 1, false, null);
    assertThat(TransactionFixture.end(shard.ask(with(commit, settle))).refusal())
        .isInstanceOf(Refusal.EntityNotFound.class);
    assertThat(TransactionFixture.end(shard.ask(with(commit, lost))).refusal())
        .isInstanceOf(Refusal.EntityNotFound.class);
  }

  private static TransactionRequest.Commit with(
      TransactionRequest.Commit commit, Request.Settle settle) {
    return new TransactionRequest.Commit(
        commit.origin(),
        commit.ticket(),
        commit.transaction(),
        List.of(settle),
        List.of(),
        List.of());
  }

  private static TransactionRequest.Commit with(
      TransactionRequest.Commit commit, Request.Send send) {
    return new TransactionRequest.Commit(
        commit.origin(),
        commit.ticket(),
        commit.transaction(),
        List.of(),
        List.of(),
        List.of(send));
  }

  @Test
  @Rule("I-30")
  void aRollbackThatNobodyAskedForAnswersNobody() {
    orders.send(1);
    Received message = orders.peekLock();
    transaction.completes(orders, message);

    Decision decision =
        shard.ask(new TransactionRequest.Rollback(new Asker(), null, transaction, null));

    assertThat(decision.effects()).isEmpty();
    assertThat(orders.complete(message)).isEqualTo(DONE);
  }

  @Test
  void twoSendsToOneQueueOrTwoCancellationsInItAreNoCommit() {
    transaction.sends(bills, 1).sends(bills, 1);
    assertThatThrownBy(transaction::commit).isInstanceOf(IllegalArgumentException.class);

    TransactionFixture other = new TransactionFixture(shard).cancels(bills, 1).cancels(bills, 2);
    assertThatThrownBy(other::commit).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Rule({"I-27", "I-12"})
  void theLogOfACommitReplaysToTheSameState() {
    orders.send(2);
    transaction.completes(orders, orders.peekLock());
    transaction.sends(orders, 2).sends(bills, 1).commits();

    shard.restart();

    assertThat(numbers(orders.peekLock(9))).containsExactly(2L, 3L, 4L);
    assertThat(shard.log)
        .anyMatch(logged -> logged.fact() instanceof Fact.Completed)
        .anyMatch(logged -> logged.fact() instanceof Fact.Enqueued);
  }
}
