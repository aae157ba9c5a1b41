package io.peeklock.kernel.send;

import static io.peeklock.kernel.machine.TopicFixture.Message.having;
import static io.peeklock.kernel.machine.TopicFixture.refusals;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.machine.TopicFixture.Message;
import io.peeklock.proof.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Each copy with properties of its own has the head of its message once more. What one decision
 * makes of a message with a large head is weighed, however few the subscriptions are.
 */
class HeavyCopiesTest {
  private static final int HEAD_BYTES = 16_000;
  private static final int SUBSCRIPTIONS = 8;
  private static final int RULES = 40; // 640 KB for each subscription, so two in a part

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final List<Long> made = new ArrayList<>(); // bytes, by decision that made some
  private final List<String> deadLetters = new ArrayList<>(); // their properties

  @BeforeEach
  void watch() {
    shard.checkEveryStep = false; // megabytes each
    shard.watch(this::look);
  }

  private void look(Decision decision) {
    long bytes = decision.made().stream().mapToLong(each -> each.length).sum();
    if (bytes > 0) {
      made.add(bytes);
    }
    for (byte[] each : decision.made()) {
      String text = new String(each, StandardCharsets.UTF_8);
      if (text.contains("DeadLetterReason")) {
        deadLetters.add(text);
      }
    }
  }

  private static Message heavy() {
    return having("text", "x".repeat(HEAD_BYTES));
  }

  private QueueFixture changing(TopicFixture topic, String name, int rules, boolean deadLetters) {
    return topic.subscription(QueueDefinition.named(name), deadLetters, actions(rules));
  }

  private static io.peeklock.kernel.entity.Rule[] actions(int count) {
    var rules = new io.peeklock.kernel.entity.Rule[count];
    Arrays.setAll(rules, i -> TopicFixture.rule("r" + i, "1=1", "SET seen = " + i));
    return rules;
  }

