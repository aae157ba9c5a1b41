package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.there;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Timestamp;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the client for .NET does, or counts on, and no other client does. */
class DotNetClientTest {
  private static final Timestamp WITH_ITS_SESSION = new Timestamp(253_402_300_799_000L);

  private final BrokerFixture broker =
      new BrokerFixture(true)
          .queue(QueueDefinition.named("bills"))
          .queue(QueueDefinition.named("s").withSession(true));
  private final TestClient client = broker.client();

  /** It opens one for its senders and one for its receivers, and uses the one of the later link. */
  @Test
  @Rule({"S-392", "S-395"})
  void ofTwoCoordinatorsOnTheSessionOfTheCrossEntityModeAnyIsTheOne() {
    client.receiver(0, 1, "q", 0).sender(0, 0, "q").sender(0, 2, "bills");
    var first = new Coordinator(client, 0, 70);
    var second = new Coordinator(client, 0, 71);
    var unused = first.declare();
    var transaction = second.declare();

    second.send(transaction, 0, "order");
    second.send(transaction, 2, "bill");

    assertThat(second.commit(transaction)).isNull();
    assertThat(first.rollBack(unused)).isNull();
    var other = broker.client().receiver(0, 3, "bills", 1);
    assertThat(other.credit(3, 9).take(TRANSFER)).hasSize(1);
  }

  /** As it attaches: it says how it settles as a receiver, and nothing of the other mode. */
  private void attachToSession(String id) {
    client
        .perform(
            0,
            TestClient.ATTACH,
            "session",
            TestClient.uint(1),
            true,
            null,
            TestClient.ubyte(1),
            TestClient.source("s", Map.of(new Symbol("com.microsoft:session-filter"), id)),
            TestClient.target("there"))
        .forget();
  }

  /** It settles what came by number only until its lock says that it ends. */
  @Test
  @Rule({"S-207", "S-250", "S-111"})
  void aDeferredMessageOfASessionIsSettledAsLongAsTheSessionIsRenewed() {
    client.sender(0, 0, "s").message(0, TestMessage.inSession("a"));
    client.forget();
    attachToSession("a");
    client.credit(1, 1);
    assertThat(client.take(TRANSFER)).hasSize(1);
    client.dispose(0, 0, false, TestClient.modified(true, Map.of()));
    assertThat(client.one(DISPOSITION)).isNotNull();
    var node = new RequestClient(client, 0, "s/$management", "me");

    var answer =
        node.manage(
            "receive-by-sequence-number",
            Map.of(
                "sequence-numbers", TypedArray.ofLongs(1),
                "receiver-settle-mode", TestClient.uint(1),
                "session-id", "a"));
    var entry = (Map<?, ?>) there((List<?>) answer.body("messages")).getFirst();
    var got = Parsed.of(there((byte[]) entry.get("message")));
    for (var i = 0; i < 4; i++) {
      broker.advance(Duration.ofSeconds(40));
      assertThat(node.manage("renew-session-lock", Map.of("session-id", "a")).status())
          .isEqualTo(200);
    }

    assertThat(got.entry(TestMessage.ANNOTATIONS, "x-opt-locked-until"))
        .isEqualTo(WITH_ITS_SESSION);
    var completed =
        Map.of(
            "disposition-status",
            "completed",
            "lock-tokens",
            TypedArray.ofUuids(List.of((UUID) there(entry.get("lock-token")))),
            "session-id",
            "a");
    assertThat(node.manage("update-disposition", completed).status()).isEqualTo(200);
    assertThat(node.manage("update-disposition", completed).condition())
        .as("used up, and the session is held: not the session's lock is lost")
        .isEqualTo(new Symbol(Conditions.MESSAGE_LOCK_LOST));
  }
}
