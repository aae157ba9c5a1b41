package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A request that is larger than its link takes is never left without a word. */
class LargeRequestTest {
  private static final int MOST = AmqpSettings.Limits.DEFAULT.requestBytes();

  private final BrokerFixture broker =
      new BrokerFixture().queue(QueueDefinition.named("s").withSession(true));
  private final TestClient client = broker.client();
  private final RequestClient node = new RequestClient(client, 0, "s/$management", "replies");

  private static Map<String, Object> state(int bytes) {
    return Map.of("session-id", "one", "session-state", new byte[bytes]);
  }

  @Test
  @Rule({"S-511", "S-253"})
  void aSessionStateThatIsTooLargeIsAnswered() {
    var answer = node.inFrames("set-session-state", state(MOST + MOST / 2), 60_000);

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.condition()).isEqualTo(new Symbol(Conditions.MESSAGE_SIZE_EXCEEDED));
    assertThat(answer.correlationId()).isNotNull();
    assertThat(client.take(DETACH)).isEmpty();
  }

  @Test
  @Rule("S-511")
  void whereNobodyCouldMatchAnAnswerTheLinkEnds() {
    var bytes =
        new TestMessage().section(TestMessage.VALUE, new LinkedHashMap<>(state(MOST))).bytes();

    client.inFrames(RequestClient.SENDER, bytes, 60_000);

    assertThat(TestClient.condition(client.one(DETACH).field(2)))
        .isEqualTo(Conditions.MESSAGE_SIZE_EXCEEDED);
  }

  @Test
  @Rule({"S-511", "S-399"})
  void itFailsTheTransactionThatItNames() {
    var coordinator = Coordinator.of(client);
    var id = coordinator.declare();
    var body = new TestMessage().properties("id", null, null, null, "replies");
    body.section(TestMessage.VALUE, new LinkedHashMap<>(state(MOST)));

    client.inFramesIn(Coordinator.in(id, null), RequestClient.SENDER, body.bytes(), 60_000);

    assertThat(node.answer().status()).isEqualTo(403);
    client.forget();
    assertThat(coordinator.commit(id)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
  }

  @Test
  @Rule("S-511")
  void whatIsAsLargeAsTheLinkTakesIsTaken() {
    var head = node.sized("peek-message", 0).length;
    var whole = node.sized("peek-message", MOST - head);

    client.inFrames(RequestClient.SENDER, whole, 60_000);

    assertThat(whole).hasSize(MOST);
    assertThat(node.answer().status()).as("no body").isEqualTo(400);
    client.inFrames(RequestClient.SENDER, Arrays.copyOf(whole, MOST + 1), 60_000);
    assertThat(node.answer().status()).isEqualTo(403);
  }
}
