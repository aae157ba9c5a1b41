package io.peeklock.kernel.send;

import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static io.peeklock.kernel.machine.TopicFixture.Message.having;
import static io.peeklock.kernel.machine.TopicFixture.refusals;
import static io.peeklock.kernel.machine.TopicFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
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
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Many messages to many subscriptions are copied slice by slice, and nobody waits for all. The
 * checkers look at all messages, so the many looks into subscriptions are left to {@link
 * FanOutSliceChecksTest}.
 */
class FanOutSliceTest {

  private static final int SUBSCRIPTIONS = 250;
  private static final int MESSAGES = 60; // 15,000 copies; one decision makes 12,250

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final List<QueueFixture> subscriptions = new ArrayList<>();

  private TopicFixture topic(QueueDefinition definition) {
    return subscribed(TopicFixture.of(shard, definition));
  }

  private TopicFixture subscribed(TopicFixture topic) {
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      subscriptions.add(topic.subscription("s" + i));
    }
    return topic;
  }

  private static QueueDefinition events() {
    return QueueDefinition.named("events");
  }

  private static Message[] messages(int count) {
    Message[] messages = new Message[count];
    for (int i = 0; i < count; i++) {
      messages[i] = having("id", i + 1L);
    }
    return messages;
  }

  /** How many copies a decision makes. */
  private static int copies(Decision decision) {
    int copies = 0;
    for (Fact fact : decision.facts()) {
      switch (fact) {
        case Fact.Published published ->
            copies += count(published.copies(), published.sizes().length);
        case Fact.ScheduledPublished due ->
            copies += count(due.copies(), due.sequenceNumbers().length);
        case ForwardFact.ForwardPublished moved ->
            copies += count(moved.copies(), moved.sequenceNumbers().length);
        case ForwardFact.PartPublished part -> copies += count(part.copies(), 1);
        default -> {}
      }
    }
    return copies;
  }

  private static int count(Copies[] all, int messages) {
    return Arrays.stream(all)
        .mapToInt(copies -> copies.messages() == null ? messages : copies.messages().length)
        .sum();
  }

  private static Long[] oneTo(int last) {
    return LongStream.rangeClosed(1, last).boxed().toArray(Long[]::new);
  }

  /** Whether all looks into subscriptions are checked as decisions are, or the first alone. */
  boolean checksEveryLook() {
    return false;
  }

  private List<Received> peek(QueueFixture subscription) {
    shard.checkEveryStep = checksEveryLook() || subscription == subscriptions.getFirst();
    List<Received> there = subscription.peek();
    shard.checkEveryStep = true;
    return there;
  }

  private void assertThatAllHaveAll(int messages) {
    for (QueueFixture each : subscriptions) {
      List<Received> there = peek(each);
      assertThat(numbers(there)).containsExactly(oneTo(messages));
      assertThat(there)
          .extracting(Received::enqueuedNumber)
          .as("the topic's number (S-146)")
          .containsExactly(oneTo(messages));
      assertThat(there).extracting(Received::bodyId).isSorted();
    }
  }

  @Test
  @Rule({"S-053", "S-405", "S-406", "S-145", "S-146", "I-35"})
  void aBatchIsTakenAtOnceAndCopiedInOrderSliceBySlice() {
    TopicFixture topic = topic(events());
    shard.watch(decision -> assertThat(copies(decision)).isLessThanOrEqualTo(12_250));

    Decision first = topic.sendAtomically(messages(MESSAGES));

    assertThat(refusals(first)).isEmpty();
    assertThat(copies(first)).isPositive();
    assertThatAllHaveAll(MESSAGES);
  }

  @Test
  @Rule({"S-053", "S-405"})
  void ofWhatGoesToAThousandSubscriptionsOneMessageIsCopiedAtATimeAndForAQuarterOfThem() {
    TopicFixture topic = TopicFixture.of(shard, events());
    for (int i = 0; i < 1_024; i++) {
      subscriptions.add(topic.subscription("s" + i));
    }
    shard.watch(decision -> assertThat(copies(decision)).isLessThanOrEqualTo(256));

    Decision first = topic.sendAtomically(messages(4));

    assertThat(copies(first)).isZero();
    assertThat(numbers(subscriptions.getFirst().peek())).containsExactly(oneTo(4));
    assertThat(numbers(subscriptions.getLast().peek())).containsExactly(oneTo(4));
  }

  @Test
  @Rule({"S-406", "S-053"})
  void whatIsSentWhileCopiesAreMadeComesBehindThem() {
    TopicFixture topic = topic(events());
    shard.holdForwards(true);
    topic.sendAtomically(messages(MESSAGES));

    Decision behind = topic.send(messages(3));

    assertThat(refusals(behind)).isEmpty();
    assertThat(copies(behind)).isZero();
    assertThat(topic.topic.counts().bytes()).isPositive();
    shard.holdForwards(false);
    assertThatAllHaveAll(MESSAGES + 3);
    assertThat(copies(topic.send(messages(1)))).as("at once again").isEqualTo(SUBSCRIPTIONS);
  }

  @Test
  @Rule({"I-01", "I-35"})
  void aRestartInTheMiddleGoesOn() {
    TopicFixture topic = topic(events());
    shard.holdForwards(true);
    topic.sendAtomically(messages(MESSAGES));

    shard.restart();
    shard.holdForwards(false);

    assertThatAllHaveAll(MESSAGES);
  }

  @Test
  @Rule({"S-266", "S-278"})
  void aDuplicateOfWhatStillWaitsIsDropped() {
    TopicFixture topic = topic(events().with().duplicateWindowMillis(600_000).build());
    shard.holdForwards(true);
    topic.sendAtomically(messages(MESSAGES));

    Decision again = topic.send(messages(MESSAGES));

    assertThat(refusals(again)).isEmpty();
    shard.holdForwards(false);
    assertThatAllHaveAll(MESSAGES);
  }

  @Test
  @Rule({"S-422", "I-01"})
  void whatWasTakenIsCopiedAlthoughTheTopicTakesNoMore() {
    TopicFixture topic = topic(events());
    shard.holdForwards(true);
    topic.sendAtomically(messages(MESSAGES));
    QueueDefinition disabled =
        events()
            .as(new QueueRole.Topic(false))
            .with()
            .status(EntityStatus.SEND_DISABLED)
            .maxSizeBytes(1)
            .build();
    shard.ask(
        new EntityRequest.UpdateQueue(new ShardFixture.Asker(), new ShardFixture.Note(), disabled));

    shard.holdForwards(false);

    assertThatAllHaveAll(MESSAGES);
  }

  /** All that is sent to the topic is behind it. */
  @Test
  void whatCouldNotBeReadTwiceIsATransferDeadLetterAndHoldsNobodyUp() {
    TopicFixture topic = topic(events().with().duplicateWindowMillis(600_000).build());
    FetchedBodies whole = shard.store;
    long damaged = shard.machine.nextBodyId() + MESSAGES - 2;
    boolean[] again = {false};
    shard.store =
        new FetchedBodies() {
          @Override
          public @Nullable MessageView source(long bodyId, long overlayId, DeadLetterCause cause) {
            return bodyId == damaged ? null : whole.source(bodyId, overlayId, cause);
          }

          @Override
          public boolean isLost(long bodyId) {
            return bodyId == damaged;
          }

          @Override
          public boolean isGivenUp(long bodyId) {
            return bodyId == damaged && again[0];
          }
        };

    List<DeadLetterCause> deadLettered = new ArrayList<>();
    shard.watch(
        decision -> {
          for (Fact fact : decision.facts()) {
            if (fact instanceof Fact.DeadLettered dead) {
              deadLettered.add(dead.cause());
            }
          }
        });
    topic.sendAtomically(messages(MESSAGES));
    topic.send(having("id", MESSAGES + 1L));
    assertThat(subscriptions.getFirst().peek()).hasSizeLessThan(MESSAGES - 2);
    assertThat(deadLettered).as("not before a second try").isEmpty();
    again[0] = true;
    shard.advance(Duration.ofSeconds(10));

    assertThat(subscriptions.getLast().peek())
        .extracting(Received::bodyId)
        .hasSize(MESSAGES)
        .isSorted()
        .doesNotContain(damaged);
    assertThat(deadLettered).containsExactly(DeadLetterCause.FORWARDING_FAILED);
  }

  @Test
  @Rule({"S-055", "S-405"})
  void whereTheUnmatchedAreRefusedABatchOfTooManyCopiesIsRefusedWhole() {
    TopicFixture topic = subscribed(TopicFixture.refusingUnmatched(shard));

    Decision whole = topic.sendAtomically(messages(MESSAGES));
    assertThat(ShardFixture.only(whole, Effect.Refused.class).refusal())
        .isEqualTo(new Refusal.TooManyCopies(true));
    assertThat(whole.facts()).isEmpty();

    Decision each = topic.send(messages(MESSAGES));
    assertThat(refusals(each)).startsWith(null, null).endsWith(new Refusal.TooManyCopies(false));
    assertThat(subscriptions.getFirst().peek()).hasSize(49);
  }

  @Test
  @Rule({"S-156", "S-148"})
  void scheduledMessagesThatAreDueAtOnceAreCopiedSliceBySlice() {
    TopicFixture topic = topic(events());
    long[] due = new long[MESSAGES];
    Arrays.fill(due, shard.nowMillis + 1_000);
    topic.schedule(due, messages(MESSAGES));
    shard.watch(decision -> assertThat(copies(decision)).isLessThanOrEqualTo(12_250));

    shard.advance(Duration.ofSeconds(2));

    for (QueueFixture each : subscriptions) {
      assertThat(peek(each)).hasSize(MESSAGES);
    }
  }

  @Test
  @Rule({"S-150", "S-154", "I-31"})
  void numbersThatAreToldAreThoseOfTheMessagesWhileCopiesAreMade() {
    TopicFixture topic = topic(events());
    shard.holdForwards(true);
    topic.sendAtomically(messages(MESSAGES));

    long[] numbers =
        topic.topic.schedule(
            shard.nowMillis - 1_000, shard.nowMillis + 5_000, shard.nowMillis - 1_000);

    assertThat(topic.topic.cancel(numbers[1])).isEqualTo(QueueFixture.Outcome.DONE);
    shard.holdForwards(false);
    shard.advance(Duration.ofSeconds(10));
    for (QueueFixture each : subscriptions) {
      assertThat(peek(each)).as("all but the cancelled one").hasSize(MESSAGES + 2);
    }
  }

  @Test
  @Rule("S-055")
  void whereTheUnmatchedCameToBeRefusedNothingMoreIsLeftForLater() {
    TopicFixture topic = topic(events());
    shard.holdForwards(true);
    topic.sendAtomically(messages(MESSAGES));
    shard.ask(
        new EntityRequest.UpdateQueue(
            new ShardFixture.Asker(),
            new ShardFixture.Note(),
            events().as(new QueueRole.Topic(true))));

    assertThat(refusals(topic.send(messages(1)))).containsExactly(new Refusal.TooManyCopies(false));

    shard.holdForwards(false);
    assertThat(refusals(topic.send(messages(1)))).isEmpty();
  }

  @Test
  @Rule("S-053")
  void lookingAtSubscriptionsThatSelectNothingCountsToo() {
    shard.checkEveryStep = false;
    TopicFixture topic = TopicFixture.of(shard);
    for (int i = 0; i < 1_500; i++) {
      topic.subscription("none" + i, rule("none", "1=0"));
    }
    QueueFixture all = topic.subscription("all");

    Decision first = topic.sendAtomically(messages(900));

    assertThat(first.facts()).anyMatch(fact -> fact instanceof Fact.Enqueued);
    assertThat(all.counts().active()).isEqualTo(900);
  }

  @Test
  @Rule({"S-286", "S-298"})
  void whatIsForwardedToATopicIsCopiedSliceBySlice() {
    topic(events());
    QueueFixture source =
        QueueFixture.of(shard, QueueDefinition.named("in").with().forwardTo("events").build());
    shard.watch(decision -> assertThat(copies(decision)).isLessThanOrEqualTo(12_250));

    source.send(MESSAGES);

    for (QueueFixture each : subscriptions) {
      assertThat(peek(each)).hasSize(MESSAGES);
    }
  }

  @Test
  @Rule({"S-318", "S-321"})
  void stepsOfRulesCountAsCopiesDo() {
    TopicFixture topic = TopicFixture.of(shard);
    topic.subscription("few", rule("few", "text LIKE '%aab%'"));
    QueueFixture all = topic.subscription("all");
    Message[] heavy = new Message[40];
    Arrays.fill(heavy, having("text", "a".repeat(20_000)));

    Decision first = topic.sendAtomically(heavy);

    assertThat(first.facts())
        .as("some wait for a later decision")
        .anyMatch(fact -> fact instanceof Fact.Enqueued);
    assertThat(all.peek()).hasSize(40);
  }
}
