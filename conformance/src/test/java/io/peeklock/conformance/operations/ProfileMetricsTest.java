package io.peeklock.conformance.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What metrics say where it depends on the profile. */
@LongProof
class ProfileMetricsTest {
  private static ServiceBusClientBuilder client(BrokerProcess broker) {
    return new ServiceBusClientBuilder()
        .connectionString(broker.connectionString())
        .retryOptions(new AmqpRetryOptions().setMaxRetries(0));
  }

  @ParameterizedTest
  @CsvSource({"standard, 1", "premium, 0", "relaxed, 1"})
  @Rule("S-300")
  void whatIsForwardedIsNotOutgoingAndIncomingOnlyWhereTheProfileSaysSo(
      String profile, int incoming) throws IOException, InterruptedException {
    var options = List.of("--profile=" + profile, "--queue=end", "--queue=start,ForwardTo=end");
    try (var broker = BrokerProcess.start(Folders.fresh("forwarded-" + profile), options);
        var sender = client(broker).sender().queueName("start").buildClient();
        var receiver = client(broker).receiver().queueName("end").buildClient()) {
      sender.sendMessage(new ServiceBusMessage("on its way"));
      receiver.complete(TestQueue.next(receiver));

      var page = Page.of(broker.port());
      assertThat(page.of("peeklock_messages_incoming_total", "start")).isEqualTo(1);
      assertThat(page.of("peeklock_messages_outgoing_total", "start")).isZero();
      assertThat(page.of("peeklock_messages_forwarded_total", "start")).isEqualTo(1);
      assertThat(page.of("peeklock_messages_incoming_total", "end")).isEqualTo(incoming);
      assertThat(page.of("peeklock_messages_forwarded_here_total", "end")).isEqualTo(1);
      assertThat(page.of("peeklock_messages_outgoing_total", "end")).isEqualTo(1);
    }
  }

  @Test
  @Rule({"S-447", "S-493"})
  void throttledRequestsAreCounted() throws IOException, InterruptedException {
    var options = List.of("--profile=standard", "--credits-per-second=3", "--queue=orders");
    try (var broker = BrokerProcess.start(Folders.fresh("throttled-metrics"), options);
        var sender = client(broker).sender().queueName("orders").buildClient()) {
      assertThat(Page.of(broker.port()).of("peeklock_requests_throttled_total")).isZero();

      assertThatThrownBy(() -> sendForEver(sender)).isInstanceOf(ServiceBusException.class);

      assertThat(Page.of(broker.port()).of("peeklock_requests_throttled_total")).isEqualTo(1);
    }
  }

  private static void sendForEver(ServiceBusSenderClient sender) {
    while (true) {
      sender.sendMessage(new ServiceBusMessage("one too many"));
    }
  }
}
