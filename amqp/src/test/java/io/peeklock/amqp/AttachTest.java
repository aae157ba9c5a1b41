package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.CLOSE;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.Policy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which links are taken, which are refused, and when they end. */
class AttachTest {
  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.client().forget();
  private int handle = 10;

  private String refusal() {
    assertThat(client.writes).isEqualTo(1);
    var attach = client.one(ATTACH);
    assertThat(attach.field(5)).isNull();
    assertThat(attach.field(6)).isNull();
    var detach = client.one(DETACH);
    assertThat(detach.field(1)).isEqualTo(true);
    assertThat(String.valueOf(detach.field(2))).contains("TrackingId:");
    client.forget();
    handle++;
    return String.valueOf(condition(detach.field(2)));
  }

  private TestClient receive(Object source, @Nullable Object filterless) {
    return client.perform(
        0,
        ATTACH,
        "x",
        TestClient.uint(handle),
        true,
        TestClient.ubyte(0),
        TestClient.ubyte(1),
        source,
        filterless);
  }

  @Test
  @Rule({"T-19", "T-25"})
  void addressesAndModesAreEchoedAsTheyCame() {
    client.perform(
        0,
        ATTACH,
        "x",
        TestClient.uint(7),
        true,
        TestClient.ubyte(2),
        TestClient.ubyte(1),
        TestClient.source("amqps://localhost:5672/Q"),
        TestClient.target("t"));

    var attach = client.one(ATTACH);
    assertThat(attach.field(3)).isEqualTo(TestClient.ubyte(2));
    assertThat(attach.field(4)).isEqualTo(TestClient.ubyte(1));
    assertThat(TestClient.inside(attach.field(5))).isEqualTo("amqps://localhost:5672/Q");
    assertThat(TestClient.inside(attach.field(6))).isEqualTo("t");
    assertThat(attach.field(9)).isEqualTo(TestClient.uint(0));
    assertThat(attach.field(13)).isEqualTo(Map.of());
  }

  @Test
  @Rule({"T-17", "S-433"})
  void aSenderIsToldTheLimitOfTheQueueAndAReceiverNone() {
    client.sender(0, handle, "q");
    assertThat(TestClient.asLong(client.one(ATTACH).field(10)))
        .isEqualTo(QueueDefinition.named("q").maxMessageBytes());
    client.forget();

    client.receiver(0, handle + 1, "q", 0);

    assertThat(client.one(ATTACH).field(10)).isEqualTo(new Unsigned.Ulong(-1));
  }

  @Test
  @Rule({"T-24", "T-59", "S-062"})
  void aMissingEntityIsRefusedInOneFlush() {
    client.sender(0, handle, "nope");
    assertThat(refusal()).isEqualTo(Conditions.NOT_FOUND);
    client.receiver(0, handle, "nope/$Transfer/$DeadLetterQueue", 0);
    assertThat(refusal()).isEqualTo(Conditions.NOT_FOUND);
    client.sender(0, handle, "nope/$management");
    assertThat(refusal()).isEqualTo(Conditions.NOT_FOUND);
  }

  /** What a shell leaves of {@code q/$deadletterqueue}. */
  @ParameterizedTest
  @ValueSource(strings = {"q/", "/q/", "q//", "q%2F", "q%2f", "amqps://h/q/", "q/$management/"})
  @Rule({"S-058", "S-062"})
  void aSlashAtTheEndNamesNothing(String address) {
    client.receiver(0, handle, address, 0);
    assertThat(refusal()).isEqualTo(Conditions.NOT_FOUND);
    client.sender(0, handle, address);
    assertThat(refusal()).isEqualTo(Conditions.NOT_FOUND);
  }

  @Test
  @Rule("S-183")
  void nobodySendsToADeadLetterQueue() {
    client.sender(0, 1, "q/$deadLetterQueue");

    assertThat(refusal()).isEqualTo(Conditions.NOT_ALLOWED);
  }

  @Test
  @Rule("S-234")
  void aSessionReceiverIsRefusedOnAQueueWithoutSessions() {
    for (var value : new Object[] {"id", "", described("id")}) {
      receive(
          TestClient.source("q", Map.of(new Symbol("com.microsoft:session-filter"), value)),
          TestClient.target("t"));

      assertThat(refusal()).isEqualTo(Conditions.NOT_ALLOWED);
    }
  }

  private static Described described(String value) {
    return new Described(new Unsigned.Ulong(0x137000000CL), value);
  }

  @Test
  void whatIsNotThereYetIsRefusedClearly() {
    var browse =
        new Described(
            new Unsigned.Ulong(0x28),
            Arrays.asList("q", null, null, null, null, null, new Symbol("copy")));
    receive(browse, TestClient.target("t"));
    assertThat(refusal()).isEqualTo(Conditions.NOT_IMPLEMENTED);

    var selector = Map.of(new Symbol("jms-selector"), "a > 1");
    receive(TestClient.source("q", selector), TestClient.target("t"));
    assertThat(refusal()).isEqualTo(Conditions.NOT_IMPLEMENTED);
  }

  @Test
  void nodesAreNotMadeForALink() {
    var source = Arrays.<@Nullable Object>asList(null, null, null, null, true);
    receive(new Described(new Unsigned.Ulong(0x28), source), TestClient.target("t"));
    assertThat(refusal()).isEqualTo(Conditions.NOT_IMPLEMENTED);
    var target = new Described(new Unsigned.Ulong(0x29), source);
    var mine = TestClient.source("here");
    client.perform(0, ATTACH, "x", TestClient.uint(handle), false, null, null, mine, target);
    assertThat(refusal()).isEqualTo(Conditions.NOT_IMPLEMENTED);
  }

