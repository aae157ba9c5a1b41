package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.runtime.EntityCounting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A batch of which more copies are made than one decision makes waits in its topic, and all that is
 * sent there later waits behind it. What of it cannot be read must not hold the topic up for ever.
 */
class BacklogReadTest {
  private static final int SUBSCRIPTIONS = 250;
  private static final int MESSAGES = 60; // 15,000 copies; one decision makes 12,250
  private static final int AT_ONCE = 49;

  private final ShardFixture fixture = new ShardFixture();
  private final ShardFixture.Client client = fixture.client();
  private final List<QueueId> subscriptions = new ArrayList<>();
  private QueueId topic = new QueueId(1);

  /** One that must look at the ids of messages. */
  @BeforeEach
  void create() {
    var events = QueueDefinition.named("events").with().duplicateWindowMillis(600_000);
    topic = fixture.queue(events.role(new QueueRole.Topic(false)).build());
    for (var i = 0; i < SUBSCRIPTIONS; i++) {
      subscriptions.add(
          fixture.queue(
              QueueDefinition.named("events/Subscriptions/s" + i)
                  .as(new QueueRole.Subscription("events", true))));
    }
  }

  private static String[] texts() {
    return IntStream.rangeClosed(1, MESSAGES).mapToObj(i -> "m" + i).toArray(String[]::new);
  }

  private static List<String> allBut(String... left) {
    var all = new ArrayList<>(List.of(texts()));
    all.removeAll(Arrays.asList(left));
    return all;
  }

  private List<String> in(int subscription) {
    return fixture.messages(subscriptions.get(subscription));
  }

  private EntityCounts counts() {
    var answer = EntityCounting.of(fixture.shard, List.of(topic));
    fixture.shardExecutor.settle();
    return Objects.requireNonNull(answer.join().get(0));
  }

  /** Loses the body of the message with this number of the batch that is sent next. */
  private void damage(int number) {
    fixture.journal.damage(fixture.journal.nextBodyId() + number - 1);
  }

  @Test
  void whatCannotBeReadIsATransferDeadLetterAndAllElseGoesOn() {
    damage(57);
    damage(58);
    damage(60);
    client.send(topic, true, texts());
    client.send(topic, "behind");
    assertThat(in(0)).hasSize(AT_ONCE);
    assertThat(counts().transferDeadLetters()).as("not before a second try").isZero();

    fixture.advance(Duration.ofSeconds(11));

    var arrived = allBut("m57", "m58", "m60");
    arrived.add("behind");
    assertThat(in(0)).isEqualTo(arrived);
    assertThat(in(SUBSCRIPTIONS - 1)).isEqualTo(arrived);
    assertThat(counts().transfers()).isZero();
    assertThat(counts().transferDeadLetters()).isEqualTo(3);
    client.send(topic, "later");
    assertThat(in(0)).as("nothing waits any more").endsWith("behind", "later");
    assertThat(fixture.shard.standing()).isEmpty();
    assertThat(fixture.journal.leaks()).isZero();
    assertThat(fixture.news).isEmpty();
  }

  @Test
  void aReadThatFailsOnceCostsNothing() {
    fixture.journal.failLoads(1);
    client.send(topic, true, texts());
    client.send(topic, "behind");
    assertThat(in(0)).hasSize(AT_ONCE);

    fixture.advance(Duration.ofSeconds(11));

    var all = allBut();
    all.add("behind");
    assertThat(in(0)).isEqualTo(all);
    assertThat(counts().transferDeadLetters()).isZero();
  }
}
