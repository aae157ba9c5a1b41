package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.Policy;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Dead letters of a subscription by the path that JavaScript's client 1.x makes. */
class RepeatedPathTest {
  private static final String DEAD = "t/Subscriptions/s/$DeadLetterQueue";
  private static final String REPEATED = DEAD + "/Subscriptions/s";

  private final BrokerFixture broker =
      new BrokerFixture()
          .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
          .queue(
              QueueDefinition.named("t/Subscriptions/s").as(new QueueRole.Subscription("t", true)));

  private void deadLetter(String text) {
    var other = broker.client().sender(0, 0, "t").receiver(0, 1, "t/Subscriptions/s", 0);
    other.message(0, TestMessage.text(text)).credit(1, 1);
    other.dispose(0, 0, true, TestClient.deadLetter(Map.of()));
    other.leave();
  }

  @Test
  @Rule("S-181")
  void theyAreReceivedAndPeekedWithATokenOfThatPath() {
    deadLetter("a");
    var client = broker.anonymous();
    var cbs = new RequestClient(client, 0, "$cbs", "replies");
    var audience = "sb://localhost/" + REPEATED;
    var seconds = broker.clock.wallMillis() / 1_000 + 600;
    var token = Sas.token(audience, Policy.ROOT_NAME, BrokerFixture.KEY, seconds);
    assertThat(cbs.putToken(audience, token).status()).isEqualTo(202);
    client.begin(1);
    var node =
        new RequestClient(client, 1, REPEATED.toLowerCase(Locale.ROOT) + "/$management", "me");

    var peeked =
        node.manage("peek-message", Map.of("from-sequence-number", 0L, "message-count", 1));
    client.receiver(0, 1, REPEATED, 0).credit(1, 1);

    assertThat(peeked.status()).isEqualTo(200);
    assertThat(client.take(TRANSFER)).hasSize(1);
  }

  @Test
  @Rule("S-062")
  void noOtherPathIsMeantByIt() {
    for (var path : new String[] {DEAD + "/Subscriptions/x", DEAD + "/s", "x/" + REPEATED}) {
      var client = broker.client().receiver(0, 1, path, 0);

      assertThat(TestClient.condition(client.one(DETACH).field(2))).isEqualTo("amqp:not-found");
    }
  }
}
