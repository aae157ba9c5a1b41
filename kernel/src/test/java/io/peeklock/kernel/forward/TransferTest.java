package io.peeklock.kernel.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.forward.ForwardFixture.Content;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.transaction.TransactionFixture;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that are sent via one entity to another that does not take them now. */
class TransferTest {

  private static final QueueDefinition BILLS = QueueDefinition.named("bills");
  private static final Outcome DISABLED = new Outcome(new Refusal.EntityDisabled());
  private static final Outcome MISSING = new Outcome(new Refusal.EntityNotFound());

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final ForwardFixture forwards = new ForwardFixture(shard);
  private final QueueFixture orders = forwards.queue("orders");

  private static QueueDefinition small(QueueDefinition definition) {
    return definition.with().maxSizeBytes(250).build();
  }

  private Decision send(QueueFixture to, boolean atomic, int... sizes) {
    return send(to, atomic, new long[sizes.length], sizes);
  }

  private Decision send(QueueFixture to, boolean atomic, long[] due, int... sizes) {
    SendBurst burst =
        new SendBurst(
            sizes.length,
            sizes,
            new int[sizes.length],
            TransactionFixture.forever(sizes),
            due,
            null,
            null);
    return shard.ask(
        new Request.Send(new Asker(), new Note(), to.id, burst, atomic, false, orders.id));
  }

  private Outcome sendOne(QueueFixture to) {
    return QueueFixture.whole(send(to, false, QueueFixture.SIZE));
  }

  private void set(QueueDefinition definition, EntityStatus status) {
    shard.ask(
        new EntityRequest.UpdateQueue(
            new Asker(), new Note(), definition.with().status(status).build()));
  }

  private void delete(String path) {
    shard.ask(new EntityRequest.DeleteQueue(new Asker(), new Note(), path));
  }

  private EntityCounts counts(QueueFixture queue) {
    Decision decision =
        shard.ask(new EntityRequest.CountMessages(new Asker(), new Note(), List.of(queue.id)));
    return Objects.requireNonNull(
        ShardFixture.only(decision, Effect.MessagesCounted.class).counts().getFirst());
  }

  /** Tells stories about the transfer dead-letter queue of the entity that messages go via. */
  private QueueFixture lost() {
    QueueDefinition home = QueueRole.Transfers.of(QueueDefinition.named("orders"), null);
    return QueueFixture.of(shard, home).deadLetters();
  }

  @Test
  @Rule("S-301")
  void asARuleAMessageIsAtItsDestinationAtOnceAndNothingElseIsMade() {
    QueueFixture bills = QueueFixture.of(shard, BILLS);

    assertThat(sendOne(bills)).isEqualTo(Outcome.DONE);

    assertThat(bills.peek()).extracting(Received::enqueuedNumber).containsExactly(0L);
    assertThat(orders.peek()).isEmpty();
    assertThat(shard.machine.queues()).hasSize(2);
  }

  @Test
  @Rule({"S-303", "S-205", "S-489"})
  void aDisabledDestinationMakesTransferDeadLettersOfTheEntityOnTheWay() {
    QueueFixture bills = QueueFixture.of(shard, BILLS);
    set(BILLS, EntityStatus.SEND_DISABLED);

    assertThat(QueueFixture.whole(send(bills, true, 100, 100))).isEqualTo(Outcome.DONE);

    assertThat(bills.peek()).isEmpty();
    assertThat(orders.deadLetters().peek()).isEmpty();
    assertThat(lost().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.FORWARDING_FAILED, DeadLetterCause.FORWARDING_FAILED);
    assertThat(counts(orders))
        .isEqualTo(new EntityCounts(0, 0, 0, 0, 0, 0, 2, 200, shard.nowMillis + 1, 0, 0));
    Received first = lost().peekLock();
    assertThat(lost().complete(first)).isEqualTo(Outcome.DONE);
    assertThat(counts(orders).transferDeadLetters()).isEqualTo(1);
    set(BILLS, EntityStatus.ACTIVE);
    assertThat(sendOne(bills)).isEqualTo(Outcome.DONE);
    assertThat(bills.peek()).as("what died is not picked up").hasSize(1);
  }

