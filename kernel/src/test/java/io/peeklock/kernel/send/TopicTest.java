package io.peeklock.kernel.send;

import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static io.peeklock.kernel.machine.TopicFixture.Message.having;
import static io.peeklock.kernel.machine.TopicFixture.Message.plain;
import static io.peeklock.kernel.machine.TopicFixture.refusals;
import static io.peeklock.kernel.machine.TopicFixture.rule;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.snapshot.Snapshot;
import io.peeklock.kernel.transaction.TransactionFixture;
import io.peeklock.proof.Rule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A topic's message is stored once and lies in each subscription that selects it. */
class TopicTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  @Test
  @Rule({"S-053", "S-140", "S-001", "I-35"})
  void eachSubscriptionHasItsOwnCopyOfOneBody() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture audit = topic.subscription("audit");
    QueueFixture mail = topic.subscription("mail");

    Decision decision = topic.send(plain(), plain());

    assertThat(decision.facts()).hasSize(1).first().isInstanceOf(Fact.Published.class);
    assertThat(numbers(audit.peek())).containsExactly(1L, 2L);
    assertThat(mail.peek()).extracting(Received::bodyId).containsExactly(1L, 2L);
    assertThat(audit.peek()).extracting(Received::bodyId).containsExactly(1L, 2L);
    audit.complete(audit.peekLock());
    mail.abandon(mail.peekLock());
    assertThat(numbers(audit.peek())).containsExactly(2L);
    assertThat(mail.peek()).extracting(Received::deliveryCount).containsExactly(1, 0);
    assertThat(topic.topic.counts().active()).isZero();
  }

  @Test
  @Rule({"I-01", "I-02", "S-030"})
  void aBodyDiesWithItsLastCopy() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture audit = topic.subscription("audit");
    QueueFixture mail = topic.subscription("mail");
    topic.send(plain());

    audit.complete(audit.peekLock());
    assertThat(shard.deadBodies).isEmpty();
    mail.deadLetter(mail.peekLock());
    assertThat(shard.deadBodies).isEmpty();
    mail.deadLetters().complete(mail.deadLetters().peekLock());

    assertThat(shard.deadBodies).containsExactly(1L);
  }

  @Test
  @Rule({"S-054", "S-057"})
  void whatNobodySelectsIsAcceptedAndDropped() {
    TopicFixture topic = TopicFixture.of(shard);
    Decision decision = topic.send(plain());
    assertThat(refusals(decision)).isEmpty();
    assertThat(decision.keptBodies()).containsExactly(false);
    assertThat(decision.facts()).isEmpty();

    QueueFixture late = topic.subscription("late");

    assertThat(late.peek()).isEmpty();
    topic.send(plain());
    assertThat(late.peek()).hasSize(1);
  }

  @Test
  @Rule({"S-055", "S-512", "S-405"})
  void aTopicThatFiltersBeforePublishingRefusesWhatNobodySelects() {
    TopicFixture topic = TopicFixture.refusingUnmatched(shard);
    QueueFixture red = topic.subscription("red", rule("red", "colour = 'red'"));

    Decision each =
        topic.send(having("colour", "red"), having("colour", "blue"), having("colour", "red"));
    assertThat(refusals(each)).containsExactly(null, new Refusal.NoMatchingSubscription(), null);
    assertThat(each.keptBodies()).containsExactly(true, false, true);
    Decision whole = topic.sendAtomically(having("colour", "red"), having("colour", "blue"));
    assertThat(ShardFixture.only(whole, Effect.Refused.class).refusal())
        .isEqualTo(new Refusal.NoMatchingSubscription());
    assertThat(whole.facts()).isEmpty();

    assertThat(red.peek()).hasSize(2);
  }

  @Test
  @Rule({"S-145", "S-146", "S-140"})
  void copiesAreNumberedBySubscriptionAndRememberTheTopicsNumber() {
    TopicFixture topic = TopicFixture.of(shard);
    topic.subscription("all");
    QueueFixture red = topic.subscription("red", rule("red", "colour = 'red'"));

    topic.send(having("colour", "blue"), having("colour", "red"), having("colour", "blue"));
    topic.send(having("colour", "red"));

    assertThat(numbers(red.peek())).containsExactly(1L, 2L);
    assertThat(red.peek()).extracting(Received::enqueuedNumber).containsExactly(2L, 4L);
    red.deadLetter(red.peekLock());
    assertThat(red.deadLetters().peek()).extracting(Received::enqueuedNumber).containsExactly(2L);
  }

  @Test
  @Rule({"S-165", "S-164"})
  void theShortestTimeToLiveOfMessageTopicAndSubscriptionHolds() {
    QueueDefinition tenSeconds = timeToLive("events", 10_000);
    TopicFixture topic = TopicFixture.of(shard, tenSeconds);
    QueueFixture five = topic.subscription(timeToLive("five", 5_000));
    QueueFixture sixty = topic.subscription(timeToLive("sixty", 60_000));

    topic.send(plain());
    topic.sendLiving(ofSeconds(2), plain());

    long now = shard.nowMillis;
    assertThat(five.peek())
        .extracting(Received::expiresAt)
        .containsExactly(now + 5_000, now + 2_000);
    assertThat(sixty.peek())
        .extracting(Received::expiresAt)
        .containsExactly(now + 10_000, now + 2_000);
    shard.advance(ofSeconds(6));
    assertThat(five.peek()).isEmpty();
    assertThat(sixty.peek()).hasSize(1);
  }

  private static QueueDefinition timeToLive(String name, long millis) {
    return new QueueDefinition(name, 60_000, 10, millis, false, 1_000, QueueDefinition.FOREVER);
  }

  @Test
  @Rule({"S-056", "S-187", "S-435"})
  void copiesAndDeadLettersFillTheTopic() {
    QueueDefinition small =
        new QueueDefinition("events", 60_000, 10, Long.MAX_VALUE, false, 1_000, 350);
    TopicFixture topic = TopicFixture.of(shard, small);
    QueueFixture audit = topic.subscription("audit");
    QueueFixture mail = topic.subscription("mail");
    topic.send(plain());
    mail.deadLetter(mail.peekLock());
    topic.send(plain());

    Decision full = topic.send(plain());

    assertThat(refusals(full)).containsExactly(new Refusal.QuotaExceeded(400, 350));
    audit.receiveAndDelete(2);
    assertThat(refusals(topic.send(plain()))).isEmpty();
  }

  @Test
  @Rule({"S-279", "S-266"})
  void duplicatesAreDroppedAtTheTopicWhoeverSelectsThem() {
    TopicFixture topic =
        TopicFixture.of(shard, QueueDefinition.named("events").withDuplicateWindow(20_000));
    QueueFixture red = topic.subscription("red", rule("red", "colour = 'red'"));
    topic.send(having("id", 7L));

    shard.restart();
    Decision again = topic.send(new TopicFixture.Message(Map.of("id", 7L, "colour", "red"), null));

    assertThat(refusals(again)).isEmpty();
    assertThat(red.peek()).as("its id came when nobody selected it").isEmpty();
    topic.send(new TopicFixture.Message(Map.of("id", 8L, "colour", "red"), null));
    topic.send(new TopicFixture.Message(Map.of("id", 8L, "colour", "red"), null));
    assertThat(red.peek()).hasSize(1);
  }

  @Test
  @Rule({"I-01", "S-055", "S-278"})
  void whatNobodySelectsHasNoDuplicatesInItsBurst() {
    TopicFixture topic =
        TopicFixture.refusingUnmatched(
            shard, QueueDefinition.named("events").withDuplicateWindow(20_000));
    QueueFixture red = topic.subscription("red", rule("red", "colour = 'red'"));

    Decision decision = topic.send(blue(7), blue(8), blue(7), red(7), red(7), blue(8));

    Refusal unmatched = new Refusal.NoMatchingSubscription();
    assertThat(refusals(decision))
        .containsExactly(unmatched, unmatched, unmatched, null, null, unmatched);
    assertThat(decision.keptBodies()).containsExactly(false, false, false, true, false, false);
    assertThat(red.peek()).hasSize(1);
    assertThat(topic.send(red(8)).keptBodies()).as("8 was never taken").isNull();
    assertThat(topic.send(red(7)).keptBodies()).containsExactly(false);
  }

  @Test
  @Rule({"I-01", "S-055", "S-435"})
  void aDuplicateOfWhatNobodySelectsNeedsRoomOfItsOwn() {
    long room = 2L * QueueFixture.SIZE;
    TopicFixture topic =
        TopicFixture.refusingUnmatched(
            shard,
            QueueDefinition.named("events")
                .with()
                .duplicateWindowMillis(20_000)
                .maxSizeBytes(room)
                .build());
    QueueFixture red = topic.subscription("red", rule("red", "colour = 'red'"));

    Decision decision =
        topic.sendSized(new int[] {10, 190, 11, 5}, blue(7), red(8), red(7), red(7));

    assertThat(refusals(decision))
        .containsExactly(
            new Refusal.NoMatchingSubscription(), null, new Refusal.QuotaExceeded(190, room), null);
    assertThat(red.peek()).extracting(Received::size).containsExactly(190, 5);
  }

  private static TopicFixture.Message red(long id) {
    return new TopicFixture.Message(Map.of("id", id, "colour", "red"), null);
  }

  private static TopicFixture.Message blue(long id) {
    return new TopicFixture.Message(Map.of("id", id, "colour", "blue"), null);
  }

  @Test
  @Rule({"S-193", "S-231"})
  void aCopyWithoutSessionIsADeadLetterWhereSessionsAreRequired() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture sessions = topic.subscription(QueueDefinition.named("sessions").withSession(true));
    QueueFixture plain = topic.subscription("plain");

    topic.send(plain().in("a"), plain(), plain().in("b"));

    assertThat(plain.peek()).hasSize(3);
    assertThat(numbers(sessions.peek())).containsExactly(1L, 3L);
    assertThat(sessions.deadLetters().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.SESSION_ID_MISSING);
    assertThat(sessions.accepts("b", ofSeconds(1)).wants(5).gets()).hasSize(1);
  }

  /** The empty text is an id as any other. */
  @Test
  @Rule({"S-193", "S-231"})
  void aCopyWithAnEmptySessionIdIsInASession() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture sessions = topic.subscription(QueueDefinition.named("sessions").withSession(true));

    topic.send(plain().in(""), plain());
    shard.restart();

    assertThat(sessions.deadLetters().peek()).hasSize(1);
    assertThat(sessions.accepts("", ofSeconds(1)).wants(5).gets()).hasSize(1);
  }

  @Test
  @Rule({"S-156", "S-157", "S-151", "S-220"})
  void whatIsScheduledWaitsInTheTopicAndIsFilteredWhenItIsDue() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture all = topic.subscription("all");
    long due = shard.nowMillis + 5_000;
    topic.schedule(
        new long[] {due, 0, due}, having("colour", "red"), plain(), having("colour", "blue"));
    assertThat(all.peek()).hasSize(1);
    assertThat(topic.topic.peek())
        .extracting(Received::state)
        .containsOnly(MessageState.SCHEDULED)
        .hasSize(2);
    QueueFixture red = topic.subscription("red", rule("red", "colour = 'red'"));

    shard.advance(ofSeconds(5));

    assertThat(red.peek()).extracting(Received::bodyId).containsExactly(1L);
    assertThat(all.peek()).extracting(Received::bodyId).containsExactly(2L, 1L, 3L);
    assertThat(all.peek()).extracting(Received::enqueuedNumber).containsExactly(2L, 4L, 5L);
    assertThat(shard.read).containsExactly(1L, 3L);
    assertThat(topic.topic.peek()).isEmpty();
  }

  @Test
  @Rule({"S-156", "S-054"})
  void aDueMessageThatNobodySelectsIsGoneAndPlainTopicsReadNothing() {
    TopicFixture topic = TopicFixture.of(shard);
    topic.schedule(new long[] {shard.nowMillis + 1_000}, plain());
    shard.advance(ofSeconds(1));
    assertThat(shard.deadBodies).containsExactly(1L);

    QueueFixture all = topic.subscription("all");
    topic.schedule(new long[] {shard.nowMillis + 1_000}, plain());
    shard.advance(ofSeconds(1));

    assertThat(all.peek()).hasSize(1);
    assertThat(shard.read).isEmpty();
  }

  @Test
  @Rule("S-163")
  void theTimeToLiveOfADueMessageRunsFromThen() {
    TopicFixture topic = TopicFixture.of(shard, timeToLive("events", 3_000));
    QueueFixture all = topic.subscription("all");
    topic.schedule(new long[] {shard.nowMillis + 5_000}, plain());

    shard.advance(ofSeconds(5));

    assertThat(all.peek()).extracting(Received::expiresAt).containsExactly(shard.nowMillis + 3_000);
  }

  @Test
  @Rule({"S-060", "S-062", "S-061"})
  void aSubscriptionNeedsItsTopicAndNobodySendsToIt() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture audit = topic.subscription("audit");
    QueueFixture.of(shard, QueueDefinition.named("orders"));

    assertThat(refusalOf(new QueueRole.Subscription("nowhere", true)))
        .isEqualTo(new Refusal.EntityNotFound());
    assertThat(refusalOf(new QueueRole.Subscription("orders", true)))
        .isEqualTo(new Refusal.EntityNotFound());
    assertThat(audit.sendSized(10).getFirst().refusal()).isEqualTo(new Refusal.EntityNotFound());
    Decision other =
        shard.ask(
            new Request.CreateQueue(
                new ShardFixture.Asker(),
                new ShardFixture.Note(),
                QueueDefinition.named("events")));
    assertThat(ShardFixture.only(other, Effect.Refused.class).refusal())
        .isInstanceOf(Refusal.EntityAlreadyExists.class);
  }

  private Refusal refusalOf(QueueRole.Subscription role) {
    Decision decision =
        shard.ask(
            new Request.CreateQueue(
                new ShardFixture.Asker(),
                new ShardFixture.Note(),
                QueueDefinition.named("x/Subscriptions/y").as(role)));
    return ShardFixture.only(decision, Effect.Refused.class).refusal();
  }

  @Test
  void messagesForFiltersThatCannotBeSeenAreAMistakeOfTheEdge() {
    TopicFixture topic = TopicFixture.of(shard);
    topic.subscription("red", rule("red", "colour = 'red'"));
    SendBurst blind = new SendBurst(1, new int[] {1}, new int[] {1}, new long[] {Long.MAX_VALUE});

    assertThatThrownBy(
            () ->
                shard.machine.decide(
                    shard.stamp(),
                    new Request.Send(new ShardFixture.Asker(), null, topic.topic.id, blind, false)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Rule({"I-01", "I-35"})
  void copiesOfAScheduledMessageThatIsLostArePassedOverOnlyWhereFactsMayBeMissing() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture red = topic.subscription("red", rule("red", "colour = 'red'"));
    topic.schedule(
        new long[] {shard.nowMillis + 1_000, shard.nowMillis + 1_000},
        having("colour", "red"),
        having("colour", "red"));
    shard.advance(ofSeconds(1));
    red.deadLetter(red.peekLock());
    List<ShardFixture.Logged> damaged =
        shard.log.stream().filter(logged -> !(logged.fact() instanceof Fact.Scheduled)).toList();

    assertThatThrownBy(() -> replay(damaged, new Machine()))
        .isInstanceOf(Invariant.BrokenInvariant.class);

    Machine salvaged = new Machine();
    salvaged.expectGaps();
    replay(damaged, salvaged);
    assertThat(salvaged.counts(red.id).active()).isZero();
    assertThat(salvaged.counts(red.id).deadLetters()).isZero();
  }

  private static void replay(List<ShardFixture.Logged> log, Machine machine) {
    log.forEach(logged -> machine.apply(logged.index(), logged.fact()));
  }

  @Test
  @Rule({"I-46", "S-156"})
  void whatIsDueWaitsWhereCopiesBringPropertiesAndTheStoreHasNoRoomForThem() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture red = topic.subscription("red", rule("r", "1=1", "SET seen = 'yes'"));
    topic.schedule(new long[] {shard.nowMillis + 1_000}, plain());
    shard.machine.changedCopiesWait(true);

    shard.advance(ofSeconds(2));
    assertThat(red.peek()).isEmpty();

    shard.machine.changedCopiesWait(false);
    shard.advance(ofSeconds(2));
    assertThat(red.peek()).hasSize(1);
  }

  @Test
  @Rule({"S-376", "S-361", "I-28"})
  void aTransactionMaySendToATopicWithActionsAndToOthers() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture red = topic.subscription("red", rule("r", "1=1", "SET seen = 'yes'"));
    QueueFixture orders = QueueFixture.of(shard, QueueDefinition.named("orders"));
    int[] one = {QueueFixture.SIZE};
    SendBurst burst =
        new SendBurst(1, one, one, TransactionFixture.forever(one), null, null, null, i -> plain());
    TransactionFixture transaction = new TransactionFixture(shard);
    transaction.sends(topic.topic, burst).sends(orders, 2);

    Decision decision = shard.ask(transaction.commit());

    assertThat(TransactionFixture.end(decision)).isEqualTo(QueueFixture.Outcome.DONE);
    assertThat(decision.made()).hasSize(1);
    assertThat(red.peek()).extracting(Received::overlayId).containsExactly(4L);
    assertThat(orders.peek()).extracting(Received::bodyId).containsExactly(2L, 3L);
  }

  @Test
  @Rule({"I-01", "I-05", "I-35"})
  void aCheckpointKeepsCopiesRulesAndWhatTheyShare() {
    TopicFixture topic =
        TopicFixture.of(shard, QueueDefinition.named("events").withDuplicateWindow(20_000));
    QueueFixture all = topic.subscription("all");
    QueueFixture red = topic.subscription("red", rule("red", "colour = 'red'", "SET seen = 'yes'"));
    topic.send(having("colour", "red"), having("colour", "blue"), having("colour", "red"));
    topic.schedule(new long[] {shard.nowMillis + 5_000}, having("colour", "red"));
    all.complete(all.peekLock());

    Machine rebuilt = new Machine();
    Snapshot snapshot = shard.machine.beginSnapshot();
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      part.forEach(fact -> rebuilt.apply(0, fact));
    }
    snapshot.end();

    assertThat(rebuilt.stateHash()).isEqualTo(shard.machine.stateHash());
    shard.checker.check(rebuilt);
    shard.machine = rebuilt;
    shard.log.clear();
    topic.send(having("colour", "red"));
    red.receiveAndDelete(10);
    all.receiveAndDelete(10);
    assertThat(all.peek()).isEmpty();
    assertThat(shard.deadBodies).contains(1L, 2L, 3L);
    shard.advance(ofSeconds(5));
    assertThat(red.peek()).hasSize(1);
    shard.machine = new Machine(); // its log begins in the middle, so there is nothing to replay
    shard.log.clear();
    shard.deadBodies.clear();
  }
}
