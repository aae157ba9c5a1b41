package io.peeklock.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.PlainHttp;
import io.peeklock.conformance.SharedAccess;
import io.peeklock.proof.Rule;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The administration API: each attack costs its own request and a line, and no key is printed. */
class HostileAdminTest {
  @RegisterExtension static final AttackedBroker BROKER = new AttackedBroker();

  private static final String KEY = BrokerProcess.KEY;
  private static final String RULES =
      "<AuthorizationRules><AuthorizationRule xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\""
          + " i:type=\"SharedAccessAuthorizationRule\"><Rights><AccessRights>Manage</AccessRights>"
          + "<AccessRights>Send</AccessRights><AccessRights>Listen</AccessRights></Rights>"
          + "<KeyName>owner</KeyName><PrimaryKey>Canary7Qx-one</PrimaryKey>"
          + "<SecondaryKey>Canary7Qx-two</SecondaryKey></AuthorizationRule></AuthorizationRules>";

  @Test
  @Rule({"S-441", "S-470", "S-473"})
  void keysAreKeptAndReplacedWithoutBeingPrinted() throws IOException {
    var made = put("/keys", token(BrokerProcess.KEY_NAME, KEY), "", PlainHttp.queue(RULES));
    assertThat(made).startsWith("HTTP/1.1 201 ").contains("Canary7Qx-one", "Canary7Qx-two");
    var owner = token("owner", "Canary7Qx-one");
    assertThat(get("/keys", owner)).startsWith("HTTP/1.1 200 ").contains("QueueDescription");
    assertThat(get("/target", owner)).startsWith("HTTP/1.1 401 ").doesNotContain("Canary7Qx");

    var next = PlainHttp.queue(RULES.replace("Canary7Qx-one", "Canary7Qx-three"));
    assertThat(put("/keys", owner, "If-Match: *\r\n", next)).startsWith("HTTP/1.1 200 ");

    assertThat(get("/keys", owner)).startsWith("HTTP/1.1 401 ");
    assertThat(get("/keys", token("owner", "Canary7Qx-three"))).startsWith("HTTP/1.1 200 ");
    BROKER.stands(4);
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
    BROKER.stands(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE a [<!ENTITY b \"Canary7Qx\">]><entry>&b;</entry>",
        "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><entry/>",
        "<entry>Canary7Qx",
        "Canary7Qx",
      })
  void whatIsNoEntryIsRefused(String body) throws IOException {
    assertThat(put("/made", token(BrokerProcess.KEY_NAME, KEY), "", body))
        .startsWith("HTTP/1.1 400 ")
        .doesNotContain("Canary7Qx", "root:");
    BROKER.stands(1);
  }

  @Test
  void whatGrowsIsCutOff() throws IOException {
    var root = token(BrokerProcess.KEY_NAME, KEY);
    assertThat(put("/made", root, "", "<a>".repeat(80_000))).startsWith("HTTP/1.1 400 ");
    assertThat(put("/made", root, "", "<a>" + "<b/>".repeat(60_000) + "</a>"))
        .startsWith("HTTP/1.1 400 ");
    assertThat(put("/made", root, "", "Canary7Qx".repeat(60_000))).startsWith("HTTP/1.1 413 ");
    BROKER.stands(3);
  }

  private static String token(String policy, String key) {
    var path = policy.equals("owner") ? "/keys" : "";
    return SharedAccess.token("https://localhost" + path, policy, key);
  }

  private static String get(String path, String token) throws IOException {
    return PlainHttp.ask(BROKER.port(), "GET", path, authorised(token), "");
  }

  private static String put(String path, String token, String headers, String body)
      throws IOException {
    return PlainHttp.ask(BROKER.port(), "PUT", path, authorised(token) + headers, body);
  }

  private static String authorised(String token) {
    return token.isEmpty() ? "" : "Authorization: " + token + "\r\n";
  }
}
