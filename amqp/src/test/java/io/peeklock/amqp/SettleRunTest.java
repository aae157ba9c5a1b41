package io.peeklock.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.deliver.SettleRun;
import io.peeklock.kernel.fact.Fact;
import org.junit.jupiter.api.Test;

/** How settlements that come together are asked for. */
class SettleRunTest {
  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.client().sender(0, 0, "q");

  @Test
  void oneDispositionOfVeryManyDeliveriesBecomesRequestsOfABoundedSize() {
    var many = 2 * SettleRun.MOST + 3;
    for (var i = 0; i < many; i++) {
      client.message(0, TestMessage.text("m"));
      client.forget();
    }
    client.receiver(0, 1, "q", 0).credit(1, many).forget();

    client.dispose(0, many - 1, true, TestClient.accepted());

    var completed =
        broker.journal.durableBatches().stream()
            .flatMap(batch -> batch.facts().stream())
            .filter(Fact.Completed.class::isInstance)
            .mapToInt(fact -> ((Fact.Completed) fact).sequenceNumbers().length)
            .toArray();
    assertThat(completed).containsExactly(SettleRun.MOST, SettleRun.MOST, 3);
  }
}