  @Test
  @Rule({"S-305", "S-306", "S-489", "I-36"})
  void whatDestinationsHaveNoRoomForWaitsInOrderAndIsCounted() {
    QueueFixture bills = QueueFixture.of(shard, small(BILLS));
    assertThat(QueueFixture.whole(send(bills, true, 100, 100))).isEqualTo(Outcome.DONE);

    assertThat(sendOne(bills)).isEqualTo(Outcome.DONE);
    assertThat(QueueFixture.whole(send(bills, false, 1))).as("behind it").isEqualTo(Outcome.DONE);

    assertThat(bills.peek()).hasSize(2);
    assertThat(counts(orders))
        .isEqualTo(new EntityCounts(0, 0, 0, 0, 0, 2, 0, 101, shard.nowMillis + 1, 0, 0));
    shard.restart();
    shard.advance(Duration.ofSeconds(2));
    assertThat(bills.peek()).hasSize(2);
    bills.complete(bills.peekLock());
    shard.advance(Duration.ofSeconds(1));
    assertThat(bills.peek()).extracting(Received::size).containsExactly(100, 100, 1);
    assertThat(bills.peek()).extracting(Received::enqueuedNumber).containsOnly(0L);
    assertThat(counts(orders).transfers()).isZero();
    assertThat(counts(orders).transferDeadLetters()).isZero();
  }

  @Test
  @Rule({"S-305", "I-08"})
  void whatWaitsFillsTheEntityOnTheWay() {
    QueueFixture bills = QueueFixture.of(shard, small(BILLS));
    shard.ask(
        new EntityRequest.UpdateQueue(
            new Asker(), new Note(), small(QueueDefinition.named("orders"))));
    send(bills, true, 200);
    assertThat(QueueFixture.whole(send(bills, false, 200))).isEqualTo(Outcome.DONE);

    assertThat(sendOne(bills)).isEqualTo(new Outcome(new Refusal.QuotaExceeded(200, 250)));
    assertThat(orders.sendSized(51))
        .containsExactly(new Outcome(new Refusal.QuotaExceeded(200, 250)));
    assertThat(new TransactionFixture(shard).sendsVia(orders, bills, 51).commits())
        .isEqualTo(new Outcome(new Refusal.QuotaExceeded(200, 250)));
  }

  @Test
  @Rule("S-304")
  void aMissingDestinationOrEntityOnTheWayIsNotFound() {
    QueueFixture bills = QueueFixture.of(shard, small(BILLS));
    QueueFixture other = forwards.queue("other");
    send(bills, true, 200);
    sendOne(bills);

    delete("bills");

    assertThat(sendOne(bills)).isEqualTo(MISSING);
    shard.advance(Duration.ofSeconds(1));
    assertThat(lost().peek()).as("what was accepted is not lost").hasSize(1);
    delete("orders");
    assertThat(sendOne(other)).isEqualTo(MISSING);
    shard.advance(Duration.ZERO);
    assertThat(shard.machine.queues()).hasSize(1);
    assertThat(shard.deadBodies).hasSize(2);
  }

  @Test
  @Rule("S-422")
  void aDisabledEntityOnTheWayTakesNothing() {
    QueueFixture bills = QueueFixture.of(shard, BILLS);
    set(QueueDefinition.named("orders"), EntityStatus.DISABLED);

    assertThat(sendOne(bills)).isEqualTo(DISABLED);
  }

  @Test
  @Rule({"S-303", "S-305", "I-27"})
  void aTransactionMayGoViaAnEntityToSeveralThatDoNotTakeIt() {
    QueueFixture bills = QueueFixture.of(shard, BILLS);
    QueueFixture mails = forwards.queue("mails");
    QueueFixture full = forwards.queue(ForwardFixture.with("full").maxSizeBytes(50));
    set(BILLS, EntityStatus.DISABLED);
    set(QueueDefinition.named("mails"), EntityStatus.DISABLED);

    Outcome outcome =
        new TransactionFixture(shard)
            .sendsVia(orders, bills, 10)
            .sendsVia(orders, mails, 20)
            .sendsVia(orders, full, 60)
            .commits();

    assertThat(outcome).isEqualTo(Outcome.DONE);
    assertThat(lost().peek()).extracting(Received::size).containsExactlyInAnyOrder(10, 20);
    assertThat(counts(orders).transfers()).isEqualTo(1);
    assertThat(full.peek()).isEmpty();
  }

