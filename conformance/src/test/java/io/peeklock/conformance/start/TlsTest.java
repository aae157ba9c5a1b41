package io.peeklock.conformance.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.proof.Rule;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may come without encryption, and that a client comes through with it. */
class TlsTest {
  private static final Pattern GENERATED_KEY = Pattern.compile("SharedAccessKey=([^;]+);");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path data = Folders.fresh("tls");
  private final Deque<BrokerProcess> started = new ArrayDeque<>();
  private @TempDir Path folder;

  @AfterEach
  void away() {
    started.forEach(BrokerProcess::close);
  }

  @Test
  @Rule("S-481")
  void openToOtherMachinesItWantsTlsOrAWord() {
    var refused = kept(BrokerProcess.refused(data, 0, List.of("--bind", "0.0.0.0")));

    assertThat(refused.awaitExit()).isEqualTo(2);
    assertThat(refused.output().text())
        .contains("--tls-certificate", "--allow-plaintext")
        .doesNotContain("\tat ");
  }

  @Test
  @Rule({"S-481", "S-465"})
  void aClientSendsAndReceivesThroughTlsAndNotWithoutIt() throws Exception {
    var bundle = selfSigned();
    var broker = start(bundle, "--bind", "0.0.0.0", "--queue", "orders");
    var key = broker.output().await(0, GENERATED_KEY, PATIENCE).orElseThrow().group(1);
    assertThat(key).isNotEqualTo(BrokerProcess.KEY);

    var secure = "amqps://localhost:" + broker.port() + "?transport.trustStoreLocation=";
    assertThat(thereAndBack(secure + trustStore(bundle), key)).isEqualTo("through");

    assertThatThrownBy(() -> thereAndBack("amqp://localhost:" + broker.port(), key))
        .isInstanceOf(JMSException.class);
    assertThatThrownBy(() -> thereAndBack("amqps://localhost:" + broker.port(), key))
        .as("a certificate that the client does not trust")
        .isInstanceOf(JMSException.class);
    assertThat(broker.alive()).isTrue();
  }

  private static String thereAndBack(String address, String key) throws JMSException {
    var factory = new JmsConnectionFactory(address);
    try (var connection = factory.createConnection(BrokerProcess.KEY_NAME, key)) {
      connection.start();
      var session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      var orders = session.createQueue("orders");
      session.createProducer(orders).send(session.createTextMessage("through"));
      var back = session.createConsumer(orders).receive(PATIENCE.toMillis());
      return back == null ? "nothing" : ((TextMessage) back).getText();
    }
  }

  private BrokerProcess start(X509Bundle bundle, String... options) throws Exception {
    var certificate = Files.writeString(folder.resolve("c.pem"), bundle.getCertificatePEM());
    var key = Files.writeString(folder.resolve("k.pem"), bundle.getPrivateKeyPEM());
    var all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--tls-certificate", certificate.toString(), "--tls-key", key.toString()));
    return kept(BrokerProcess.start(data, all));
  }

  private String trustStore(X509Bundle bundle) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("broker", bundle.getCertificate());
    var file = folder.resolve("trust.p12");
    try (var out = Files.newOutputStream(file)) {
      store.store(out, "changeit".toCharArray());
    }
    return file + "&transport.trustStorePassword=changeit&transport.storeType=PKCS12";
  }

  private static X509Bundle selfSigned() throws Exception {
    return new CertificateBuilder()
        .subject("CN=localhost")
        .addSanDnsName("localhost")
        .setIsCertificateAuthority(true)
        .buildSelfSigned();
  }

  private BrokerProcess kept(BrokerProcess broker) {
    started.push(broker);
    return broker;
  }
}
