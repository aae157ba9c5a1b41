package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Effect;
import io.peeklock.kernel.NamespaceLimits;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.ReceiveMode;
import io.peeklock.kernel.Refusal;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.testkit.ShardFixture.Client;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Where stored messages take all of the heap that they may, sends are refused as by a full disk.
 */
class FullMemoryTest {
  private static final long BOUND = 64 << 10;

  private final ShardFixture fixture = new ShardFixture();
  private final Client client = fixture.new Client();
  private QueueId orders = new QueueId(1);

  @BeforeEach
  void bound() throws IOException {
    fixture.shard.limit(NamespaceLimits.NONE, Long.MAX_VALUE, BOUND);
    fixture.shard.start();
    fixture.home.settle();
    orders = fixture.queue("orders");
  }

  private BudgetUse messages() {
    return fixture.shard.budgets().stream()
        .filter(use -> use.name().equals("messages"))
        .findAny()
        .orElseThrow();
  }

  /** Sends until one is refused; how many were taken. */
  private int fill() {
    for (var sent = 0; sent < 100_000; sent++) {
      client.send(orders, "x");
      fixture.home.settle();
      var refusals = client.last(Effect.SendAnswered.class).refusals();
      if (refusals != null) {
        assertThat(refusals).singleElement().isInstanceOf(Refusal.StoreFull.class);
        return sent;
      }
    }
    throw new AssertionError("there is no end");
  }

  @Test
  @Rule({"I-46", "I-08"})
  void sendsAreRefusedWhenItIsFullAndTakenWhenMessagesHaveGone() {
    var sent = fill();

    assertThat(sent).isGreaterThan(500);
    assertThat(messages().taken()).isBetween(BOUND, BOUND * 5 / 4 + (32 << 10));
    assertThat(messages().refused()).isEqualTo(1);
    assertThat(fixture.shard.takesSends()).isFalse();

    client.receive(orders, ReceiveMode.RECEIVE_AND_DELETE, sent);
    fixture.home.settle();
    assertThat(fixture.shard.takesSends()).isTrue();
    client.send(orders, "again");
    fixture.home.settle();
    assertThat(client.last(Effect.SendAnswered.class).refusals()).isNull();
  }

  @Test
  @Rule({"I-46", "I-08"})
  void afterARestartItIsAsFull() throws IOException {
    fill();

    fixture.shard.start();
    fixture.home.settle();

    assertThat(fixture.shard.takesSends()).isFalse();
  }
}
