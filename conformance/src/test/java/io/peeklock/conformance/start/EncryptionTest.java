package io.peeklock.conformance.start;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.AmqpTransportType;
import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.Authority;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Sdk;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.NotRun;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The client for Java in TLS, over TCP and WebSockets, with the authority of the broker. */
@Isolated // trust is one thing for a whole JVM
@LongProof
class EncryptionTest {
  private static final int HTTPS = 443;
  private static final List<Integer> SIZES = List.of(1, 100_000, 3_000_000);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path data = Folders.fresh("encryption");
  private final List<BrokerProcess> started = new ArrayList<>();
  private SSLContext before;

  @BeforeEach
  void remember() throws Exception {
    before = SSLContext.getDefault();
  }

  @AfterEach
  void away() {
    SSLContext.setDefault(before);
    started.forEach(BrokerProcess::close);
  }

  @Test
  @Rule("S-481")
  void everythingWorksInTls() throws Exception {
    var broker = start("0");

    thereAndBack(Sdk.connection(encrypted(broker.port())));
  }

  @Test
  @Rule({"S-481", "T-64"})
  void everythingWorksOverAWebSocketInTls() throws Exception {
    var broker = start("0");

    thereAndBack(overWebSocket(encrypted(broker.port())));
  }

  @Test
  @Rule({"S-481", "T-64"})
  void withoutAPortTheWebSocketGoesTo443() throws Exception {
    if (!mayBind()) {
      throw NotRun.because("port 443 is taken, or may not be bound");
    }
    start("0," + HTTPS);

    thereAndBack(overWebSocket(encrypted(HTTPS).replace(":" + HTTPS, "")));
  }

  private static void thereAndBack(ServiceBusClientBuilder client) {
    try (var sender = client.sender().queueName("orders").buildClient()) {
      for (var size : SIZES) {
        sender.sendMessage(new ServiceBusMessage(BinaryData.fromBytes(new byte[size])));
      }
    }
    var received = new ArrayList<Integer>();
    try (var receiver = client.receiver().queueName("orders").disableAutoComplete().buildClient()) {
      while (received.size() < SIZES.size()) {
        for (var message : receiver.receiveMessages(SIZES.size() - received.size(), PATIENCE)) {
          received.add(message.getBody().toBytes().length);
          receiver.complete(message);
        }
      }
    }
    assertThat(received).isEqualTo(SIZES);
  }

  private static ServiceBusClientBuilder overWebSocket(String connection) {
    return Sdk.connection(connection).transportType(AmqpTransportType.AMQP_WEB_SOCKETS);
  }

  private static String encrypted(int port) {
    return "Endpoint=sb://localhost:"
        + port
        + ";SharedAccessKeyName="
        + BrokerProcess.KEY_NAME
        + ";SharedAccessKey="
        + BrokerProcess.KEY;
  }

  private BrokerProcess start(String ports) throws Exception {
    var broker = BrokerProcess.start(data, List.of("--port", ports, "--queue", "orders"));
    started.add(broker);
    SSLContext.setDefault(trusting(Authority.of(broker)));
    return broker;
  }

  private static boolean mayBind() {
    try (var free = new ServerSocket(HTTPS, 1, InetAddress.getLoopbackAddress())) {
      return free.isBound();
    } catch (IOException takenOrForbidden) {
      return false;
    }
  }

  private static SSLContext trusting(Path ca) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (var in = Files.newInputStream(ca)) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
