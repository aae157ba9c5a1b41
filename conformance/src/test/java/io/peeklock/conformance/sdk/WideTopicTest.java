package io.peeklock.conformance.sdk;

import static io.peeklock.conformance.TestQueue.bodies;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.Rule;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A topic with so many subscriptions that the copies of a batch are made in slices. */
class WideTopicTest {
  private static final int SUBSCRIPTIONS = Integer.getInteger("wide.subscriptions", 150);
  private static final int MESSAGES = Integer.getInteger("wide.messages", 400);

  @Test
  @Rule({"S-053", "S-405", "S-406", "S-146"})
  void everySubscriptionHasEveryMessageInOrderAndWhatComesLaterBehindThem() throws Exception {
    var folder = Folders.fresh("wide");
    Files.createDirectories(folder);
    var config = folder.resolve("wide.yaml");
    var names = IntStream.range(0, SUBSCRIPTIONS).mapToObj(i -> "s" + i).toList();
    Files.writeString(
        config,
        "topics:\n  wide:\n    subscriptions:\n      " + String.join(":\n      ", names) + ":\n");
    try (var broker =
        BrokerProcess.start(folder.resolve("data"), List.of("--config", config.toString()))) {
      var client = Sdk.connection(broker.connectionString());

      sendBatchAndOne(client);

      var wanted =
          Stream.concat(IntStream.range(0, MESSAGES).mapToObj(String::valueOf), Stream.of("last"))
              .toList();
      for (var name : List.of("s0", "s" + SUBSCRIPTIONS / 2, names.getLast())) {
        assertHas(client, name, wanted);
      }
    }
  }

  private static void sendBatchAndOne(ServiceBusClientBuilder client) {
    try (var sender = client.sender().topicName("wide").buildClient()) {
      var batch = sender.createMessageBatch();
      for (int i = 0; i < MESSAGES; i++) {
        assertThat(batch.tryAddMessage(new ServiceBusMessage(String.valueOf(i)))).isTrue();
      }
      sender.sendMessages(batch);
      sender.sendMessage(new ServiceBusMessage("last"));
    }
  }

  private static void assertHas(
      ServiceBusClientBuilder client, String subscription, List<String> wanted) {
    try (var receiver =
        client
            .receiver()
            .topicName("wide")
            .subscriptionName(subscription)
            .maxAutoLockRenewDuration(Duration.ZERO)
            .disableAutoComplete()
            .buildClient()) {
      var got = TestQueue.next(receiver, wanted.size());
      assertThat(bodies(got)).isEqualTo(wanted);
      assertThat(got.getLast().getEnqueuedSequenceNumber()).isEqualTo(wanted.size());
    }
  }
}