  @Test
  @Rule({"S-303", "S-148"})
  void aScheduledMessageWaitsForItsTimeFirst() {
    QueueFixture bills = QueueFixture.of(shard, BILLS);
    set(BILLS, EntityStatus.DISABLED);
    send(bills, false, new long[] {shard.nowMillis + 60_000}, 10);
    assertThat(counts(orders).transfers()).isEqualTo(1);
    assertThat(counts(orders).transferDeadLetters()).isZero();

    set(BILLS, EntityStatus.ACTIVE);
    shard.advance(Duration.ofMinutes(1));

    assertThat(bills.peek()).hasSize(1);
  }

  @Test
  @Rule({"S-232", "S-303", "S-193"})
  void theDestinationJudgesWhatItCanAndTheRestWhenItComes() {
    QueueFixture carts =
        forwards.queue(ForwardFixture.with("carts").requiresSession(true).maxSizeBytes(50));

    assertThat(sendOne(carts)).isEqualTo(new Outcome(new Refusal.SessionIdMissing()));

    SendBurst burst =
        new SendBurst(
            1,
            new int[] {60},
            new int[1],
            new long[] {QueueDefinition.FOREVER},
            null,
            null,
            new String[] {"a"});
    forwards.next(Content.of(null)); // the body has no session: it cannot be, and must not be lost
    shard.nowMillis++;
    shard.ask(new Request.Send(new Asker(), new Note(), carts.id, burst, false, false, orders.id));
    assertThat(lost().peek()).hasSize(1);
  }

  @Test
  @Rule({"S-303", "S-305"})
  void nobodySendsToTheQueuesWhereTransfersWait() {
    QueueFixture home =
        QueueFixture.of(shard, QueueRole.Transfers.of(QueueDefinition.named("orders"), null));

    assertThat(home.sendSized(1)).containsExactly(MISSING);
  }

  @Test
  @Rule("S-062")
  void transfersOfWhatIsNotThereAreNotMade() {
    Request create =
        new Request.CreateQueue(
            new Asker(),
            new Note(),
            QueueRole.Transfers.of(QueueDefinition.named("nowhere"), null));

    assertThat(QueueFixture.whole(shard.ask(create))).isEqualTo(MISSING);
  }

  @Test
  @Rule({"S-311", "I-34"})
  void whatIsOnItsWayKeepsAnEntityFromBeingIdle() {
    QueueFixture bills = QueueFixture.of(shard, small(BILLS));
    shard.ask(
        new EntityRequest.UpdateQueue(
            new Asker(),
            new Note(),
            QueueDefinition.named("orders").with().autoDeleteOnIdleMillis(300_000).build()));
    send(bills, true, 200);
    sendOne(bills);

    shard.advance(Duration.ofMinutes(11));

    assertThat(counts(orders).transfers()).isEqualTo(1);
    delete("bills");
    shard.advance(Duration.ofSeconds(1));
    shard.advance(Duration.ofMinutes(5));
    assertThat(shard.machine.queues()).as("dead letters do not").isEmpty();
  }

  @Test
  @Rule({"S-292", "S-305"})
  void theWayFromTheTransfersToTheDestinationIsNoHop() {
    QueueFixture end = forwards.queue("f");
    forwards.queue("e", "f");
    forwards.queue("d", "e");
    forwards.queue("c", "d");
    QueueFixture bills = QueueFixture.of(shard, small(BILLS));
    send(bills, true, 200);
    sendOne(bills);
    assertThat(counts(orders).transfers()).as("there is no room").isEqualTo(1);

    shard.ask(
        new EntityRequest.UpdateQueue(
            new Asker(), new Note(), small(BILLS).with().forwardTo("c").build()));
    shard.advance(Duration.ofSeconds(1));

    assertThat(end.peek()).as("both after four hops").hasSize(2);
  }

  @Test
  @Rule("S-305")
  void eachDestinationIsTriedAgainAtItsOwnTime() {
    QueueFixture bills = QueueFixture.of(shard, small(BILLS));
    QueueFixture mails = QueueFixture.of(shard, small(QueueDefinition.named("mails")));
    send(bills, true, 200);
    send(mails, true, 200);
    sendOne(bills);
    shard.advance(Duration.ofMillis(600));
    sendOne(mails);
    bills.complete(bills.peekLock());
    mails.complete(mails.peekLock());

    shard.advance(Duration.ofMillis(400));
    assertThat(bills.peek()).hasSize(1);
    assertThat(mails.peek()).as("its second is not over").isEmpty();
    shard.advance(Duration.ofMillis(600));
    assertThat(mails.peek()).hasSize(1);
  }
}
