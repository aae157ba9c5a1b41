package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.TestMessage.Parsed;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueDefinitionBuilder;
import io.peeklock.proof.Rule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Senders to partitioned queues. */
class PartitionLinkTest {
  private final BrokerFixture broker =
      new BrokerFixture()
          .queue(parted("p").build())
          .queue(parted("d").duplicateWindowMillis(60_000).build());
  private final TestClient client = broker.client();

  private static QueueDefinitionBuilder parted(String path) {
    return QueueDefinition.named(path).with().partitioned(true);
  }

  private static byte[] message(
      @Nullable String id, @Nullable String session, @Nullable String key, String body) {
    var fields = new @Nullable Object[11];
    fields[0] = id;
    fields[10] = session;
    var message = new TestMessage();
    if (key != null) {
      message.section(TestMessage.ANNOTATIONS, Map.of(new Symbol("x-opt-partition-key"), key));
    }
    return message
        .properties(fields)
        .section(TestMessage.DATA, body.getBytes(StandardCharsets.UTF_8))
        .bytes();
  }

  private List<String> taken(String queue) {
    var other = broker.client();
    other.receiver(0, 0, queue, 1).credit(0, 100);
    var messages = other.take(TRANSFER);
    other.leave();
    return messages.stream().map(frame -> Parsed.of(frame.payload()).body()).toList();
  }

  private long outcome(byte[] message) {
    client.forget().message(0, message);
    return code(client.one(DISPOSITION).field(4));
  }

  @Test
  @Rule({"S-369", "S-370"})
  void aSessionIdMustBeThePartitionKey() {
    client.sender(0, 0, "p");

    assertThat(outcome(message("m", "a", "b", "no"))).isEqualTo(0x25);
    assertThat(outcome(message("m", "a", "a", "yes"))).isEqualTo(0x24);
    assertThat(outcome(message("m", null, "b", "yes"))).isEqualTo(0x24);
    assertThat(taken("p")).containsExactly("yes", "yes");
  }

  @Test
  @Rule({"S-270", "S-271"})
  void aDuplicateHasTheSameIdAndTheSameKey() {
    client.sender(0, 0, "d");

    assertThat(outcome(message("m", null, "a", "one"))).isEqualTo(0x24);
    assertThat(outcome(message("m", null, "b", "two"))).isEqualTo(0x24);
    assertThat(outcome(message("m", "a", null, "again"))).isEqualTo(0x24);
    assertThat(outcome(message("m", null, null, "three"))).isEqualTo(0x24);
    assertThat(outcome(message("m", null, null, "again"))).isEqualTo(0x24);
    assertThat(outcome(message(null, null, null, "nameless"))).isEqualTo(0x25);
    assertThat(taken("d")).containsExactly("one", "two", "three");
  }

