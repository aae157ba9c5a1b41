package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.CLOSE;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.connection.ConnectionEdge;
import io.peeklock.amqp.connection.EdgeNamespaceRouter;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which of two namespaces a connection gets, by the host names that its client calls. */
class NamespaceChoiceTest {
  private static final int SASL_OUTCOME = 0x44;
  private static final String OTHER_KEY = "another-key-than-that-of-the-first";

  private final BrokerFixture first = new BrokerFixture();
  private final BrokerFixture second = new BrokerFixture();

  NamespaceChoiceTest() {
    second.access.replace(List.of(Policy.root(Secret.of(OTHER_KEY))));
  }

  /** Knows both by name; "elsewhere" is one that this connection must not go to. */
  private @Nullable ConnectionEdge named(@Nullable String host, ConnectionEdge present) {
    return switch (String.valueOf(host)) {
      case "first" -> first.edge;
      case "second" -> second.edge;
      case "elsewhere" -> null;
      default -> present;
    };
  }

  private TestClient unauthenticated() {
    var client = new TestClient(first, this::named);
    first.clients.add(client);
    second.clients.add(client);
    return client;
  }

  private TestClient loggingIn(String key, @Nullable String host) {
    return unauthenticated().sasl("PLAIN", BrokerFixture.plain(Policy.ROOT_NAME, key), host);
  }

  private TestClient withPassword(String key, @Nullable String host) {
    return loggingIn(key, host).bytes("414d515000010000");
  }

  private TestClient settled(TestClient client) {
    second.settle();
    return client;
  }

  @Test
  void theNameInOpenLeadsToItsNamespaceAlone() {
    second.queue(QueueDefinition.named("only-here"));

    var client = unauthenticated().connect("ANONYMOUS", new byte[0]).open("second").begin(0);
    var cbs = new RequestClient(client, 0, "$cbs", "reply");
    var late = first.clock.wallMillis() / 1_000 + 600;
    var ofFirst = Sas.token("sb://second/q", Policy.ROOT_NAME, BrokerFixture.KEY, late);
    var ofSecond = Sas.token("sb://second/only-here", Policy.ROOT_NAME, OTHER_KEY, late);

    assertThat(first.edge.liveConnections()).isZero();
    assertThat(second.edge.liveConnections()).isEqualTo(1);
    assertThat(cbs.putToken("sb://second/q", ofFirst).status()).isEqualTo(401);
    assertThat(cbs.putToken("sb://second/only-here", ofSecond).status()).isEqualTo(202);
    assertThat(settled(client.sender(0, 4, "only-here")).one(ATTACH).field(6)).isNotNull();
  }

  @Test
  void queuesOfOneNameHaveTheirOwnMessagesInEach() {
    var here = withPassword(BrokerFixture.KEY, "first").open("first").begin(0);
    var there = withPassword(OTHER_KEY, "second").open("second").begin(0);
    settled(there.sender(0, 0, "q")).forget();
    settled(there.message(0, TestMessage.text("of the second"))).forget();

    here.receiver(0, 0, "q", 1).credit(0, 10);
    settled(there.receiver(0, 1, "q", 1).credit(1, 10));

    assertThat(here.take(TRANSFER)).isEmpty();
    assertThat(there.take(TRANSFER))
        .singleElement()
        .satisfies(
            frame -> assertThat(Parsed.of(frame.payload()).body()).isEqualTo("of the second"));
  }

  @Test
  void aNameThatNobodyHasStaysWhereTheConnectionBegan() {
    withPassword(BrokerFixture.KEY, "whoever").open("whatever").begin(0);

    assertThat(first.edge.liveConnections()).isEqualTo(1);
    assertThat(second.edge.liveConnections()).isZero();
  }

  @Test
  void theNameInTheSaslLayerCountsWhereOpenHasNone() {
    unauthenticated().sasl("ANONYMOUS", new byte[0], "second").bytes("414d515000010000").open(null);

    assertThat(second.edge.liveConnections()).isEqualTo(1);
  }

  @Test
  void aPasswordOpensTheNamespaceThatIsNamedWithItAndNoOther() {
    assertThat(outcome(loggingIn(OTHER_KEY, "second"))).isEqualTo(0L);
    assertThat(outcome(loggingIn(BrokerFixture.KEY, "second"))).isEqualTo(1L);
    assertThat(outcome(loggingIn(OTHER_KEY, "first"))).isEqualTo(1L);
    assertThat(outcome(loggingIn(OTHER_KEY, null))).isEqualTo(1L);
    assertThat(outcome(loggingIn(OTHER_KEY, "elsewhere"))).isEqualTo(1L);
  }

  private static long outcome(TestClient client) {
    return client.one(SASL_OUTCOME).number(0);
  }

  @Test
  void whoLoggedInToOneNamespaceCannotOpenAnother() {
    var client = withPassword(BrokerFixture.KEY, null).open("second");

    assertThat(condition(client.one(CLOSE).field(0))).isEqualTo(Conditions.UNAUTHORIZED);
    assertThat(second.edge.liveConnections()).isZero();
  }

  @Test
  void whoCameByAnotherNameIsSentAway() {
    var client = unauthenticated().connect("ANONYMOUS", new byte[0]).open("elsewhere");

    assertThat(condition(client.one(CLOSE).field(0))).isEqualTo(Conditions.NOT_ALLOWED);
  }

  @Test
  void aConnectionCountsInItsNamespaceOnly() {
    var small = new BrokerFixture(new AmqpSettings.Quotas(1, Integer.MAX_VALUE, 0, true));
    EdgeNamespaceRouter toSmall = (host, present) -> "second".equals(host) ? small.edge : present;
    for (var i = 0; i < 3; i++) {
      new TestClient(first, toSmall).connect("ANONYMOUS", new byte[0]).open("first");
    }
    var inside = new TestClient(first, toSmall).connect("ANONYMOUS", new byte[0]).open("second");
    var tooMany = new TestClient(first, toSmall).connect("ANONYMOUS", new byte[0]).open("second");

    assertThat(inside.take(CLOSE)).isEmpty();
    assertThat(condition(tooMany.one(CLOSE).field(0)))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(inside.channel.close().isSuccess()).isTrue();
    var next = new TestClient(first, toSmall).connect("ANONYMOUS", new byte[0]).open("second");
    assertThat(next.take(CLOSE)).isEmpty();
  }

  @Test
  void linksHearOfTheirOwnNamespaceAndTheirEndReachesIt() {
    var client = withPassword(OTHER_KEY, "second").open("second").begin(0);
    settled(client.receiver(0, 0, "q", 0)).forget();

    first.delete("q");
    assertThat(client.take(DETACH)).isEmpty();
    second.delete("q");

    assertThat(condition(client.one(DETACH).field(2))).isEqualTo(Conditions.NOT_FOUND);
    second.edge.closeAll(Conditions.CONNECTION_FORCED, "bye");
    second.settle();
    assertThat(client.take(CLOSE)).hasSize(1);
  }
}
