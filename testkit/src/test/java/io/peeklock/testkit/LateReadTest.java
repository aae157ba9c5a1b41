package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.proof.Rule;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** One read that is never answered is noticed, though all others are. */
class LateReadTest {
  private final ShardFixture fixture = new ShardFixture();
  private final QueueId queue = fixture.queue(QueueDefinition.named("q"));

  private void receive() {
    var client = fixture.client();
    client.send(queue, "message");
    client.receive(queue, ReceiveMode.PEEK_LOCK, 1);
  }

  /** Twice a second somebody receives, and gets what he asked for half a second later. */
  private void others(int seconds) {
    for (var i = 0; i < 2 * seconds; i++) {
      receive();
      fixture.advance(Duration.ofMillis(500));
      fixture.journal.answerNewestLoad();
      fixture.shardExecutor.settle();
    }
  }

  @Test
  @Rule("I-45")
  void oneThatNeverComesIsToldAfterHalfAMinute() {
    fixture.journal.holdLoads();
    receive();

    others(29);
    assertThat(fixture.shard.standing()).isEmpty();
    assertThat(fixture.shard.stoodMillis()).isLessThan(1_000);
    others(8);

    assertThat(fixture.shard.standing())
        .hasValueSatisfying(
            it -> assertThat(it).contains("Reading from the disk", "has not come for 3"));
    assertThat(fixture.shard.stoodMillis()).isBetween(30_000L, 37_000L);
    fixture.journal.letLoadsGo();
    fixture.shardExecutor.settle();
    assertThat(fixture.shard.standing()).isEmpty();
    assertThat(fixture.shard.stoodMillis()).isZero();
  }

  @Test
  @Rule("I-45")
  void manyOfWhichEachIsAnsweredAreNot() {
    fixture.journal.holdLoads();
    receive();

    for (var i = 0; i < 80; i++) {
      receive();
      fixture.advance(Duration.ofMillis(500));
      fixture.journal.answerLoad();
      fixture.shardExecutor.settle();
    }

    assertThat(fixture.shard.standing()).isEmpty();
  }

  @Test
  @Rule("I-45")
  void whatALostTermAskedForIsNotWaitedFor() {
    fixture.journal.holdLoads();
    receive();
    others(37);
    assertThat(fixture.shard.standing()).isPresent();

    fixture.journal.loseLeadership(0);
    fixture.shardExecutor.settle();

    assertThat(fixture.shard.standing()).isEmpty();
  }
}