  private List<QueueFixture> changing(TopicFixture topic) {
    List<QueueFixture> all = new ArrayList<>();
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      all.add(changing(topic, "s" + i, RULES, true));
    }
    return all;
  }

  private static void assertThatEachHas(List<QueueFixture> subscriptions, int copies) {
    for (QueueFixture each : subscriptions) {
      assertThat(each.counts().active()).isEqualTo(copies);
      assertThat(each.counts().deadLetters()).isZero();
    }
  }

  private void assertThatPartsWereSmall(int count) {
    long most = CopyWeights.MOST_OF_PART + RULES * (HEAD_BYTES + 100L);
    assertThat(made).hasSize(count).allMatch(bytes -> bytes < most);
  }

  @Test
  @Rule({"S-319", "I-08"})
  void copiesWithLargeHeadsAreMadeForSomeSubscriptionsAfterTheOthers() {
    TopicFixture topic = TopicFixture.of(shard);
    List<QueueFixture> subscriptions = changing(topic);

    assertThat(refusals(topic.send(heavy(), Message.plain()))).isEmpty();

    assertThatEachHas(subscriptions, 2 * RULES);
    assertThatPartsWereSmall(SUBSCRIPTIONS / 2 + 1);
  }

  @Test
  @Rule({"S-319", "S-156", "I-08"})
  void soAreThoseOfWhatBecomesDue() {
    TopicFixture topic = TopicFixture.of(shard);
    List<QueueFixture> subscriptions = changing(topic);
    topic.schedule(new long[] {shard.nowMillis + 1_000}, heavy());

    shard.advance(Duration.ofSeconds(2));

    assertThatEachHas(subscriptions, RULES);
    assertThatPartsWereSmall(SUBSCRIPTIONS / 2);
  }

  @Test
  @Rule({"S-319", "S-055", "I-08"})
  void aTopicThatRefusesTheUnmatchedTakesThemToo() {
    TopicFixture topic = TopicFixture.refusingUnmatched(shard);
    List<QueueFixture> subscriptions = changing(topic);

    assertThat(refusals(topic.send(heavy()))).isEmpty();

    assertThatEachHas(subscriptions, RULES);
    assertThatPartsWereSmall(SUBSCRIPTIONS / 2);
  }

  @Test
  @Rule({"S-319", "I-35"})
  void aRestartBetweenThePartsGoesOn() {
    TopicFixture topic = TopicFixture.of(shard);
    List<QueueFixture> subscriptions = changing(topic);
    shard.holdForwards(true);
    topic.send(heavy());
    shard.forwardOnce();
    assertThat(subscriptions).extracting(each -> each.counts().active()).contains(40L, 0L);

    shard.restartFromSnapshot();
    shard.holdForwards(false);

    assertThatEachHas(subscriptions, RULES);
  }

  @Test
  @Rule({"S-156", "S-319"})
  void whatBecomesDueBetweenThePartsComesBehindThem() {
    TopicFixture topic = TopicFixture.of(shard);
    List<QueueFixture> subscriptions = changing(topic);
    topic.schedule(new long[] {shard.nowMillis + 1_000}, Message.plain());
    shard.holdForwards(true);
    topic.send(heavy());
    shard.forwardOnce();

    shard.advance(Duration.ofSeconds(2));
    assertThat(subscriptions).extracting(each -> each.counts().active()).contains(40L, 0L);
    shard.holdForwards(false);

    assertThatEachHas(subscriptions, 2 * RULES);
    for (QueueFixture each : subscriptions) {
      assertThat(each.peek()).extracting(Received::enqueuedNumber).isSorted();
    }
  }

  @Test
  @Rule({"S-055", "S-195"})
  void wherePartOfTheFiltersFailATopicThatRefusesTheUnmatchedTakesWhatIsDeadLettered() {
    TopicFixture topic = TopicFixture.refusingUnmatched(shard);
    List<QueueFixture> keeping = new ArrayList<>();
    List<QueueFixture> leaving = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      leaving.add(failing(topic, "l" + i, false));
    }
    assertThat(refusals(topic.send(heavy()))).hasSize(1);
    for (int i = 0; i < 100; i++) {
      keeping.add(failing(topic, "k" + i, true));
    }

    assertThat(refusals(topic.send(heavy()))).isEmpty();

    assertThat(keeping).allMatch(each -> each.counts().deadLetters() == 1);
    assertThat(leaving).allMatch(each -> each.counts().deadLetters() == 0);
  }

  private static QueueFixture failing(TopicFixture topic, String name, boolean deadLetters) {
    return topic.subscription(
        QueueDefinition.named(name), deadLetters, TopicFixture.rule("r", "text / 0 = 1"));
  }

  /** Beyond 4 MiB; even where what fails is left out, as nothing that was accepted may vanish. */
  @Test
  @Rule({"S-319", "S-195", "I-08", "I-01"})
  void whatIsTooMuchForOneSubscriptionIsOneDeadLetterThere() {
    TopicFixture topic = TopicFixture.of(shard);
    int tooMany = (int) (CopyWeights.MOST_OF_SUBSCRIPTION / HEAD_BYTES) + 1;
    QueueFixture flooded = changing(topic, "flooded", tooMany, false);
    QueueFixture other = changing(topic, "other", 1, true);
    QueueFixture plain = topic.subscription("plain");

    topic.send(heavy());

    assertThat(flooded.counts().active()).isZero();
    assertThat(flooded.counts().deadLetters()).isEqualTo(1);
    assertThat(deadLetters).hasSize(1);
    assertThat(deadLetters.getFirst())
        .contains("RuleActionException", tooMany + " copies", "together more than 4194304 bytes");
    assertThatEachHas(List.of(other, plain), 1);
    topic.send(Message.plain());
    assertThat(flooded.counts().active()).isEqualTo(tooMany);
  }

  @Test
  @Rule({"S-195", "I-08"})
  void filtersThatFailAreWeighedToo() {
    TopicFixture topic = TopicFixture.of(shard);
    List<QueueFixture> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(topic.subscription("s" + i, TopicFixture.rule("r", "text / 0 = 1")));
    }

    topic.send(heavy());

    assertThat(all).allMatch(each -> each.counts().deadLetters() == 1);
    assertThatPartsWereSmall(4);
  }

  /** To make and encode a copy of its own costs, however few its bytes are. */
  @Test
  @Rule({"S-319", "I-08"})
  void ofManySmallOnesADecisionMakesAThousand() {
    TopicFixture topic = TopicFixture.of(shard);
    List<QueueFixture> subscriptions = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      subscriptions.add(changing(topic, "s" + i, 1, true));
    }
    List<Integer> copies = new ArrayList<>();
    shard.watch(decision -> copies.add(decision.made().size()));
    Message[] batch = new Message[100];
    Arrays.fill(batch, Message.plain());

    assertThat(refusals(topic.send(batch))).isEmpty();

    assertThatEachHas(subscriptions, 100);
    assertThat(copies)
        .allMatch(count -> count <= 1_000 + 40)
        .filteredOn(n -> n > 0)
        .hasSizeBetween(4, 5);
  }

  @Test
  @Rule({"S-319", "I-08"})
  void ofManySmallOnesOfOneMessageTooIfTheyAreOfManySubscriptions() {
    TopicFixture topic = TopicFixture.of(shard);
    List<QueueFixture> subscriptions = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      subscriptions.add(changing(topic, "s" + i, 100, true));
    }
    List<Integer> copies = new ArrayList<>();
    shard.watch(decision -> copies.add(decision.made().size()));

    assertThat(refusals(topic.send(Message.plain()))).isEmpty();

    assertThatEachHas(subscriptions, 100);
    assertThat(copies).allMatch(count -> count <= 1_100).filteredOn(n -> n > 0).hasSize(4);
  }
}
