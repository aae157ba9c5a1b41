package io.peeklock.conformance.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.PlainHttp;
import io.peeklock.conformance.Program;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.Test;

/**
 * No secret is in what the broker or a command prints, with every logger at its most talkative, nor
 * on disk but where it belongs: the key of the namespace in its file, the keys of entities in the
 * log and its checkpoints, for administrators read them back (S-470).
 */
@LongProof
class CanaryTest {
  private static final String ROOT = BrokerProcess.KEY_NAME;
  private static final String KEY_FILE = "namespace-key";
  private static final String PUT_TOKEN = "put-token";
  private static final String SAS = "servicebus.windows.net:sastoken";
  private static final String FINE = "HTTP/1.1 20";
  private static final String REFUSED = "HTTP/1.1 401";

  /** Those that nobody keeps, but for the file of the namespace's key. */
  private final Canaries fleeting = new Canaries();

  /** Those that the log keeps. */
  private final Canaries kept = new Canaries();

  private final String root = fleeting.secret("CanaryOfTheNamespaceQvXwZkPtRmNbVc");
  private final String wrong = fleeting.secret("CanaryOfAWrongKeyJhGfDsYuIo");
  private final String primary = kept.secret("CanaryOfAnEntityPrimaryLkMnBv");
  private final String secondary = kept.secret("CanaryOfAnEntitySecondaryTrEwQa");
  private final String replaced = kept.secret("CanaryOfAnEntityReplacedPoIuYt");

  private final Path data = Folders.fresh("canary");
  private final List<String> said = new ArrayList<>();

  @Test
  @Rule({"S-464", "S-466", "S-468", "S-473"})
  void noSecretIsPrintedOrKeptWhereItDoesNotBelong() throws Exception {
    Files.writeString(data.resolve(KEY_FILE), root + "\n");
    Files.setPosixFilePermissions(
        data.resolve(KEY_FILE), PosixFilePermissions.fromString("rw-------"));
    var talkative = Map.of("PEEKLOCK_LOG", "trace", "PEEKLOCK_LOG_LIBRARIES", "trace");
    var open =
        List.of(
            "--bind=0.0.0.0",
            "--allow-plaintext",
            "--wire-trace=all",
            "--queue=orders",
            "--queue=bills");
    try (var broker = BrokerProcess.startWith(talkative, data, open)) {
      administration(broker.port());
      messagesOverHttp(broker.port());
      brokenHttp(broker.port());
      tokens(broker.port());
      passwords(broker.port());
      webSockets(broker.port());
      commands(broker);
      assertThat(broker.stop()).isZero();
      said.add(broker.output().text());

      assertThat(said.getLast()).contains(" TRACE ", " DEBUG ", "Stopping");
      for (var text : said) {
        assertThat(fleeting.in(text)).isEmpty();
        assertThat(kept.in(text)).isEmpty();
      }
      nothingElsewhereOnDisk();
    }
  }

