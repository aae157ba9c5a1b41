package io.peeklock.conformance.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.SharedBroker;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Transactions frame by frame, as the .NET client has them in its cross-entity mode: one AMQP
 * session for everything, a coordinator with a source of its own, the state on the first frame.
 */
@ExtendWith(WithBroker.class)
class RawTransactionTest {
  private static final long COORDINATOR = 50;
  private static final Described ACCEPTED = Described.list(0x24);

  private static void attachCoordinator(RawConnection client) throws IOException {
    RawLinks.attached(
        client,
        Described.list(
            RawConnection.ATTACH,
            "b0a1c6d8-5b0f-4a4f-9d0e-0d5a5a4c7b11",
            Unsigned.uint(COORDINATOR),
            false,
            null,
            null,
            Described.list(0x28, "b0a1c6d8", null, null, null, null, null, new Symbol("move")),
            Described.list(0x30),
            null,
            null,
            Unsigned.uint(0)));
  }

  private static byte[] declare(RawConnection client) throws IOException {
    var answer = controls(client, Described.list(0x31));
    assertThat(answer.code()).isEqualTo(0x33);
    var id = answer.field(0);
    assertThat(id).isInstanceOf(byte[].class);
    return id instanceof byte[] bytes ? bytes : new byte[0];
  }

  private static Described discharge(RawConnection client, byte[] id, boolean fail)
      throws IOException {
    return controls(client, Described.list(0x32, id, fail));
  }

  private static Described controls(RawConnection client, Described body) throws IOException {
    RawLinks.transfer(client, COORDINATOR, false, AmqpWriter.bytes(Described.of(0x77, body)));
    client.flush();
    return answer(client);
  }

  private static Described answer(RawConnection client) throws IOException {
    var disposition = client.await(RawConnection.DISPOSITION);
    while (!disposition.truth(0)) { // a delivery that the commit settles
      assertThat(disposition.truth(3)).as("settled").isTrue();
      disposition = client.await(RawConnection.DISPOSITION);
    }
    assertThat(disposition.truth(3)).as("settled").isTrue();
    return disposition.field(4) instanceof Described state ? state : Described.list(0);
  }

  /** What a settlement in a transaction is answered: the delivery stays unsettled. */
  private static Described answerInside(RawConnection client) throws IOException {
    var disposition = client.await(RawConnection.DISPOSITION);
    assertThat(disposition.truth(0)).as("of a receiver").isFalse();
    assertThat(disposition.truth(3)).as("settled").isFalse();
    return disposition.field(4) instanceof Described state ? state : Described.list(0);
  }

  private static Described in(byte[] id, @Nullable Object outcome) {
    return Described.list(0x34, id, outcome);
  }

  /** Sends in two frames, of which the first alone names the transaction. */
  private static Described send(RawConnection client, long handle, byte[] id, String text)
      throws IOException {
    var message = RawMessage.bytes(text, Map.of(), text.getBytes(StandardCharsets.UTF_8));
    var deliveryId = client.takeDeliveryId();
    client.send(
        0,
        Described.list(
            RawConnection.TRANSFER,
            Unsigned.uint(handle),
            Unsigned.uint(deliveryId),
            new byte[] {(byte) deliveryId},
            Unsigned.uint(0),
            false,
            true,
            null,
            in(id, null)),
        Arrays.copyOf(message, 10));
    client.send(
        0,
        Described.list(
            RawConnection.TRANSFER, Unsigned.uint(handle), null, null, null, false, false),
        Arrays.copyOfRange(message, 10, message.length));
    client.flush();
    return answer(client);
  }

  @Test
  @Rule({"S-392", "S-379", "T-63", "I-27"})
  void oneSessionCarriesCoordinatorReceiverAndSenders(SharedBroker broker, Sdk sdk)
      throws IOException {
    var orders = sdk.queue(QueueKind.PLAIN);
    var bills = sdk.queue(QueueKind.PLAIN);
    orders.send("order-1");
    try (var client = RawConnection.ready(broker.process().port())) {
      RawLinks.attached(client, RawLinks.receiver(1, orders.name()));
      client.send(0, RawLinks.flow(1, 0, 1, false));
      client.flush();
      var delivery = client.await(RawConnection.TRANSFER).number(1, 0);
      attachCoordinator(client);
      RawLinks.attached(client, RawLinks.sender(2, bills.name()));
      var id = declare(client);
      assertThat(id).hasSize(16);

      var sent = send(client, 2, id, "bill-1");
      client.send(0, RawLinks.settle(delivery, false, in(id, ACCEPTED)));
      client.flush();
      var settled = answerInside(client);

      assertThat(sent.code()).isEqualTo(0x34);
      assertThat(sent.field(1)).isEqualTo(ACCEPTED);
      assertThat(settled.code()).isEqualTo(0x34);
      assertThat(settled.field(1)).isEqualTo(ACCEPTED);
      assertThat(discharge(client, id, false).code()).isEqualTo(0x24);
      var again = discharge(client, id, false);
      assertThat(again.code()).isEqualTo(0x25);
      assertThat(Objects.requireNonNull((Described) again.field(0)).field(0))
          .isEqualTo(new Symbol("amqp:transaction:unknown-id"));
    }
    assertThat(orders.everything()).isEmpty();
    assertThat(TestQueue.bodies(bills.everything())).containsExactly("bill-1");
  }

  @Test
  @Rule({"S-396", "I-30", "I-28"})
  void aClientThatDiesInTheMiddleLeavesNothing(SharedBroker broker, Sdk sdk) throws IOException {
    var orders = sdk.queue(QueueKind.SHORT_LOCK);
    orders.send("order-1");
    try (var client = RawConnection.ready(broker.process().port())) {
      RawLinks.attached(client, RawLinks.receiver(1, orders.name()));
      client.send(0, RawLinks.flow(1, 0, 1, false));
      client.flush();
      var delivery = client.await(RawConnection.TRANSFER).number(1, 0);
      attachCoordinator(client);
      RawLinks.attached(client, RawLinks.sender(2, orders.name()));
      var id = declare(client);
      send(client, 2, id, "never");
      client.send(0, RawLinks.settle(delivery, false, in(id, ACCEPTED)));
      client.flush();
      answerInside(client);
    } // the socket alone, without a word

    assertThat(orders.receive().getDeliveryCount()).isEqualTo(1);
    assertThat(TestQueue.bodies(orders.everything())).containsExactly("order-1");
  }
}