  @Test
  @Rule({"S-374", "S-400"})
  void aTransactionHasOneKey() {
    var coordinator = Coordinator.of(client);
    client.sender(0, 0, "p");
    var good = coordinator.declare();
    var one = coordinator.send(good, 0, message("m", null, "a", "one"));
    var two = coordinator.send(good, 0, message("n", "a", null, "two"));
    var bad = coordinator.declare();
    coordinator.send(bad, 0, message("o", null, "a", "three"));

    var other = coordinator.send(bad, 0, message("p", null, "b", "four"));

    assertThat(List.of(code(one), code(two), code(other))).containsExactly(0x34L, 0x34L, 0x25L);
    assertThat(Coordinator.condition(other)).isEqualTo(Conditions.NOT_ALLOWED);
    assertThat(coordinator.commit(good)).isNull();
    assertThat(coordinator.commit(bad)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(taken("p")).containsExactly("one", "two");
  }

  @Test
  @Rule({"S-374", "S-401"})
  void whatATransactionSettlesHasOneKeyToo() {
    var coordinator = Coordinator.of(client);
    client.sender(0, 0, "p");
    client.message(0, message("m", null, "a", "one")).message(0, message("n", null, "a", "two"));
    client.message(0, message("o", null, "b", "three")).message(0, message("p", null, null, "4"));
    client.receiver(0, 1, "p", 0).credit(1, 4).forget();
    var bad = coordinator.declare();

    assertThat(code(coordinator.settle(bad, 0, 0, TestClient.accepted()))).isEqualTo(0x34L);
    var other = coordinator.settle(bad, 2, 2, TestClient.accepted());

    assertThat(Coordinator.condition(other)).isEqualTo(Conditions.NOT_ALLOWED);
    assertThat(coordinator.commit(bad)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    var good = coordinator.declare();
    assertThat(code(coordinator.settle(good, 0, 1, TestClient.accepted()))).isEqualTo(0x34L);
    assertThat(code(coordinator.settle(good, 3, 3, TestClient.accepted()))).isEqualTo(0x34L);
    assertThat(coordinator.commit(good)).isNull();
  }

  @Test
  @Rule("S-374")
  void whatItSendsHasTheKeyOfWhatItSettles() {
    var coordinator = Coordinator.of(client);
    client.sender(0, 0, "p").message(0, message("m", null, "a", "one"));
    client.receiver(0, 1, "p", 0).credit(1, 1).forget();
    var id = coordinator.declare();

    coordinator.settle(id, 0, 0, TestClient.accepted());
    var same = coordinator.send(id, 0, message("n", "A", null, "two"));
    var other = coordinator.send(id, 0, message("o", null, "b", "three"));

    assertThat(code(same)).isEqualTo(0x34L);
    assertThat(Coordinator.condition(other)).isEqualTo(Conditions.NOT_ALLOWED);
    assertThat(coordinator.commit(id)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
  }

  @Test
  @Rule("S-374")
  void aKeyIsKnownForAsLongAsItsDeliveryIsUnsettled() {
    var coordinator = Coordinator.of(client);
    client.sender(0, 0, "p").message(0, message("m", null, "a", "one"));
    client.receiver(0, 1, "p", 0).credit(1, 3_000).forget();
    for (var i = 1; i <= 1_100; i++) {
      client.message(0, message("n" + i, null, "b", "x")).forget();
      client.dispose(i, i, true, TestClient.accepted()).forget();
    }
    client.message(0, message("o", null, "b", "last")).forget();
    var id = coordinator.declare();

    var one = coordinator.settle(id, 1_101, 1_101, TestClient.accepted());
    var two = coordinator.settle(id, 0, 0, TestClient.accepted());

    assertThat(code(one)).isEqualTo(0x34L);
    assertThat(Coordinator.condition(two)).isEqualTo(Conditions.NOT_ALLOWED);
  }

  @Test
  @Rule("S-374")
  void aLargeMessageHasItsKeyToo() {
    var coordinator = Coordinator.of(client);
    client.sender(0, 0, "p").message(0, message("m", null, "a", "one"));
    client.inFrames(0, message("n", null, "b", "x".repeat(3 << 20)), 60_000);
    client.receiver(0, 1, "p", 0).credit(1, 2).forget();
    var id = coordinator.declare();

    var one = coordinator.settle(id, 0, 0, TestClient.accepted());
    var two = coordinator.settle(id, 1, 1, TestClient.accepted());

    assertThat(code(one)).isEqualTo(0x34L);
    assertThat(Coordinator.condition(two)).isEqualTo(Conditions.NOT_ALLOWED);
  }

  @Test
  @Rule({"S-524", "S-062"})
  void aNameThatGrowsInLowerCaseIsNotFound() {
    var handle = 7;
    for (var address :
        List.of(
            "\u0130".repeat(8) + "/$x",
            "\u0130".repeat(20) + "x/$deadletterqueue/subscriptions/s",
            "\u0130".repeat(3) + "/Subscriptions/\u0130")) {
      client.forget();
      client.receiver(0, handle++, address, 0);

      assertThat(TestClient.condition(client.one(TestClient.DETACH).field(2)))
          .isEqualTo(Conditions.NOT_FOUND);
    }
  }
}
