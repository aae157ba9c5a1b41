package io.peeklock.testkit;

import static io.peeklock.kernel.request.ReceiveMode.PEEK_LOCK;
import static io.peeklock.kernel.request.Settlement.COMPLETE;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A machine that sleeps, and one whose clock is wrong, as clients of a shard see them. */
final class ClockTest {
  private final ShardFixture world = new ShardFixture();

  @Test
  @Rule({"S-151", "I-31"})
  void whatCameDueInASleepIsActiveOnceTheMachineIsAwake() {
    var orders = world.queue("orders");
    var client = world.client();
    client.receive(orders, PEEK_LOCK, 1);
    client.schedule(orders, Duration.ofHours(1), "at one");

    world.clock.sleep(Duration.ofHours(8));
    world.shard.lookAtClock();
    world.shardExecutor.settle();

    var delivered = client.last(Effect.Delivered.class).messages();
    assertThat(delivered.enqueuedAtMillis()[0]).isEqualTo(world.clock.wallMillis());
    assertThat(delivered.lockedUntilMillis()).isEqualTo(world.clock.wallMillis() + 60_000);
  }

  @Test
  @Rule("I-18")
  void aLockOutlastsASleep() {
    var orders = world.queue("orders");
    var client = world.client();
    client.send(orders, "one");
    client.receive(orders, PEEK_LOCK, 1);

    world.clock.sleep(Duration.ofHours(8));
    world.shard.lookAtClock();
    world.shardExecutor.settle();

    client.settle(orders, COMPLETE, client.lockIds());
    assertThat(world.messages(orders)).isEmpty();
  }

  @Test
  @Rule({"S-151", "I-31"})
  void aClockThatWasADayAheadOnceMakesNothingDueEarlyFromThenOn() {
    var orders = world.queue("orders");
    var client = world.client();
    world.clock.stepWall(Duration.ofDays(1));
    world.shard.lookAtClock();
    world.shardExecutor.settle();
    world.advance(Duration.ofSeconds(11));
    client.send(orders, "tomorrow");
    world.clock.stepWall(Duration.ofDays(-1));
    world.shard.lookAtClock();
    assertThat(world.shard.clockAheadMillis()).isGreaterThan(80_000_000);

    client.schedule(orders, Duration.ofSeconds(60), "in a minute");
    client.receive(orders, PEEK_LOCK, 9);

    var first = client.last(Effect.Delivered.class).messages();
    assertThat(first.lockedUntilMillis()).isEqualTo(world.clock.wallMillis() + 60_000);
    world.advance(Duration.ofSeconds(59));
    assertThat(client.bodies).containsExactly(List.of("tomorrow"));
    world.advance(Duration.ofSeconds(1));
    assertThat(client.bodies.stream().flatMap(List::stream)).contains("in a minute");
  }
}
