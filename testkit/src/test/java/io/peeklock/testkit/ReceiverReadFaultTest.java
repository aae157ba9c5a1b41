package io.peeklock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.ReadFault;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A read that fails, while what is stored is whole, costs the receiver that it was for. */
class ReceiverReadFaultTest {
  private final ReadFault tooShort =
      new ReadFault("segment-1 at 42", new OutOfMemoryError("Direct buffer memory"));

  private final ShardFixture world = new ShardFixture();

  @BeforeEach
  void memoryIsShortForOneRead() {
    world.journal.failLoads(1, tooShort);
  }

  @Test
  @Rule({"I-11", "I-45"})
  void theMessageIsDeliveredAgainAndTheFailureIsNotCounted() {
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    var unlucky = world.client();

    unlucky.receive(orders, ReceiveMode.PEEK_LOCK, 1);
    world.shardExecutor.settle();

    assertThat(unlucky.troubles).singleElement().asString().contains("Direct buffer memory");
    assertThat(unlucky.bodies).containsExactly(List.of("one"));
    assertThat(unlucky.last(Effect.Delivered.class).messages().deliveryCounts()).containsExactly(0);
  }

  @Test
  @Rule({"I-45", "S-208"})
  void aDeferredMessageThatWasNotReadIsNotLockedAndTheFailureIsNotCounted() {
    world.journal.failLoads(0);
    var orders = world.queue("orders");
    world.client().send(orders, "one");
    var receiver = world.client();
    receiver.receive(orders, ReceiveMode.PEEK_LOCK, 1);
    receiver.settle(orders, Settlement.DEFER, receiver.lockIds());
    world.journal.failLoads(1, tooShort);

    var client = world.client();
    client.ask(first(client, orders));
    world.shardExecutor.settle();
    client.ask(first(client, orders));
    world.shardExecutor.settle();

    assertThat(client.troubles).hasSize(1);
    var received = client.last(Effect.DeferredReceived.class).messages();
    assertThat(received.deliveryCounts()).as("the deferral alone").containsExactly(1);
  }

  @Test
  @Rule("I-45")
  void othersGoOnReceivingFromTheQueue() {
    var orders = world.queue("orders");
    var unlucky = world.client();
    var beside = world.client();
    beside.receive(orders, ReceiveMode.RECEIVE_AND_DELETE, 0);
    world.client().send(orders, "one");
    unlucky.receive(orders, ReceiveMode.RECEIVE_AND_DELETE, 1);
    world.shardExecutor.settle();

    world.client().send(orders, "two");
    beside.ask(new Request.Flow(beside, 10, false));
    world.shardExecutor.settle();

    assertThat(unlucky.troubles).hasSize(1);
    assertThat(beside.troubles).isEmpty();
    assertThat(beside.bodies.getLast()).containsExactly("two");
  }

  private static Request first(ShardFixture.Client client, QueueId queue) {
    return new Request.ReceiveDeferred(
        client,
        new ShardFixture.Note("first"),
        queue,
        new long[] {1},
        ReceiveMode.PEEK_LOCK,
        null,
        Long.MAX_VALUE);
  }
}
