package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.FLOW;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.proof.Rule;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What ends, fills or blocks a link on which a client receives. */
class ReceiveTroubleTest {
  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.client().sender(0, 0, "q");

  private void send(String... bodies) {
    for (var body : bodies) {
      client.message(0, TestMessage.text(body));
    }
    client.forget();
  }

  private Parsed message() {
    return Parsed.of(client.one(TRANSFER).payload());
  }

  private TestClient peekLock(long credit) {
    client.receiver(0, 1, "q", 0);
    return credit == 0 ? client : client.credit(1, credit);
  }

  @Test
  @Rule({"S-095", "S-113", "S-039"})
  void aLinkThatGoesLeavesItsLocksAlone() {
    send("a");
    peekLock(1).forget();

    client.perform(0, DETACH, TestClient.uint(1), true, null);
    client.receiver(0, 3, "again", "q", "x", 0).credit(3, 5);

    assertThat(client.take(TRANSFER)).isEmpty();
    broker.advance(Duration.ofSeconds(61));
    assertThat(message().field(TestMessage.HEADER, 4)).isEqualTo(TestClient.uint(1));
  }

  @Test
  void deliveriesWaitForTheSocketAndGoOnWhenItHasRoom() {
    client.channel.config().setWriteBufferHighWaterMark(64 << 10);
    for (var i = 0; i < 40; i++) {
      client.message(0, new TestMessage().section(TestMessage.DATA, new byte[40_000]).bytes());
    }
    client.forget();

    peekLock(40);

    assertThat(client.take(TRANSFER)).hasSize(40);
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  @Rule("T-71")
  void theWindowOfASessionIsKeptAndUsedAgain() {
    var narrow = broker.client();
    narrow.perform(3, 0x11, null, TestClient.uint(0), TestClient.uint(2), TestClient.uint(9));
    send("a", "b", "c");

    narrow.perform(
        3,
        TestClient.ATTACH,
        "n",
        TestClient.uint(0),
        true,
        TestClient.ubyte(0),
        TestClient.ubyte(0),
        TestClient.source("q"),
        TestClient.target("t"));
    narrow.perform(
        3,
        FLOW,
        TestClient.uint(0),
        TestClient.uint(2),
        TestClient.uint(0),
        TestClient.uint(9),
        TestClient.uint(0),
        TestClient.uint(0),
        TestClient.uint(10));
    assertThat(narrow.take(TRANSFER)).hasSize(2);
    narrow.perform(
        3, FLOW, TestClient.uint(2), TestClient.uint(2), TestClient.uint(0), TestClient.uint(9));

    assertThat(narrow.take(TRANSFER)).hasSize(1);
  }

  @Test
  @Rule("S-514")
  void anUnreadableBodyEndsItsLinkOnly() {
    send("a");
    broker.journal.damage(1);

    peekLock(1);

    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.ENTITY_DISABLED);
    client.message(0, TestMessage.text("b"));
    assertThat(client.take(DISPOSITION)).hasSize(1);
    assertThat(broker.ended).isNull();
  }

  @Test
  void lostLeadershipClosesEveryConnection() {
    send("a");

    broker.journal.loseLeadership(0);
    broker.settle();

    assertThat(condition(client.one(TestClient.CLOSE).field(0)))
        .isEqualTo(Conditions.CONNECTION_FORCED);
  }

  @Test
  @Rule("S-102")
  void moreThanFiveThousandMayBeUnsettled() {
    var wide = broker.newClient().connect("PLAIN", BrokerFixture.plain("listener", "listen-key"));
    wide.open()
        .perform(0, 0x11, null, TestClient.uint(0), TestClient.uint(9_000), TestClient.uint(9_000));
    for (var i = 0; i < 51; i++) {
      var burst = Unpooled.buffer();
      for (var j = 0; j < 100; j++) {
        burst.writeBytes(client.transfer(0, 0, 0, true, TestMessage.text("m")));
      }
      client.send(burst);
    }

    wide.receiver(0, 1, "q", 0);
    wide.perform(
        0,
        FLOW,
        TestClient.uint(0),
        TestClient.uint(9_000),
        TestClient.uint(0),
        TestClient.uint(9_000),
        TestClient.uint(1),
        TestClient.uint(0),
        TestClient.uint(5_010));

    assertThat(wide.take(TRANSFER)).hasSize(5_010);
  }
}
