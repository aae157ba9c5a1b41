package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Request;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What one asks for by the thousand does not keep the shard from the others. */
class FairnessTest {
  private static final int MANY = 500;
  private static final Duration SLOW = Duration.ofMillis(1);

  private final ShardFixture world = new ShardFixture();

  @Test
  void aStepEndsInTimeThoughMoreWaits() {
    var queue = world.queue("q");
    var many = world.client();
    world.clock.slowWork(SLOW);
    for (var i = 0; i < MANY; i++) {
      many.ask(
          new Request.ListSessions(
              many, new ShardFixture.Note("list"), queue, Long.MAX_VALUE, 0, 0, 100));
    }
    var before = world.shard.meters().steps().count();

    world.home.settle();

    assertThat(many.told).hasSize(MANY);
    assertThat(world.shard.meters().steps().count() - before).isGreaterThanOrEqualTo(MANY / 2);
  }

  @Test
  void whoSendsBesideThousandsOfQuestionsIsAnsweredBeforeThem() {
    var queue = world.queue("q");
    var many = world.client();
    world.clock.slowWork(SLOW);
    for (var i = 0; i < MANY; i++) {
      many.ask(
          new Request.ListSessions(
              many, new ShardFixture.Note("list"), queue, Long.MAX_VALUE, 0, 0, 100));
    }
    var innocent = world.client();
    var answeredBehind = new int[1];
    innocent.whenTold = () -> answeredBehind[0] = many.told.size();

    innocent.send(queue, "m");

    assertThat(answeredBehind[0]).isLessThan(10);
    assertThat(many.told).hasSize(MANY);
  }
}
