package io.peeklock.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The administration API: each attack costs its own request and a line, and no key is printed. */
class HostileAdminTest {
  @RegisterExtension static final Fortress FORTRESS = new Fortress();

  private static final String KEY = BrokerProcess.KEY;
  private static final String RULES =
      "<AuthorizationRules><AuthorizationRule xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\""
          + " i:type=\"SharedAccessAuthorizationRule\"><Rights><AccessRights>Manage</AccessRights>"
          + "<AccessRights>Send</AccessRights><AccessRights>Listen</AccessRights></Rights>"
          + "<KeyName>owner</KeyName><PrimaryKey>Canary7Qx-one</PrimaryKey>"
          + "<SecondaryKey>Canary7Qx-two</SecondaryKey></AuthorizationRule></AuthorizationRules>";

  @Test
  @Rule({"S-441", "S-470", "S-473"})
  void keysAreKeptAndReplacedWithoutBeingPrinted() throws Exception {
    var made = put("/keys", token(BrokerProcess.KEY_NAME, KEY), "", entry(RULES));
    assertThat(made).startsWith("HTTP/1.1 201 ").contains("Canary7Qx-one", "Canary7Qx-two");
    var owner = token("owner", "Canary7Qx-one");
    assertThat(get("/keys", owner)).startsWith("HTTP/1.1 200 ").contains("QueueDescription");
    assertThat(get("/target", owner)).startsWith("HTTP/1.1 401 ").doesNotContain("Canary7Qx");

    var next = entry(RULES.replace("Canary7Qx-one", "Canary7Qx-three"));
    assertThat(put("/keys", owner, "If-Match: *\r\n", next)).startsWith("HTTP/1.1 200 ");

    assertThat(get("/keys", owner)).startsWith("HTTP/1.1 401 ");
    assertThat(get("/keys", token("owner", "Canary7Qx-three"))).startsWith("HTTP/1.1 200 ");
    FORTRESS.stands(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Canary7Qx",
        "Bearer Canary7Qx",
        "SharedAccessSignature sr=Canary7Qx&sig=Canary7Qx&se=Canary7Qx&skn=Canary7Qx",
        "SharedAccessSignature Canary7Qx=1&Canary7Qx=2",
      })
  void aWrongTokenOpensNothing(String token) throws IOException {
    assertThat(get("/target", token)).startsWith("HTTP/1.1 401 ").doesNotContain("Canary7Qx");
    FORTRESS.stands(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE a [<!ENTITY b \"Canary7Qx\">]><entry>&b;</entry>",
        "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><entry/>",
        "<entry>Canary7Qx",
        "Canary7Qx",
      })
  void whatIsNoEntryIsRefused(String body) throws Exception {
    assertThat(put("/made", token(BrokerProcess.KEY_NAME, KEY), "", body))
        .startsWith("HTTP/1.1 400 ")
        .doesNotContain("Canary7Qx", "root:");
    FORTRESS.stands(1);
  }

  @Test
  void whatGrowsIsCutOff() throws Exception {
    var root = token(BrokerProcess.KEY_NAME, KEY);
    assertThat(put("/made", root, "", "<a>".repeat(80_000))).startsWith("HTTP/1.1 400 ");
    assertThat(put("/made", root, "", "<a>" + "<b/>".repeat(60_000) + "</a>"))
        .startsWith("HTTP/1.1 400 ");
    assertThat(put("/made", root, "", "Canary7Qx".repeat(60_000))).startsWith("HTTP/1.1 413 ");
    FORTRESS.stands(3);
  }

  private static String entry(String elements) {
    return "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content><QueueDescription xmlns="
        + "\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
        + elements
        + "</QueueDescription></content></entry>";
  }

  private static String token(String policy, String key) throws GeneralSecurityException {
    var resource = URLEncoder.encode("https://localhost", StandardCharsets.UTF_8);
    if (policy.equals("owner")) {
      resource = URLEncoder.encode("https://localhost/keys", StandardCharsets.UTF_8);
    }
    var expiry = Instant.now().getEpochSecond() + 600;
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    var signed = mac.doFinal((resource + "\n" + expiry).getBytes(StandardCharsets.UTF_8));
    var signature = Base64.getEncoder().encodeToString(signed);
    return "SharedAccessSignature sr="
        + resource
        + "&sig="
        + URLEncoder.encode(signature, StandardCharsets.UTF_8)
        + "&se="
        + expiry
        + "&skn="
        + policy;
  }

  private static String get(String path, String token) throws IOException {
    return answer("GET", path, token, "", "");
  }

  private static String put(String path, String token, String headers, String body)
      throws IOException {
    return answer(
        "PUT",
        path,
        token,
        headers + "Content-Type: application/xml\r\nContent-Length: " + body.length() + "\r\n",
        body);
  }

  private static String answer(
      String method, String path, String token, String headers, String body) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), FORTRESS.port())) {
      socket.setSoTimeout(20_000);
      var request =
          method
              + " "
              + path
              + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
              + (token.isEmpty() ? "" : "Authorization: " + token + "\r\n")
              + headers
              + "\r\n"
              + body;
      var said = new StringBuilder();
      try {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      } catch (SocketException refusedWhileWeStillSent) {
        assertThat(socket.isConnected()).isTrue();
      }
      said.append(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
      return said.toString();
    }
  }
}