  @Test
  @Rule("S-522")
  void aFilterThatThereIsNotIsRefusedAndNeverIgnored() {
    broker.queue(QueueDefinition.named("s").withSession(true));
    var session = new Symbol("com.microsoft:session-filter");
    for (var filter :
        List.of(Map.of(new Symbol("no-local"), true), Map.of(session, "one", new Symbol("x"), 5))) {
      for (var address : List.of("q", "s", "s/$management", "$cbs")) {
        receive(TestClient.source(address, filter), TestClient.target("t"));

        var sentence = sentenceOfRefusal();
        assertThat(sentence).contains("amqp:not-allowed", "invalid filter type", "'x'");
        client.forget();
        handle++;
      }
    }
  }

  private String sentenceOfRefusal() {
    assertThat(client.one(ATTACH).field(5)).isNull();
    return String.valueOf(client.one(DETACH).field(2));
  }

  @Test
  void anAddressThatIsMissingOrEndlessIsRefused() {
    client.sender(0, handle, "x/".repeat(600));
    assertThat(refusal()).isEqualTo(Conditions.INVALID_FIELD);
    client.perform(
        0,
        ATTACH,
        "x",
        TestClient.uint(handle),
        true,
        null,
        null,
        TestClient.source(null),
        TestClient.target(null));
    assertThat(refusal()).isEqualTo(Conditions.INVALID_FIELD);
  }

  @Test
  @Rule({"S-101", "S-100"})
  void aConnectionWithoutLinksIsClosed() {
    broker.advance(Duration.ofMillis(59_900));
    assertThat(client.take(CLOSE)).isEmpty();
    broker.advance(Duration.ofMillis(200));
    var close = client.one(CLOSE);
    assertThat(condition(close.field(0))).isEqualTo(Conditions.CONNECTION_FORCED);
    assertThat(String.valueOf(close.field(0))).contains("60000", "LinkTracker");
    assertThat(broker.edge.liveConnections()).isEqualTo(1);
    client.perform(0, CLOSE, (Object) null);
    assertThat(broker.edge.liveConnections()).isZero();
  }

  @Test
  @Rule("S-101")
  void aClientThatDoesNotAnswerOurCloseIsDroppedAfterFiveSeconds() {
    broker.advance(Duration.ofSeconds(60));
    client.one(CLOSE);

    broker.advance(Duration.ofMillis(4_900));
    assertThat(broker.edge.liveConnections()).isEqualTo(1);
    broker.advance(Duration.ofMillis(200));

    assertThat(broker.edge.liveConnections()).isZero();
    assertThat(client.channel.isOpen()).isFalse();
  }

  @Test
  @Rule("T-60")
  void aClientWithAShortIdleTimeOutHearsFromUsInTime() {
    var impatient =
        broker
            .newClient()
            .connect("PLAIN", BrokerFixture.plain(Policy.ROOT_NAME, BrokerFixture.KEY));
    impatient
        .perform(
            0,
            0x10,
            "client",
            "h",
            TestClient.uint(65536),
            new Unsigned.Ushort(100),
            TestClient.uint(1_000))
        .forget();

    broker.advance(Duration.ofMillis(600));

    assertThat(impatient.writes).as("empty frames").isEqualTo(1);
  }

  @Test
  @Rule("S-100")
  void aConnectionThatLostAllItsLinksHasFiveMinutes() {
    client.sender(0, 1, "q").perform(0, DETACH, TestClient.uint(1), true, null);

    broker.advance(Duration.ofSeconds(200));
    client.perform(
        0,
        TestClient.FLOW,
        TestClient.uint(0),
        TestClient.uint(9),
        TestClient.uint(0),
        TestClient.uint(9));
    broker.advance(Duration.ofSeconds(99));
    assertThat(client.take(CLOSE)).isEmpty();
    broker.advance(Duration.ofSeconds(2));

    assertThat(String.valueOf(client.one(CLOSE).field(0))).contains("300000");
  }

  @Test
  @Rule({"S-099", "T-61", "T-60"})
  void anIdleLinkIsDetachedUnlessAManagementCallNamesIt() {
    var ours = client.sender(0, 1, "q").one(ATTACH).field(1);
    client.receiver(0, 2, "q", 0);
    var node = new RequestClient(client, 0, "q/$management", "me");
    broker.advance(Duration.ofMinutes(4));
    heartbeat();
    broker.advance(Duration.ofMinutes(4));
    node.ask(Map.of("operation", "com.microsoft:renew-lock", "associated-link-name", "r-q"), null);

    broker.advance(Duration.ofMinutes(3));

    var detach = client.one(DETACH);
    assertThat(detach.field(0)).isEqualTo(ours);
    assertThat(condition(detach.field(2))).isEqualTo(Conditions.DETACH_FORCED);
    assertThat(String.valueOf(detach.field(2))).contains("Idle timeout: 00:10:00");
    assertThat(client.take(CLOSE)).isEmpty();
  }

  private void heartbeat() {
    client.bytes("0000000802000000");
  }

  @Test
  void aLostSocketLeavesNothingBehind() {
    client.sender(0, 1, "q").message(1, TestMessage.text("a"));
    client.receiver(0, 2, "q", 0).credit(2, 1);

    var unused = client.channel.close();
    broker.settle();

    assertThat(broker.edge.liveConnections()).isZero();
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  void garbageClosesItsConnectionAndNoOther() {
    var other = broker.client().sender(0, 0, "q").forget();

    client.bytes("000000040200000000000000");

    assertThat(client.channel.isActive()).isFalse();
    other.message(0, TestMessage.text("fine"));
    assertThat(other.take(TestClient.DISPOSITION)).hasSize(1);
  }
}
