package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.TRANSFER;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.peeklock.amqp.connection.AmqpConnection;
import io.peeklock.amqp.connection.EdgeNamespaceRouter;
import io.peeklock.amqp.engine.limits.EngineConfig;
import io.peeklock.amqp.engine.link.AmqpLink;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.LinkKind;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.runtime.access.Right;
import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is under way to receivers is known, and one who takes nothing does not hold it for ever. */
class OutflowTest {
  private final BrokerFixture broker = new BrokerFixture().queue("q5", 300_000, 10, 1 << 18);
  private final TestClient client = broker.client().sender(0, 0, "q5");

  private long underWay() {
    return broker.underWay();
  }

  private void takesNothing(TestClient who, boolean nothing) {
    who.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, !nothing);
    broker.settle();
  }

  @Test
  void fewBytesAreToldToHaveLeftWithinASecond() {
    client.receiver(0, 1, "q5", 0).credit(1, 9);

    client.message(0, TestMessage.text("small"));
    client.message(0, TestMessage.text("small"));

    assertThat(client.take(TRANSFER)).hasSize(2);
    assertThat(underWay()).isPositive();
    broker.advance(Duration.ofSeconds(1));
    assertThat(underWay()).isZero();
  }

  /** Or many receivers of little would keep each other waiting for what has long left. */
  @Test
  void whileRoomIsScarceFewBytesAreToldAtOnceToo() {
    var narrow = new BrokerFixture().queue("q5", 300_000, 10, 1 << 18).deliveryBytes(100_000);
    var sender = narrow.client().sender(0, 0, "q5");
    var receivers = narrow.client().receiver(0, 1, "q5", 0).receiver(0, 2, "q5", 0);
    receivers.credit(1, 1).credit(2, 9);

    sender.message(0, TestMessage.text("x".repeat(30_000)));
    assertThat(narrow.underWay()).isBetween(30_000L, 40_000L);
    sender.message(0, TestMessage.text("x".repeat(30_000)));

    assertThat(receivers.take(TRANSFER)).hasSize(2);
    assertThat(narrow.underWay()).isZero();
  }

  @Test
  void manyBytesAreToldToHaveLeftAtOnce() {
    client.receiver(0, 1, "q5", 0).credit(1, 9);

    client.message(0, TestMessage.text("x".repeat(60_000)));
    client.message(0, TestMessage.text("x".repeat(60_000)));

    assertThat(underWay()).isZero();
  }

  @Test
  void whoTakesNothingIsClosedAndLeavesItsMessagesToOthers() {
    var socket = new SlowChannel();
    var lazy = broker.client(socket).receiver(0, 1, "q5", 0).credit(1, 6).forget();
    socket.takes(0);
    for (var i = 0; i < 5; i++) {
      client.message(0, TestMessage.text("x".repeat(60_000)));
    }
    assertThat(socket.isWritable()).isFalse();
    client.message(0, TestMessage.text("a"));
    client.receiver(0, 1, "q5", 0).credit(1, 9).forget();
    assertThat(underWay()).isPositive();

    broker.advance(Duration.ofSeconds(1));
    broker.advance(Duration.ofSeconds(119));
    assertThat(lazy.channel.isOpen()).isTrue();
    broker.advance(Duration.ofSeconds(2));

    assertThat(lazy.channel.isOpen()).isFalse();
    assertThat(client.take(TRANSFER)).hasSize(1);
  }

  @Test
  void whoTakesSomethingInTimeStays() {
    client.receiver(0, 1, "q5", 0).credit(1, 9).forget();
    takesNothing(client, true);
    client.message(0, TestMessage.text("b"));
    broker.advance(Duration.ofSeconds(1));
    broker.advance(Duration.ofSeconds(100));
    takesNothing(client, false);
    client.message(0, TestMessage.text("a"));
    takesNothing(client, true);
    broker.advance(Duration.ofSeconds(100));

    assertThat(client.channel.isOpen()).isTrue();
    assertThat(client.take(TRANSFER)).hasSize(2);
  }

  @Test
  void aFaultOnceTheSocketHasTakenItEndsTheConnection() {
    var faults = new Faults();
    var faulty = new BrokerFixture(faults::broker).queue("q5", 300_000, 10, 1 << 18);
    var sender = faulty.client().sender(0, 0, "q5");
    var socket = new SlowChannel();
    faulty.client(socket).receiver(0, 1, "q5", 0).credit(1, 9);
    socket.takes(0);
    sender.message(0, TestMessage.text("x".repeat(60_000)));
    sender.message(0, TestMessage.text("x".repeat(60_000)));
    assertThat(faulty.underWay()).isPositive();

    faults.arm(1, () -> new IllegalStateException("a fault"));
    socket.takes(Long.MAX_VALUE);
    faulty.settle();

    assertThat(faults.disarm()).isTrue();
    assertThat(socket.isOpen()).isFalse();
    assertThat(faulty.underWay()).isZero();
  }

  /** A link that counts how often links are compared. */
  private static final class Compared extends NodeLink {
    private static int comparisons;

    Compared(AmqpConnection connection) {
      super(connection, new EntityAddress("", false, false, false, false));
    }

    @Override
    public LinkKind kind() {
      return LinkKind.RECEIVER;
    }

    @Override
    public AmqpLink link() {
      throw new IllegalStateException("it has none");
    }

    @Override
    public @Nullable Right needs() {
      return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      comparisons++;
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  @Test
  void linksThatWaitToBeToldAreForgottenWithoutALookAtTheOthers() {
    var config = EngineConfig.defaults("test");
    var channel = new EmbeddedChannel();
    var connection =
        new AmqpConnection(broker.edge, config, channel, () -> {}, EdgeNamespaceRouter.NONE);
    var links = new ArrayList<Compared>();
    for (var i = 0; i < 1_000; i++) {
      links.add(new Compared(connection));
      connection.outflow().reportSoon(links.getLast());
      connection.outflow().reportLate(links.getLast());
    }
    Compared.comparisons = 0;

    links.reversed().forEach(connection.outflow()::forget);

    assertThat(Compared.comparisons).isLessThan(2 * links.size());
    connection.lost();
  }
}
