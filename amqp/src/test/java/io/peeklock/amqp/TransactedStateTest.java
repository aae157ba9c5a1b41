package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.ATTACH;
import static io.peeklock.amqp.TestClient.DETACH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** States of sessions that are set in transactions. */
class TransactedStateTest {
  private static final Symbol FILTER = new Symbol("com.microsoft:session-filter");

  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client;
  private final RequestClient node;

  TransactedStateTest() {
    broker.queue(QueueDefinition.named("s").withSession(true)).queue(QueueDefinition.named("out"));
    client = broker.client().sender(0, 0, "s").sender(0, 5, "out");
    node = new RequestClient(client, 0, "s/$management", "me");
    client.message(0, TestMessage.inSession("a")).forget();
  }

  private void accept(int handle) {
    client.perform(
        0,
        ATTACH,
        "session-" + handle,
        TestClient.uint(handle),
        true,
        TestClient.ubyte(0),
        TestClient.ubyte(0),
        TestClient.source("s", Map.of(FILTER, "a")),
        TestClient.target("t"));
  }

  private @Nullable Object state(String session) {
    return node.manage("get-session-state", Map.of("session-id", session)).body("session-state");
  }

  private @Nullable Object setStateIn(byte[] transaction, String session, byte... state) {
    var set = Map.of("session-id", session, "session-state", state);
    return node.manageIn(transaction, "set-session-state", set).status();
  }

  @Test
  @Rule({"S-525", "S-379", "S-380"})
  void aStateThatIsSetInATransactionIsThereFromTheCommitOn() {
    accept(1);
    client.forget();
    var coordinator = Coordinator.of(client);
    var rolledBack = coordinator.declare();
    assertThat(setStateIn(rolledBack, "a", (byte) 1)).isEqualTo(200);
    assertThat(state("a")).isNull();
    assertThat(coordinator.rollBack(rolledBack)).isNull();
    assertThat(state("a")).isNull();

    var committed = coordinator.declare();
    assertThat(setStateIn(committed, "a", (byte) 2)).isEqualTo(200);
    assertThat(setStateIn(committed, "a", (byte) 3, (byte) 4)).isEqualTo(200);
    assertThat(state("a")).isNull();
    assertThat(coordinator.commit(committed)).isNull();

    assertThat(state("a")).isEqualTo(new byte[] {3, 4});
    var cleared = coordinator.declare();
    assertThat(node.manageIn(cleared, "set-session-state", Map.of("session-id", "a")).status())
        .isEqualTo(200);
    assertThat(state("a")).isEqualTo(new byte[] {3, 4});
    assertThat(coordinator.commit(cleared)).isNull();
    assertThat(state("a")).isNull();
  }

  @Test
  @Rule({"S-525", "S-399"})
  void aStateThatCannotBeSetFailsTheTransaction() {
    accept(1);
    client.forget();
    var coordinator = Coordinator.of(client);
    var transaction = coordinator.declare();
    assertThat(setStateIn(transaction, "a", (byte) 1)).isEqualTo(200);

    assertThat(setStateIn(transaction, "b", (byte) 2)).isEqualTo(410);

    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(state("a")).isNull();
  }

  @Test
  @Rule({"S-525", "S-245"})
  void aSessionThatIsLostBeforeTheCommitRefusesIt() {
    accept(1);
    client.forget();
    var coordinator = Coordinator.of(client);
    var transaction = coordinator.declare();
    assertThat(setStateIn(transaction, "a", (byte) 1)).isEqualTo(200);

    client.perform(0, DETACH, TestClient.uint(1), true, null).forget();

    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    accept(2);
    client.forget();
    assertThat(state("a")).isNull();
  }

  @Test
  @Rule({"S-525", "S-399", "I-27"})
  void aRefusedSendTakesTheStateWithIt() {
    accept(1);
    client.forget();
    var coordinator = Coordinator.of(client);
    var transaction = coordinator.declare();
    assertThat(setStateIn(transaction, "a", (byte) 1)).isEqualTo(200);
    coordinator.send(transaction, 0, TestMessage.text("without a session"));

    assertThat(coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);

    assertThat(state("a")).isNull();
  }

  @Test
  @Rule({"S-525", "S-379"})
  void statesAndMessagesKeepTheirBodiesApart() {
    accept(1);
    client.forget();
    var coordinator = Coordinator.of(client);
    var transaction = coordinator.declare();
    coordinator.send(transaction, 5, "sent");
    assertThat(setStateIn(transaction, "a", (byte) 7)).isEqualTo(200);

    assertThat(coordinator.commit(transaction)).isNull();

    assertThat(state("a")).isEqualTo(new byte[] {7});
    client.receiver(0, 6, "out", 1).forget();
    client.credit(6, 1);
    assertThat(TestMessage.Parsed.of(client.one(TestClient.TRANSFER).payload()).body())
        .isEqualTo("sent");
  }

  @Test
  @Rule({"S-525", "S-396"})
  void aConnectionThatGoesTakesItsStatesWithIt() {
    accept(1);
    client.forget();
    var coordinator = Coordinator.of(client);
    assertThat(setStateIn(coordinator.declare(), "a", (byte) 1)).isEqualTo(200);

    client.perform(0, DETACH, TestClient.uint(Coordinator.HANDLE), true, null).forget();

    assertThat(state("a")).isNull();
  }
}
