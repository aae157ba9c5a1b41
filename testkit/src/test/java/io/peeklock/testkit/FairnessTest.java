package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.request.Request;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What one asks for by the thousand does not keep the shard from the others. */
class FairnessTest {
  private static final int MANY = 500;
  private static final Duration SLOW = Duration.ofMillis(1);

  private final ShardFixture world = new ShardFixture();
  private final QueueId queue = world.queue("q");
  private final ShardFixture.Client many = world.client();

  /** Each decision takes a while, and one client waits for many. */
  private void asksForMuch() {
    world.clock.slowWork(SLOW);
    for (var i = 0; i < MANY; i++) {
      many.ask(
          new Request.ListSessions(
              many, new ShardFixture.Note("list"), queue, Long.MAX_VALUE, 0, 0, 100));
    }
  }

  @Test
  void aStepEndsInTimeThoughMoreWaits() {
    asksForMuch();
    var before = world.shard.meters().steps().count();

    world.shardExecutor.settle();

    assertThat(many.told).hasSize(MANY);
    assertThat(world.shard.meters().steps().count() - before).isGreaterThanOrEqualTo(MANY / 4);
  }

  @Test
  void whoSendsBesideThousandsOfQuestionsIsAnsweredBeforeThem() {
    asksForMuch();
    var innocent = world.client();
    var answeredBehind = new int[1];
    innocent.whenTold = () -> answeredBehind[0] = many.told.size();

    innocent.send(queue, "m");

    assertThat(answeredBehind[0]).isLessThan(10);
    assertThat(many.told).hasSize(MANY);
  }

  @Test
  @Rule({"S-151", "S-156", "S-168"})
  void whatIsScheduledInATopicThatMustReadItDoesNotWaitForAFloodThatExpires() {
    var brief =
        world.queue(QueueDefinition.named("brief").with().defaultTimeToLiveMillis(1_000).build());
    var topic = world.queue(QueueDefinition.named("feed").as(new QueueRole.Topic(false)));
    world.queue(
        QueueDefinition.named("feed/subscriptions/all")
            .as(new QueueRole.Subscription("feed", false))
            .withSession(true));
    many.schedule(topic, Duration.ofMillis(1_500), "due");
    for (var i = 0; i < 10; i++) {
      many.send(brief, Collections.nCopies(1_000, "x").toArray(String[]::new));
    }
    var before = world.journal.durableBatches().size();

    world.clock.advance(Duration.ofSeconds(2)); // all is due before time is looked at
    world.advance(Duration.ofSeconds(1));

    var kinds =
        world.journal.durableBatches().stream()
            .skip(before)
            .flatMap(batch -> batch.facts().stream())
            .map(Fact::getClass)
            .toList();
    assertThat(kinds.stream().filter(Fact.Expired.class::equals).count()).isGreaterThan(15);
    assertThat(kinds.indexOf(Fact.ScheduledPublished.class)).isBetween(0, 4);
  }

  @Test
  @Rule({"S-053", "I-05"})
  void copiesThatAreMadeLaterDoNotFillALogThatIsBehind() {
    var topic = feed();
    world.clock.slowWork(Duration.ofMillis(4));
    world.journal.holdSyncs();
    world.journal.setBacklogBytes(2 << 20);
    many.submit(topic, true, Collections.nCopies(4_000, "x").toArray(String[]::new));
    world.shardExecutor.settle();
    var waiting = world.journal.pendingBatches();
    world.client().send(queue, "in time");

    assertThat(world.journal.pendingBatches()).isEqualTo(waiting + 1);
    assertThat(waiting).as("the first part, and one that follows").isLessThanOrEqualTo(2);

    var syncs = 0;
    while (world.journal.pendingBatches() > 0) {
      world.journal.sync();
      world.shardExecutor.settle();
      syncs++;
    }
    assertThat(syncs).as("one part for each time that the log has kept up").isGreaterThan(8);
    assertThat(copies()).isEqualTo(40 * 4_000);
  }

  @Test
  @Rule("S-053")
  void copiesThatAreMadeLaterWaitForNoLogThatKeepsUp() {
    var topic = feed();
    world.journal.holdSyncs();
    many.submit(topic, true, Collections.nCopies(4_000, "x").toArray(String[]::new));
    world.shardExecutor.settle();
    world.journal.sync();

    assertThat(copies()).isEqualTo(40 * 4_000);
  }

  private QueueId feed() {
    var topic = world.queue(QueueDefinition.named("feed").as(new QueueRole.Topic(false)));
    for (var i = 0; i < 40; i++) {
      world.queue(
          QueueDefinition.named("feed/subscriptions/" + i)
              .as(new QueueRole.Subscription("feed", false)));
    }
    return topic;
  }

  private int copies() {
    var all = 0;
    for (var batch : world.journal.durableBatches()) {
      for (var fact : batch.facts()) {
        if (fact instanceof Fact.CopiesMessages copied) {
          for (var to : copied.copies()) {
            all += to.messages() == null ? copied.count() : to.messages().length;
          }
        }
      }
    }
    return all;
  }
}
