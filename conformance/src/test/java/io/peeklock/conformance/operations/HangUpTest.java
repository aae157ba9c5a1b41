package io.peeklock.conformance.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Sdk;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGHUP to the real program, with the unmodified client for Java at work all the while. */
class HangUpTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private @TempDir Path folder;

  /** Whoever runs under nohup hands that down, and a JVM leaves it at that. */
  @BeforeEach
  void hearsTheSignal() throws IOException {
    var ignored =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
            .findFirst()
            .orElse(0);
    if ((ignored & 1) != 0) {
      throw NotRun.because("SIGHUP is ignored by whoever started the tests, as nohup does");
    }
  }

  @Test
  void theYamlFileIsReadAgainAndClientsDoNotNotice() throws Exception {
    var file = Files.writeString(folder.resolve("peeklock.yaml"), "queues:\n  orders:\n");
    var options = List.of("--config", file.toString());
    try (var broker = BrokerProcess.start(Folders.fresh("hangup"), options)) {
      var client = Sdk.connection(broker.connectionString());
      try (var sender = client.sender().queueName("orders").buildClient();
          var receiver = receiver(client, "orders")) {
        oneMore(sender, receiver, "before");
        var opened = opened(broker);

        Files.writeString(file, "queues:\n  orders: {MaxDeliveryCount: 2}\n  bills:\n");
        hangUp(broker, "1 made: bills, 1 changed: orders, 0 as before");
        oneMore(sender, receiver, "after");
        Files.writeString(file, "queues:\n  more:\n  orders: {MaxDeliveryCount: two}\n");
        hangUp(broker, "peeklock.yaml, line 3: .*\"two\" is not a whole number");
        oneMore(sender, receiver, "after a wrong file");
        Files.writeString(file, "segment-megabytes: 1\nqueues:\n  bills:\n");
        hangUp(broker, "next start is needed for what has changed of segment-megabytes");
        hangUp(broker, "0 made, 0 changed, 1 as before");
        oneMore(sender, receiver, "after all");

        assertThat(opened(broker)).as("and this look").isEqualTo(opened + 1);
      }
      oneMore(client, "bills");
      assertThat(broker.output().text()).contains("no longer in it: orders");
      assertThat(broker.stop()).isZero();
    }
  }

  @Test
  void theFileOfTheEmulatorIsReadAgainToo() throws Exception {
    var file = folder.resolve("Config.json");
    emulator(file, "one");
    var options = List.of("--config", file.toString());
    try (var broker = BrokerProcess.start(Folders.fresh("hangup-emulator"), options)) {
      emulator(file, "two");
      hangUp(broker, "1 made: two, 0 changed, 0 as before; not deleted.*: one");

      oneMore(Sdk.connection(broker.connectionString()), "two");
    }
  }

  @Test
  void withoutAFileTheSignalIsAnswered() throws Exception {
    var variables = Map.of("PEEKLOCK_HOST_NAMES", "broker.example");
    try (var broker = BrokerProcess.startWith(variables, Folders.fresh("hangup-none"), List.of())) {
      hangUp(broker, "no configuration file is named");

      assertThat(broker.stop()).isZero();
    }
  }

  private static void emulator(Path file, String queue) throws IOException {
    Files.writeString(
        file,
        "{\"UserConfig\": {\"Namespaces\": [{\"Queues\": [{\"Name\": \"" + queue + "\"}]}]}}");
  }

  private static void hangUp(BrokerProcess broker, String answer) {
    var mark = broker.output().mark();
    broker.hangUp();
    var line = broker.output().await(mark, Pattern.compile("SIGHUP: .*" + answer), PATIENCE);
    assertThat(line).as("%s in\n%s", answer, broker.output().tail(20)).isPresent();
  }

  private static double opened(BrokerProcess broker) throws IOException, InterruptedException {
    return Page.of(broker.port()).of("peeklock_connections_opened_total");
  }

  private static ServiceBusReceiverClient receiver(ServiceBusClientBuilder client, String queue) {
    return client.receiver().queueName(queue).disableAutoComplete().buildClient();
  }

  private static void oneMore(ServiceBusClientBuilder client, String queue) {
    try (var sender = client.sender().queueName(queue).buildClient();
        var receiver = receiver(client, queue)) {
      oneMore(sender, receiver, "to " + queue);
    }
  }

  private static void oneMore(
      ServiceBusSenderClient sender, ServiceBusReceiverClient receiver, String body) {
    sender.sendMessage(new ServiceBusMessage(BinaryData.fromString(body)));
    for (var message : receiver.receiveMessages(1, PATIENCE)) {
      assertThat(message.getBody().toString()).isEqualTo(body);
      receiver.complete(message);
      return;
    }
    throw new AssertionError("nothing came");
  }
}