  private void nothingElsewhereOnDisk() throws IOException {
    var holders = new ArrayList<String>();
    try (var files = Files.walk(data)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var name = data.relativize(file).toString();
        if (!name.equals(KEY_FILE)) {
          assertThat(fleeting.in(file)).as(name).isEmpty();
        }
        if (!kept.in(file).isEmpty()) {
          holders.add(name);
        }
      }
    }
    assertThat(holders).isNotEmpty().allMatch(name -> name.matches("[0-9]+\\.(log|checkpoint)"));
    assertThat(fleeting.in(data.resolve(KEY_FILE))).containsExactly(root);
  }

  private static String authorised(String token) {
    return "Authorization: " + token + "\r\n";
  }

  private String good() {
    return authorised(fleeting.token("https://localhost/", ROOT, root));
  }

  private String bad() {
    return authorised(fleeting.token("https://localhost/", ROOT, wrong));
  }

  private String basic(String name, String key) {
    var text = (name + ":" + key).getBytes(StandardCharsets.UTF_8);
    return authorised("Basic " + fleeting.secret(Base64.getEncoder().encodeToString(text)));
  }

  private void administration(int port) throws IOException {
    var guarded = PlainHttp.guardedQueue("shop", primary, secondary, "Listen");
    assertThat(PlainHttp.ask(port, "PUT", "/guarded", good(), guarded)).startsWith(FINE);
    var next = guarded.replace(primary, replaced);
    var matching = "If-Match: *\r\n";
    assertThat(PlainHttp.ask(port, "PUT", "/guarded", good() + matching, next)).startsWith(FINE);
    assertThat(PlainHttp.ask(port, "GET", "/guarded", good(), "")).contains(replaced, secondary);
    assertThat(PlainHttp.ask(port, "PUT", "/guarded", bad(), guarded)).startsWith(REFUSED);
    var supplement = "ServiceBusSupplementaryAuthorization: ";
    var forwarding = PlainHttp.queue("<ForwardTo>bills</ForwardTo>");
    for (var key : List.of(root, wrong)) {
      var second = supplement + fleeting.token("https://localhost/bills", ROOT, key) + "\r\n";
      assertThat(PlainHttp.ask(port, "PUT", "/on-" + key.length(), good() + second, forwarding))
          .startsWith(key.equals(root) ? FINE : REFUSED);
    }
    for (var broken :
        List.of(
            guarded.substring(0, guarded.length() - 40),
            guarded.replace(">shop<", ">" + "x".repeat(300) + "<"),
            guarded.replace("Listen", wrong),
            wrong)) {
      assertThat(PlainHttp.ask(port, "PUT", "/broken", good(), broken)).startsWith("HTTP/1.1 400");
    }
  }

  private void messagesOverHttp(int port) throws IOException {
    assertThat(PlainHttp.ask(port, "POST", "/orders/messages", good(), "one")).startsWith(FINE);
    for (var header :
        List.of(
            bad(),
            authorised(fleeting.token("https://localhost/", wrong, root)),
            authorised(fleeting.token("https://localhost/bills", ROOT, root)),
            authorised("Bearer " + wrong),
            authorised("SharedAccessSignature " + wrong),
            authorised("SharedAccessSignature sr=" + wrong + "&sig=" + wrong + "&se=1&skn=a"),
            basic(ROOT, root))) {
      assertThat(PlainHttp.ask(port, "POST", "/orders/messages", header, "two"))
          .startsWith(REFUSED);
    }
    assertThat(PlainHttp.ask(port, "GET", "/metrics", basic(ROOT, root), "")).startsWith(FINE);
    assertThat(PlainHttp.ask(port, "GET", "/metrics", basic(ROOT, wrong), "")).startsWith(REFUSED);
  }

  /** What a decoder may want to quote. */
  private void brokenHttp(int port) throws IOException {
    for (var request :
        List.of(
            "GET /orders " + wrong + "\r\n\r\n",
            wrong + " /orders HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /orders?sig=" + wrong + " HTTP/1.1\r\nHost: elsewhere\r\n\r\n",
            "GET /orders HTTP/1.1\r\nHost: localhost\r\nAuthorization " + wrong + "\r\n\r\n",
            "GET /orders HTTP/1.1\r\nAuthorization: " + wrong + "\0\r\n\r\n",
            "GET /orders HTTP/1.1\r\nAuthorization: " + wrong.repeat(9_000) + "\r\n\r\n",
            "GET /" + wrong.repeat(1_000) + " HTTP/1.1\r\n\r\n")) {
      assertThat(PlainHttp.raw(port, request)).matches("(?s)(HTTP/1.1 [45].*)?");
    }
  }

  private void tokens(int port) throws IOException {
    var audience = "amqp://localhost/orders";
    putToken(port, SAS, audience, fleeting.token(audience, ROOT, root), true);
    var guarded = "amqp://localhost/guarded";
    putToken(port, SAS, guarded, fleeting.token(guarded, "shop", secondary), true);
    putToken(port, SAS, guarded, fleeting.token(guarded, "shop", primary), false);
    putToken(port, SAS, audience, fleeting.token(audience, ROOT, wrong), false);
    putToken(port, "jwt", audience, wrong, false);
    putToken(port, SAS, audience, "SharedAccessSignature sr=x&sig=%zz&se=1&skn=" + wrong, false);
    putToken(port, SAS, audience, Map.of(wrong, wrong), false);
    putToken(port, wrong, audience, wrong, false);
  }

  private static void putToken(int port, String type, String audience, Object token, boolean let)
      throws IOException {
    try (var client = RawConnection.anonymous(port)) {
      var reply =
          RawLinks.ask(
              client,
              "$cbs",
              Map.of("operation", PUT_TOKEN, "type", type, "name", audience),
              token);
      if (let) {
        assertThat(reply.properties().get("status-code")).isEqualTo(202);
      } else {
        assertThat(reply.properties().get("status-code")).isIn(400, 401);
      }
    }
  }

  private void passwords(int port) throws JMSException, IOException {
    logIn(port, ROOT, root);
    logIn(port, "shop", replaced);
    logIn(port, "shop", secondary);
    for (var each : List.of(Map.entry(ROOT, wrong), Map.entry("shop", primary))) {
      assertThatThrownBy(() -> logIn(port, each.getKey(), each.getValue()))
          .isInstanceOf(JMSSecurityException.class);
    }
    // Without TLS a password is not asked for; who sends it all the same is cut off.
    for (var response : List.of("\0" + ROOT + "\0" + root, wrong, wrong.repeat(30))) {
      try (var client = RawConnection.silent(port)) {
        assertThatThrownBy(
                () -> client.sasl("PLAIN", response.getBytes(StandardCharsets.ISO_8859_1)))
            .isInstanceOf(IOException.class);
      }
    }
  }

  private static void logIn(int port, String name, String key) throws JMSException {
    var factory =
        new JmsConnectionFactory(
            "amqps://localhost:" + port + "?transport.trustAll=true&transport.verifyHost=false");
    try (var connection = factory.createConnection(name, key)) {
      connection.start();
      var session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      session.close();
    }
  }

  private void webSockets(int port) throws IOException {
    var upgrade =
        String.join(
            "\r\n",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Host: localhost",
            "");
    for (var more :
        List.of(
            good() + "Sec-WebSocket-Protocol: amqp\r\n",
            bad() + "Sec-WebSocket-Protocol: " + wrong + "\r\n",
            "Origin: http://" + wrong + "\r\nSec-WebSocket-Protocol: amqp\r\n")) {
      var request = "GET /$servicebus/websocket HTTP/1.1\r\n" + upgrade + more + "\r\n";
      // An unmasked frame: the broker hangs up.
      assertThat(PlainHttp.raw(port, request + "\u0082\u0005" + wrong)).startsWith("HTTP/1.1 ");
    }
  }

  private void commands(BrokerProcess broker) {
    var connection = broker.connectionString(root);
    run(0, "queue", "list", "--connection", connection);
    run(3, "queue", "list", "--connection", broker.connectionString(wrong));
    run(0, "send", "orders", "x", "--connection", connection);
    run(3, "send", "orders", "x", "--connection", broker.connectionString(wrong));
    run(2, "receive", "orders", connection);
    run(2, "peek", "orders", "--conection=" + connection);
    run(2, "send", "orders", "x", "--connection", connection.replace(';', ','));
    run(4, "queue", "list", "--connection", connection.replace(":" + broker.port(), ":1"));
  }

  private void run(int code, String... arguments) {
    var program = Program.run(arguments);
    assertThat(program.exitCode()).as(String.join(" ", arguments)).isEqualTo(code);
    said.add(program.said());
  }
}
