package io.peeklock.kernel.send;

import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static io.peeklock.kernel.machine.TopicFixture.Message.having;
import static io.peeklock.kernel.machine.TopicFixture.refusals;
import static io.peeklock.kernel.machine.TopicFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.machine.TopicFixture.Message;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.transaction.TransactionFixture;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One message to more subscriptions than a decision reaches is copied for some after the others.
 */
class CopiesInPartsTest {

  private static final int AT_ONCE = 3;
  private static final int SUBSCRIPTIONS = 8; // so three parts

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final List<QueueFixture> subscriptions = new ArrayList<>();
  private final List<ForwardFact.PartPublished> parts = new ArrayList<>();

  @BeforeEach
  void watch() {
    shard.copiesAtOnce(AT_ONCE);
    shard.watch(this::look);
  }

  /** No decision reaches more, and one message is all that it copies in parts. */
  private void look(Decision decision) {
    int reached = 0;
    for (Fact fact : decision.facts()) {
      switch (fact) {
        case Fact.Published published -> reached += reached(published.copies());
        case Fact.ScheduledPublished due -> reached += reached(due.copies());
        case ForwardFact.ForwardPublished moved -> reached += reached(moved.copies());
        case ForwardFact.PartPublished part -> {
          parts.add(part);
          reached += reached(part.copies());
        }
        default -> {}
      }
    }
    assertThat(reached).isLessThanOrEqualTo(AT_ONCE);
  }

  private static int reached(Copies[] copies) {
    return copies.length;
  }

  private static QueueDefinition events() {
    return QueueDefinition.named("events");
  }

  private TopicFixture topic(QueueDefinition definition) {
    return subscribed(TopicFixture.of(shard, definition));
  }

  private TopicFixture topic() {
    return topic(events());
  }

