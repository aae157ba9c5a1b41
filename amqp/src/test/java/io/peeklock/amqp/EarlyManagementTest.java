package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.Policy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Links to a management node that are older than the token for them, as old Java clients do. */
class EarlyManagementTest {
  private static final Map<String, Object> ANY =
      Map.of("from-sequence-number", 0L, "message-count", 1);

  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.anonymous().begin(1);
  private final RequestClient cbs = new RequestClient(client, 1, "$cbs", "replies");

  private RequestClient attach(String entity) {
    var node = entity + "/$management";
    client.forget().sender(0, RequestClient.SENDER, node);
    client.receiver(0, RequestClient.REPLIES, "r", node, "me", 0);
    assertThat(client.take(ATTACH)).hasSize(2).allMatch(attach -> attach.field(5) != null);
    assertThat(client.take(DETACH)).isEmpty();
    client.credit(RequestClient.REPLIES, 100).forget();
    return new RequestClient(client, 0, "me");
  }

  private RequestClient.Answer peek(RequestClient node) {
    return node.manage("peek-message", ANY);
  }

  private void putToken(String audience, String policy, String key) {
    var seconds = broker.clock.wallMillis() / 1_000 + 600;
    assertThat(cbs.putToken(audience, Sas.token(audience, policy, key, seconds)).status())
        .isEqualTo(202);
  }

  @Test
  @Rule({"S-474", "S-475"})
  void theLinksAreTakenAndEachRequestIsChecked() {
    var node = attach("q");

    var refused = peek(node);
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.condition()).isEqualTo(new Symbol(Conditions.UNAUTHORIZED));
    putToken("sb://localhost/q", "sender", BrokerFixture.SEND_KEY);
    assertThat(peek(node).status()).as("with another right").isEqualTo(401);
    putToken("sb://localhost/q", Policy.ROOT_NAME, BrokerFixture.KEY);

    assertThat(peek(node).status()).isEqualTo(204);
  }

  @Test
  @Rule("S-474")
  void whoHasNoRightsLearnsOfNoEntity() {
    var node = attach("nope");

    assertThat(peek(node).status()).isEqualTo(401);
    broker.queue(QueueDefinition.named("nope")).delete("nope");
    client.runTasks();
    assertThat(client.take(DETACH)).isEmpty();
    putToken("sb://localhost/", Policy.ROOT_NAME, BrokerFixture.KEY);

    var missing = peek(node);
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.condition()).isEqualTo(new Symbol(Conditions.NOT_FOUND));
    assertThat(missing.description()).contains("could not be found");
    broker.queue(QueueDefinition.named("nope"));
    assertThat(peek(node).status()).isEqualTo(204);
  }

  @Test
  @Rule("S-465")
  void withoutATokenTheConnectionEndsAllTheSame() {
    var node = attach("q");
    assertThat(peek(node).status()).isEqualTo(401);

    broker.advance(Duration.ofSeconds(21));

    assertThat(TestClient.condition(client.one(TestClient.CLOSE).field(0)))
        .isEqualTo(Conditions.UNAUTHORIZED);
  }

  @Test
  @Rule("S-474")
  void whatIsNoManagementNodeIsRefusedAsBefore() {
    client.forget().sender(0, 5, "q").receiver(0, 6, "q", 0);

    assertThat(client.take(DETACH))
        .hasSize(2)
        .allMatch(detach -> Conditions.UNAUTHORIZED.equals(TestClient.condition(detach.field(2))));
  }

  @Test
  @Rule("S-303")
  void theLinkToATransferDeadLetterQueueOutlivesChangesOfOthers() {
    var all = broker.client();
    var node = new RequestClient(all, 0, "q/$Transfer/$DeadLetterQueue/$management", "me");
    assertThat(peek(node).status()).isEqualTo(204);

    broker.queue(QueueDefinition.named("other"));
    all.runTasks();

    assertThat(all.take(DETACH)).isEmpty();
    assertThat(peek(node).status()).isEqualTo(204);
  }
}
