package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.message.Answer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a shard cannot know while its log does not lead is refused for now, not as missing. */
class FollowerTest {
  private final DirectFixture direct = new DirectFixture();
  private final BrokerFixture broker = direct.broker;

  @BeforeEach
  void follow() {
    broker.journal.follow();
    broker.journal.loseLeadership(0);
    broker.settle();
  }

  @Test
  @Rule("S-507")
  void whoAttachesToWhatIsNotKnownIsToldToTryAgain() {
    var client = broker.client().sender(0, 0, "made-elsewhere");
    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.SERVER_BUSY);
    client.forget();
    client.receiver(0, 1, "made-elsewhere", 0);
    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.SERVER_BUSY);

    broker.journal.lead();
    broker.settle();

    client.forget();
    client.sender(0, 2, "made-elsewhere");
    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.NOT_FOUND);
  }

  @Test
  @Rule("S-507")
  void soIsWhoPutsATokenForIt() {
    var cbs = new RequestClient(broker.anonymous(), 0, "$cbs", "replies");
    var resource = "sb://localhost/made-elsewhere";
    var inTenMinutes = broker.clock.wallMillis() / 1_000 + 600;
    var token = Sas.token(resource, Policy.ROOT_NAME, BrokerFixture.KEY, inTenMinutes);

    var answer = cbs.putToken(resource, token);

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.description()).doesNotContain("could not be found");
  }

  @Test
  @Rule("S-507")
  void soIsWhoReceivesFromItOverHttp() {
    var received = direct.receiving("made-elsewhere", ReceiveMode.PEEK_LOCK, 0);

    assertThat(direct.answered(received))
        .isInstanceOfSatisfying(
            Answer.Refused.class,
            refused -> assertThat(refused.refusal()).isEqualTo(new Refusal.NotLeading()));
  }
}