  private TopicFixture subscribed(TopicFixture topic) {
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      subscriptions.add(topic.subscription("s" + i));
    }
    return topic;
  }

  /** Sends something, and makes the first so many parts of its copies. */
  private void sendAndCopy(TopicFixture topic, int some, Message... messages) {
    shard.holdForwards(true);
    assertThat(refusals(topic.send(messages))).isEmpty();
    forward(some);
  }

  private void forward(int slices) {
    for (int i = 0; i < slices; i++) {
      shard.forwardOnce();
    }
  }

  private void goOn() {
    shard.holdForwards(false);
  }

  private static Message message(long id) {
    return having("id", id);
  }

  private void assertThatAllHave(Long... enqueuedNumbers) {
    for (QueueFixture each : subscriptions) {
      assertThat(each.peek())
          .extracting(Received::enqueuedNumber)
          .as("the topic's number (S-146)")
          .containsExactly(enqueuedNumbers);
    }
  }

  private List<Integer> have() {
    return subscriptions.stream().map(each -> each.peek().size()).toList();
  }

  @Test
  @Rule({"S-053", "S-146", "I-35"})
  void someHaveItsCopiesAfterTheOthers() {
    TopicFixture topic = topic();
    sendAndCopy(topic, 0, message(1));
    assertThat(have()).containsOnly(0);

    forward(1);
    assertThat(have()).containsExactly(1, 1, 1, 0, 0, 0, 0, 0);
    forward(1);
    assertThat(have()).containsExactly(1, 1, 1, 1, 1, 1, 0, 0);
    forward(1);

    assertThat(have()).containsOnly(1);
    assertThat(shard.machine.wantsForward()).isFalse();
    assertThat(parts)
        .extracting(ForwardFact.PartPublished::topicNumber)
        .containsExactly(1L, 0L, 0L);
    assertThat(parts)
        .extracting(ForwardFact.PartPublished::last)
        .containsExactly(false, false, true);
    goOn();
    topic.send(message(2));
    assertThatAllHave(1L, 2L);
    subscriptions.forEach(each -> each.receiveAndDelete(2));
    assertThat(shard.deadBodies).as("each went with its last copy").containsExactly(1L, 2L);
  }

  @Test
  @Rule({"S-053", "S-146"})
  void allItsCopiesCameAtTheSameTime() {
    TopicFixture topic = topic(events().with().defaultTimeToLiveMillis(60_000).build());
    sendAndCopy(topic, 1, message(1));
    long first = shard.nowMillis;
    shard.passes(Duration.ofSeconds(5));
    goOn();

    for (QueueFixture each : subscriptions) {
      assertThat(each.peek()).extracting(Received::enqueuedAt).containsExactly(first);
      assertThat(each.peek()).extracting(Received::expiresAt).containsExactly(first + 60_000);
    }
  }

  @Test
  @Rule({"S-406", "S-053"})
  void whatIsSentBetweenThePartsComesBehindThem() {
    TopicFixture topic = topic();
    sendAndCopy(topic, 1, message(1));

    sendAndCopy(topic, 1, message(2), message(3));
    sendAndCopy(topic, 2, message(4));
    goOn();

    assertThatAllHave(1L, 2L, 3L, 4L);
    for (QueueFixture each : subscriptions) {
      assertThat(each.peek()).extracting(Received::bodyId).containsExactly(1L, 2L, 3L, 4L);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Rule({"I-01", "I-35", "I-05"})
  void aRestartBetweenThePartsGoesOn(boolean fromSnapshot) {
    TopicFixture topic = topic(events().with().duplicateWindowMillis(600_000).build());
    sendAndCopy(topic, 1, message(1), message(2));
    for (int i = 0; i < 5; i++) {
      if (fromSnapshot) {
        shard.restartFromSnapshot();
      } else {
        shard.restart();
      }
      forward(1);
    }

    goOn();

    assertThatAllHave(1L, 2L);
    assertThat(parts).hasSize(6);
    subscriptions.forEach(each -> each.receiveAndDelete(2));
    assertThat(shard.deadBodies).containsExactly(1L, 2L);
  }

  @Test
  @Rule({"S-053", "I-35"})
  void whoComesBetweenThePartsHasItWhoGoesHasNothingAndNobodyHasItTwice() {
    TopicFixture topic = topic();
    sendAndCopy(topic, 1, message(1), message(2));
    delete(topic, 1); // has it
    delete(topic, 2); // was the last one that has it
    delete(topic, 3); // would be next
    QueueFixture late = topic.subscription("late");

    goOn();

    subscriptions.removeAll(
        List.of(subscriptions.get(1), subscriptions.get(2), subscriptions.get(3)));
    assertThatAllHave(1L, 2L);
    assertThat(numbers(late.peek())).containsExactly(1L, 2L);
  }

  private void delete(TopicFixture topic, int i) {
    var path = "events/Subscriptions/s" + i;
    shard.ask(
        new EntityRequest.DeleteQueue(new ShardFixture.Asker(), new ShardFixture.Note(), path));
    assertThat(topic.topic.id).isNotNull();
  }

  @Test
  @Rule({"S-053", "I-38"})
  void whereAllGoWhoAreLeftTheMessageIsGone() {
    TopicFixture topic = topic();
    sendAndCopy(topic, 1, message(1));
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      delete(topic, i);
    }

    goOn();
    shard.tickWhileDue();

    assertThat(shard.deadBodies).containsExactly(1L);
    assertThat(topic.topic.counts().bytes()).isZero();
  }

  @Test
  @Rule({"I-38", "S-071"})
  void aTopicThatGoesBetweenThePartsTakesAllWithIt() {
    TopicFixture topic = topic();
    sendAndCopy(topic, 1, message(1), message(2));
    shard.ask(
        new EntityRequest.DeleteQueue(new ShardFixture.Asker(), new ShardFixture.Note(), "events"));
    shard.restartFromSnapshot();

    goOn();
    shard.tickWhileDue();

    assertThat(shard.deadBodies).containsExactly(1L, 2L);
    assertThat(topic.topic.peekRefused()).isTrue();
  }

  @Test
  @Rule("S-053")
  void whatFewSelectIsCopiedAtOnce() {
    TopicFixture topic = TopicFixture.of(shard);
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      subscriptions.add(topic.subscription("s" + i, rule("r", "id > " + (10 - i))));
    }

    sendAndCopy(topic, 0, message(6)); // selected by three, at s5 to s7

    assertThat(have()).containsExactly(0, 0, 0, 0, 0, 1, 1, 1);
    assertThat(shard.read).as("nothing was read back").isEmpty();
    assertThat(parts).isEmpty();
    sendAndCopy(topic, 1, message(7));
    assertThat(have()).containsExactly(0, 0, 0, 0, 1, 2, 2, 1);
    sendAndCopy(topic, 0, message(6));
    assertThat(have()).as("behind what waits").containsExactly(0, 0, 0, 0, 1, 2, 2, 1);
    goOn();
    assertThat(have()).containsExactly(0, 0, 0, 0, 1, 3, 3, 3);
  }

  @Test
  @Rule({"S-318", "S-319", "S-320", "S-195", "S-196"})
  void actionsAndFailuresHaveTheirTurnWithTheirSubscription() {
    TopicFixture topic = TopicFixture.of(shard);
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      subscriptions.add(
          switch (i % 4) {
            case 0 -> topic.subscription("s" + i, rule("a", "id > 0"), rule("b", "id < 9"));
            case 1 -> topic.subscription("s" + i, rule("a", "id > 0", "SET x = 'y'"));
            case 2 -> topic.subscription("s" + i, rule("a", "id / 0 > 1"));
            default ->
                topic.subscription(QueueDefinition.named("s" + i), false, rule("a", "id / 0 > 1"));
          });
    }

    sendAndCopy(topic, 3, message(1));
    goOn();

    assertThat(have()).containsExactly(1, 1, 0, 0, 1, 1, 0, 0);
    for (int i : new int[] {2, 6}) {
      assertThat(subscriptions.get(i).deadLetters().peek())
          .extracting(Received::cause)
          .containsExactly(DeadLetterCause.RULE_FAILED);
    }
    for (int i : new int[] {3, 7}) {
      assertThat(subscriptions.get(i).deadLetters().peek()).isEmpty();
    }
    assertThat(subscriptions.get(1).peek().getFirst().overlayId()).isPositive();
    assertThat(parts).hasSize(2);
  }

  @Test
  @Rule({"S-266", "S-278", "I-33"})
  void duplicatesAreDroppedAndItIsNoneOfItself() {
    TopicFixture topic = topic(events().with().duplicateWindowMillis(600_000).build());
    sendAndCopy(topic, 1, message(1));

    sendAndCopy(topic, 1, message(1), message(2), message(2));
    goOn();
    topic.send(message(1));

    assertThatAllHave(1L, 2L);
  }

  @Test
  @Rule({"S-055", "S-405"})
  void aTopicThatRefusesTheUnmatchedSaysSoAtOnce() {
    TopicFixture topic = TopicFixture.refusingUnmatched(shard);
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      subscriptions.add(topic.subscription("s" + i, rule("r", "id > 0")));
    }
    Refusal unmatched = new Refusal.NoMatchingSubscription();
    shard.holdForwards(true);

    assertThat(refusals(topic.send(message(-1), message(1), message(-2), message(2))))
        .containsExactly(unmatched, null, unmatched, null);
    forward(1);
    assertThat(refusals(topic.send(message(-3), message(3)))).containsExactly(unmatched, null);
    assertThat(topic.sendAtomically(message(4), message(-4)).facts()).isEmpty();
    goOn();

    assertThatAllHave(1L, 2L, 3L);
  }

  @Test
  @Rule({"S-156", "S-148", "S-151"})
  void scheduledMessagesThatAreDueWaitInLine() {
    TopicFixture topic = topic();
    long due = shard.nowMillis + 1_000;
    topic.schedule(new long[] {due, due}, message(3), message(4)); // have 1 and 2 until then
    sendAndCopy(topic, 1, message(1));

    shard.advance(Duration.ofSeconds(2));
    sendAndCopy(topic, 0, message(5));
    goOn();

    assertThatAllHave(3L, 4L, 5L, 8L); // the due ones had theirs before
    for (QueueFixture each : subscriptions) {
      assertThat(each.peek()).extracting(Received::bodyId).containsExactly(3L, 1L, 2L, 4L);
    }
  }

  @Test
  @Rule({"S-156", "S-165"})
  void aScheduledMessageThatIsDueIsCopiedInParts() {
    TopicFixture topic = topic(events().with().defaultTimeToLiveMillis(60_000).build());
    topic.schedule(new long[] {shard.nowMillis + 1_000}, message(1));

    shard.advance(Duration.ofSeconds(2));

    assertThatAllHave(2L);
    assertThat(parts).hasSize(3);
    assertThat(subscriptions.getLast().peek().getFirst().expiresAt())
        .isEqualTo(shard.nowMillis + 60_000);
  }

  @Test
  @Rule({"S-150", "S-154", "I-31"})
  void numbersThatAreToldAreThoseOfTheMessages() {
    TopicFixture topic = topic();
    shard.holdForwards(true);

    long[] told = topic.topic.schedule(shard.nowMillis - 1_000, shard.nowMillis + 5_000);
    assertThat(topic.topic.cancel(told[1])).isEqualTo(QueueFixture.Outcome.DONE);
    goOn();
    shard.advance(Duration.ofSeconds(10));

    assertThat(have()).containsOnly(1);
  }

  @Test
  @Rule({"S-285", "S-290", "S-291", "S-292", "S-146", "S-298"})
  void whatIsForwardedComesByTheBacklogAndItIsOneHop() {
    TopicFixture topic = topic();
    QueueFixture start = forwarding("start", "events");
    QueueFixture before = forwarding("before", "start");
    shard.holdForwards(true);
    before.send(2);
    sendAndCopy(topic, 1, message(1));
    goOn();

    assertThat(start.counts().active() + before.counts().active()).isZero();
    for (QueueFixture each : subscriptions) {
      assertThat(each.peek()).extracting(Received::bodyId).containsExactly(3L, 1L, 2L);
      assertThat(each.peek())
          .extracting(Received::enqueuedNumber)
          .as("the first number that it got")
          .containsExactly(1L, 1L, 2L);
    }
  }

  private QueueFixture forwarding(String path, String to) {
    return QueueFixture.of(shard, QueueDefinition.named(path).with().forwardTo(to).build());
  }

  @Test
  @Rule({"S-292", "S-294"})
  void theLastHopThatIsAllowedMayLeadToTheTopic() {
    topic();
    forwarding("h4", "events");
    forwarding("h3", "h4");
    forwarding("h2", "h3");
    QueueFixture first = forwarding("h1", "h2");

    first.send(1);

    assertThat(have()).containsOnly(1);
  }

  @Test
  @Rule({"S-285", "S-435", "S-294"})
  void whatIsForwardedFillsTheTopicAsItWouldOtherwise() {
    topic(events().with().maxSizeBytes((long) SUBSCRIPTIONS * QueueFixture.SIZE).build());
    QueueFixture start = forwarding("start", "events");

    start.send(1);
    start.send(1);

    assertThat(have()).containsOnly(1);
    assertThat(start.deadLetters().counts().active()).isEqualTo(1);
  }

  @Test
  @Rule({"S-435", "S-187"})
  void whatIsSentFillsTheTopicAsItWouldOtherwise() {
    TopicFixture topic =
        topic(events().with().maxSizeBytes((long) SUBSCRIPTIONS * QueueFixture.SIZE).build());

    assertThat(refusals(topic.send(message(1)))).isEmpty();
    assertThat(refusals(topic.send(message(2))).getFirst())
        .isInstanceOf(Refusal.QuotaExceeded.class);

    assertThat(have()).containsOnly(1);
    assertThat(topic.topic.counts().bytes()).isEqualTo(SUBSCRIPTIONS * QueueFixture.SIZE);
  }

  @Test
  @Rule({"S-379", "I-27"})
  void aTransactionHandsItToTheBacklog() {
    TopicFixture topic = topic();
    QueueFixture orders = QueueFixture.of(shard, QueueDefinition.named("orders"));

    new TransactionFixture(shard).sends(orders, 1).sends(topic.topic, 2).commits();

    assertThatAllHave(1L, 2L);
    assertThat(orders.counts().active()).isEqualTo(1);
    assertThat(parts).hasSize(6);
  }

  @Test
  @Rule({"S-162", "S-168", "I-32"})
  void whatExpiresBetweenThePartsExpiresAsItsCopiesDo() {
    TopicFixture topic = topic();
    shard.holdForwards(true);
    topic.sendLiving(Duration.ofSeconds(10), message(1));
    shard.advance(Duration.ofSeconds(6));
    forward(1);
    shard.advance(Duration.ofSeconds(6)); // later than it would have expired in the backlog
    forward(1);

    assertThat(have()).containsExactly(1, 1, 1, 1, 1, 1, 0, 0);
    shard.advance(Duration.ofSeconds(6));
    assertThat(have()).containsOnly(0);
    topic.send(message(2));
    goOn(); // the last two get copies that expire at once
    shard.advance(Duration.ofMillis(1));
    assertThat(have()).containsOnly(1);
    assertThat(shard.deadBodies).containsExactly(1L);
  }

  /** A topic publishes it late; that is no reason for it to be gone. */
  @Test
  @Rule({"I-01", "S-053", "S-162", "S-172"})
  void whatWaitsForItsCopiesLongerThanItLivesIsCopiedAndExpiresInTheSubscriptions() {
    TopicFixture topic = TopicFixture.of(shard, events());
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      subscriptions.add(
          topic.subscription(
              QueueDefinition.named("s" + i).with().deadLetteringOnExpiration(true).build()));
    }
    shard.holdForwards(true);
    topic.sendLiving(Duration.ofSeconds(10), message(1));
    shard.advance(Duration.ofSeconds(20));
    forward(1);
    assertThat(have()).containsExactly(1, 1, 1, 0, 0, 0, 0, 0);

    shard.advance(Duration.ofSeconds(11)); // the copies expire, and those that are still to be made
    goOn();
    shard.advance(Duration.ofMillis(1));

    assertThat(subscriptions).allMatch(each -> each.counts().deadLetters() == 1);
    assertThat(have()).containsOnly(0);
  }

  @Test
  @Rule({"I-01", "S-053"})
  void soIsWhatWaitsBehindALargeBatch() {
    TopicFixture topic = topic();
    shard.holdForwards(true);
    topic.sendLiving(Duration.ofSeconds(1), message(1), message(2));

    shard.restartFromSnapshot();
    shard.advance(Duration.ofSeconds(5));
    goOn();

    assertThatAllHave(1L, 2L);
  }

  @Test
  @Rule({"I-01", "S-303"})
  void oneThatCannotBeReadAnyMoreLeavesTheLine() {
    TopicFixture topic = TopicFixture.of(shard);
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      subscriptions.add(topic.subscription("s" + i, rule("r", "id > 0")));
    }
    sendAndCopy(topic, 1, message(1), message(2));
    FetchedBodies whole = shard.store;
    boolean[] again = {false};
    shard.store = without(whole, 1, again);
    goOn();
    assertThat(have()).containsExactly(1, 1, 1, 0, 0, 0, 0, 0);

    again[0] = true;
    shard.restartFromSnapshot();
    shard.advance(Duration.ofSeconds(10));

    assertThat(have()).containsExactly(2, 2, 2, 1, 1, 1, 1, 1);
    assertThat(subscriptions.getLast().peek())
        .extracting(Received::enqueuedNumber)
        .containsExactly(2L);
    assertThat(subscriptions.getLast().peek()).extracting(Received::bodyId).containsExactly(2L);
  }

  private static FetchedBodies without(FetchedBodies whole, long lost, boolean[] givenUp) {
    return new FetchedBodies() {
      @Override
      public @Nullable MessageView source(long bodyId, long overlayId, DeadLetterCause cause) {
        return bodyId == lost ? null : whole.source(bodyId, overlayId, cause);
      }

      @Override
      public boolean isLost(long bodyId) {
        return bodyId == lost;
      }

      @Override
      public boolean isGivenUp(long bodyId) {
        return bodyId == lost && givenUp[0];
      }
    };
  }

  @Test
  @Rule("S-053")
  void rulesThatChangeBetweenThePartsHoldForThoseWhoAreLeft() {
    TopicFixture topic = topic();
    sendAndCopy(topic, 1, message(1));
    topic.remove(subscriptions.get(0), "$Default");
    topic.remove(subscriptions.get(7), "$Default");
    topic.add(subscriptions.get(1), rule("again", "1=1"));

    goOn();

    assertThat(have()).containsExactly(1, 1, 1, 1, 1, 1, 1, 0);
  }

  @Test
  @Rule({"S-055", "S-303"})
  void whereNobodySelectsItAnyMoreItIsATransferDeadLetter() {
    TopicFixture topic = subscribed(TopicFixture.refusingUnmatched(shard));
    sendAndCopy(topic, 0, message(1), message(2));
    forward(3);
    subscriptions.forEach(each -> topic.remove(each, "$Default"));
    List<Long> deadLettered = new ArrayList<>();
    shard.watch(
        decision -> {
          for (Fact fact : decision.facts()) {
            if (fact instanceof Fact.DeadLettered dead) {
              deadLettered.add(dead.sequenceNumbers()[0]);
            }
          }
        });

    goOn();

    assertThatAllHave(1L);
    assertThat(deadLettered).hasSize(1);
    assertThat(shard.deadBodies).isEmpty();
  }
}
