package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.condition;
import static io.peeklock.amqp.TestClient.inside;
import static io.peeklock.amqp.TestClient.uint;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.message.MessageNormalizer;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The large messages that one connection has begun leave room for those of others. */
class LargeShareTest {
  private static final int ALL = 8 << 20;
  private static final int FRAME = 60_000;
  private static final byte[] MESSAGE = TestMessage.text("x".repeat(3_000_000));
  private static final int ACCEPTED = 0x24;

  private final BrokerFixture broker = new BrokerFixture().queue("large", 300_000, 10, 16 << 20);
  private final TestClient client = sender();

  LargeShareTest() {
    broker.journal.roomForLarges(ALL);
  }

  private TestClient sender() {
    return broker.client().sender(0, 0, "large").sender(0, 1, "large").forget();
  }

  /** Sends a part of a message on the link of the same number. */
  private static void send(TestClient client, int number, int from, int to) {
    send(client, number, from, to, null);
  }

  private static void send(
      TestClient client, int number, int from, int to, @Nullable Object state) {
    for (var at = from; at < to; at += FRAME) {
      var piece = Arrays.copyOfRange(MESSAGE, at, Math.min(to, at + FRAME));
      var more = at + FRAME < to || to < MESSAGE.length;
      var fields =
          Arrays.asList(
              uint(number),
              uint(number),
              TestClient.tag(number),
              uint(0),
              false,
              more,
              null,
              state);
      client.send(TestClient.frameBytes(0, 0, TRANSFER, fields, piece));
    }
  }

  private static int half() {
    return MESSAGE.length / 2;
  }

  @Test
  @Rule("I-46")
  void aSecondMessageAboveHalfOfTheRoomIsRejectedAndTheFirstAndThoseOfOthersAreNot() {
    var other = sender();
    send(client, 0, 0, half());

    send(client, 1, 0, MESSAGE.length);
    send(other, 0, 0, MESSAGE.length);
    send(client, 0, half(), MESSAGE.length);

    var answers = client.take(DISPOSITION);
    assertThat(answers).hasSize(2);
    assertThat(condition(inside(answers.getFirst().field(4))))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);
    assertThat(code(answers.getLast().field(4))).isEqualTo(ACCEPTED);
    assertThat(code(other.one(DISPOSITION).field(4))).isEqualTo(ACCEPTED);
    send(client, 1, 0, MESSAGE.length);
    assertThat(code(client.one(DISPOSITION).field(4))).as("all is given back").isEqualTo(ACCEPTED);
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  @Rule("I-46")
  void oneAloneMayTakeMoreThanHalf() {
    broker.journal.roomForLarges(MESSAGE.length + MessageNormalizer.MAX_GROWTH);

    send(client, 0, 0, MESSAGE.length);

    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(ACCEPTED);
  }

  @Test
  @Rule("I-46")
  void thoseThatWaitInATransactionCountUntilItsEnd() {
    var coordinator = Coordinator.of(client);
    var id = coordinator.declare();
    send(client, 1, 0, MESSAGE.length, Coordinator.in(id, null));
    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(Coordinator.TRANSACTIONAL);

    send(client, 0, 0, MESSAGE.length);
    assertThat(condition(inside(client.one(DISPOSITION).field(4))))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);

    assertThat(coordinator.commit(id)).isNull();
    send(client, 0, 0, MESSAGE.length);
    assertThat(code(client.one(DISPOSITION).field(4))).isEqualTo(ACCEPTED);
  }
}
