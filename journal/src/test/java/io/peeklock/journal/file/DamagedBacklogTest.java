package io.peeklock.journal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A batch of which more copies are made than one decision makes waits in its topic while the broker
 * is killed, and bits of the log flip under some of its messages before they are read again.
 */
class DamagedBacklogTest {
  private static final int SUBSCRIPTIONS = 250;
  private static final int MESSAGES = 60; // 15,000 copies; one decision makes 12,500

  private final StagesWorld world = new StagesWorld(true);
  private QueueId topic = new QueueId(1);

  DamagedBacklogTest() throws IOException {}

  /** One subscription has sessions, so that each message must be looked at. */
  @BeforeEach
  void create() {
    topic = world.queue(QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    for (var i = 0; i < SUBSCRIPTIONS; i++) {
      world.queue(
          QueueDefinition.named("events/Subscriptions/s" + i)
              .withSession(i == 7)
              .as(new QueueRole.Subscription("events", true)));
    }
  }

  private static String text(int number) {
    return "message number " + (100 + number);
  }

  @Test
  void aMessageThatIsDamagedInTheLogIsATransferDeadLetterAndAllElseGoesOn() throws IOException {
    var texts = IntStream.range(0, MESSAGES).mapToObj(DamagedBacklogTest::text).toList();
    var client = world.client(null);
    client.publish(topic, texts.toArray(String[]::new));
    client.publish(topic, "behind");
    world.step();

    world.restart(text(57), text(59));
    assertThat(world.texts("events/Subscriptions/s0")).as("the rest waits").hasSize(50);
    assertThat(world.counts(topic).transferDeadLetters()).as("before a second try").isZero();
    world.pass(11_000);

    var arrived = new ArrayList<>(texts);
    arrived.removeAll(List.of(text(57), text(59)));
    arrived.add("behind");
    for (var i : new int[] {0, 7, SUBSCRIPTIONS - 1}) {
      assertThat(world.texts("events/Subscriptions/s" + i)).isEqualTo(arrived);
    }
    assertThat(world.counts(topic).transfers()).isZero();
    assertThat(world.counts(topic).transferDeadLetters()).isEqualTo(2);
    assertThat(world.shard().standing()).isEmpty();
    assertThat(world.news()).isEmpty();
  }
}
