package io.peeklock.conformance.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Program;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.LongProof;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two namespaces and the default one, each with a queue of the same name. */
@LongProof
class NamespacesTest {
  private static final String CONFIG =
      """
      queues:
        orders:
      namespaces:
        tests:
          queues:
            orders:
              MaxDeliveryCount: 3
        bound:
          port: 0
          queues:
            orders:
      """;

  private @TempDir Path folder;
  private BrokerProcess broker;

  @BeforeEach
  void start() throws IOException {
    broker = start(List.of());
  }

  private BrokerProcess start(List<String> more) throws IOException {
    var config = Files.writeString(folder.resolve("broker.yaml"), CONFIG).toString();
    var options = new ArrayList<>(List.of("--config", config));
    options.addAll(more);
    return BrokerProcess.start(Folders.fresh("namespaces"), options);
  }

  @AfterEach
  void away() {
    broker.close();
  }

  /** The Java client, which calls a name that this machine need not know. */
  private ServiceBusClientBuilder client(String host, String key) {
    var at = "localhost:" + broker.port();
    return Sdk.connection(broker.connectionString(key).replace(at, host + ":" + broker.port()))
        .customEndpointAddress("http://" + at);
  }

  private ServiceBusClientBuilder client(String host) {
    return client(host, BrokerProcess.KEY);
  }

  private static void send(ServiceBusClientBuilder client, String... bodies) {
    try (var sender = client.sender().queueName("orders").buildClient()) {
      for (var body : bodies) {
        sender.sendMessage(new ServiceBusMessage(body));
      }
    }
  }

  private static List<String> peeked(ServiceBusClientBuilder client) {
    try (var receiver = client.receiver().queueName("orders").buildClient()) {
      return TestQueue.bodies(receiver.peekMessages(10).stream().toList());
    }
  }

  private int boundPort() {
    return broker
        .output()
        .text()
        .lines()
        .filter(line -> line.startsWith("namespace ") && line.contains("port "))
        .map(line -> Integer.parseInt(line.replaceAll(".*port (\\d+).*", "$1")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theSdkReachesTheQueueOfTheNamespaceThatItNamesAcrossAKill() throws Exception {
    send(client("tests.servicebus.windows.net"), "a", "b");
    send(client("localhost"), "c");
    send(client("localhost").customEndpointAddress("http://localhost:" + boundPort()), "d");

    broker.kill();
    broker.restart();

    assertThat(peeked(client("TESTS.localhost"))).containsExactly("a", "b");
    assertThat(peeked(client("nobody.localhost"))).containsExactly("c");
    assertThat(peeked(client("bound"))).containsExactly("d");
    assertThat(metrics())
        .containsPattern("peeklock_messages\\{.*namespace=\"tests\",state=\"active\"\\} 2")
        .containsPattern("peeklock_messages\\{.*namespace=\"default\",state=\"active\"\\} 1");
    assertThat(broker.stop()).isZero();
    for (var each : List.of("", "namespaces/tests", "namespaces/bound")) {
      var verified = Program.run("store", "verify", broker.data().resolve(each).toString());
      assertThat(verified.said()).contains("all is well");
    }
  }

  private String metrics() throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var page = URI.create("http://localhost:" + broker.port() + "/metrics");
      return http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void aClientWithAPasswordNamesItsNamespaceToo() throws JMSException {
    send(client("tests.localhost"), "of tests");
    send(client("localhost"), "of the default");

    assertThat(receivedByJms("?amqp.vhost=tests.localhost", BrokerProcess.KEY))
        .isEqualTo("of tests");
    assertThat(receivedByJms("", BrokerProcess.KEY)).isEqualTo("of the default");
  }

  private String receivedByJms(String options, String key) throws JMSException {
    var factory = new JmsConnectionFactory("amqp://localhost:" + broker.port() + options);
    try (var connection = factory.createConnection(BrokerProcess.KEY_NAME, key)) {
      connection.start();
      var session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      var message = session.createConsumer(session.createQueue("orders")).receive(15_000);
      return message instanceof TextMessage text
          ? text.getText()
          : new String(message.getBody(byte[].class), StandardCharsets.UTF_8);
    }
  }

  @Test
  void theKeyOfOneNamespaceDoesNotOpenAnother() throws Exception {
    broker.close();
    broker = start(List.of("--bind", "0.0.0.0", "--allow-plaintext"));
    var data = broker.data();
    var key = Files.readString(data.resolve("namespace-key")).strip();
    var ofTests = Files.readString(data.resolve("namespaces/tests/namespace-key")).strip();

    send(client("tests.localhost", ofTests), "a");
    send(client("localhost", key), "b");

    for (var wrong :
        List.of(client("localhost", ofTests), client("tests", key), client("bound", ofTests))) {
      assertThatThrownBy(() -> send(wrong, "c"))
          .isInstanceOfSatisfying(
              ServiceBusException.class,
              refused ->
                  assertThat(refused.getReason()).isEqualTo(ServiceBusFailureReason.UNAUTHORIZED));
    }
    assertThat(peeked(client("tests.localhost", ofTests))).containsExactly("a");
  }

  @Test
  void oneCommandEmptiesOneNamespace() {
    send(client("tests.localhost"), "a");
    send(client("localhost"), "b");
    var at = broker.connectionString().replace("localhost", "tests.localhost");

    var kept = Program.run("namespace", "empty", "--keep-entities", "--connection", at);

    assertThat(kept.said()).contains("all messages deleted");
    assertThat(peeked(client("tests.localhost"))).isEmpty();
    assertThat(peeked(client("localhost"))).containsExactly("b");
    send(client("tests.localhost"), "c");
    broker.kill();
    broker.restart();
    assertThat(peeked(client("tests.localhost"))).containsExactly("c");

    assertThat(Program.run("namespace", "empty", "--connection", at).exitCode()).isZero();

    var queues = Program.run("queue", "list", "--connection", at);
    assertThat(queues.said()).doesNotContain("orders");
    assertThat(Program.run("queue", "list", "--connection", broker.connectionString()).said())
        .contains("orders");
  }
}
