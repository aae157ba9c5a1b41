package io.peeklock.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.SharedAccess;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has no right to be here, and secrets that must not be seen in the log. */
class TokenTest {
  @RegisterExtension static final AttackedBroker BROKER = new AttackedBroker();

  private static final String AUDIENCE = "amqp://localhost/" + AttackedBroker.TARGET;

  @Test
  @Rule({"S-466", "S-468", "S-465"})
  void aGoodTokenOpensTheQueue() throws IOException {
    try (var client = RawConnection.anonymous(BROKER.port())) {
      var reply = put(client, token(BrokerProcess.KEY, BrokerProcess.KEY_NAME, soon()));

      assertThat(reply.properties().get("status-code")).isIn(200, 202);
      RawLinks.attached(client, RawLinks.sender(0, AttackedBroker.TARGET));
    }
    BROKER.stands(0);
  }

  @Test
  @Rule({"S-468", "S-478", "T-8", "T-11"})
  void aTokenOfAWrongKeyIsRefused() throws IOException {
    refused(token(AttackedBroker.CANARY, BrokerProcess.KEY_NAME, soon()));
  }

  @Test
  @Rule("S-468")
  void aTokenOfAnUnknownPolicyIsRefused() throws IOException {
    refused(token(BrokerProcess.KEY, "nobody", soon()));
  }

  @Test
  @Rule({"S-468", "S-467"})
  void anExpiredTokenIsRefused() throws IOException {
    refused(token(BrokerProcess.KEY, BrokerProcess.KEY_NAME, Instant.now().minusSeconds(3_600)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        AttackedBroker.CANARY,
        "SharedAccessSignature",
        "SharedAccessSignature " + AttackedBroker.CANARY,
        "SharedAccessSignature sr=x&sig=%zz&se=1&skn=" + AttackedBroker.CANARY,
        "SharedAccessSignature sr=x&sig="
            + AttackedBroker.CANARY
            + "&se=99999999999999999999&skn=a",
        "SharedAccessSignature sr=&sig=&se=&skn="
      })
  @Rule("S-468")
  void aMalformedTokenIsRefused(String token) throws IOException {
    refused(token);
  }

  @Test
  @Rule({"S-465", "S-474", "S-478"})
  void withoutATokenThereIsNoQueue() throws IOException {
    try (var client = RawConnection.anonymous(BROKER.port())) {
      for (var attach :
          new io.peeklock.conformance.raw.Described[] {
            RawLinks.sender(0, AttackedBroker.TARGET), RawLinks.receiver(1, AttackedBroker.TARGET)
          }) {
        client.send(0, attach);
        client.flush();
        assertThat(client.await(RawConnection.ATTACH).field(5)).isNull();
        assertThat(client.await(RawConnection.DETACH).toString())
            .contains("amqp:unauthorized-access");
      }
    }
    BROKER.stands(0, 2);
  }

  @Test
  @Rule({"S-464", "S-478"})
  void aWrongPasswordIsRefusedWithoutBeingPrinted() throws IOException {
    try (var client = RawConnection.silent(BROKER.port())) {
      var response =
          ("\0" + BrokerProcess.KEY_NAME + "\0" + AttackedBroker.CANARY)
              .getBytes(StandardCharsets.UTF_8);

      assertThat(client.saslOutcome("PLAIN", response)).isEqualTo(1);
    }
    BROKER.stands(1);
  }

  private static void refused(String token) throws IOException {
    try (var client = RawConnection.anonymous(BROKER.port())) {
      var reply = put(client, token);

      assertThat(reply.properties().get("status-code")).isIn(400, 401);
      assertThat(String.valueOf(reply.properties().get("status-description")))
          .contains("TrackingId:")
          .doesNotContain(AttackedBroker.CANARY);
      client.send(0, RawLinks.sender(0, AttackedBroker.TARGET));
      client.flush();
      assertThat(client.await(RawConnection.ATTACH).field(6)).isNull();
    }
    BROKER.stands(1, 2);
  }

  private static RawMessage put(RawConnection client, String token) throws IOException {
    return RawLinks.ask(
        client,
        "$cbs",
        Map.of(
            "operation", "put-token", "type", "servicebus.windows.net:sastoken", "name", AUDIENCE),
        token);
  }

  private static Instant soon() {
    return Instant.now().plusSeconds(600);
  }

  private static String token(String key, String policy, Instant expiry) {
    return SharedAccess.token(AUDIENCE, policy, key, expiry);
  }
}
