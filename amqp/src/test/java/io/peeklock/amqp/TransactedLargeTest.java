package io.peeklock.amqp;

import static io.peeklock.amqp.Coordinator.condition;
import static io.peeklock.amqp.Coordinator.in;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.DISPOSITION;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static io.peeklock.amqp.TestClient.code;
import static io.peeklock.amqp.TestClient.uint;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages above one mebibyte in transactions: in files of their own before the commit. */
class TransactedLargeTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final int SENDER = 0;

  /** A broker, and a client that sends to a queue and to a topic. */
  private static final class Scene {
    final BrokerFixture broker;
    final TestClient client;
    final Coordinator coordinator;
    private int deliveries = 100;

    Scene(BrokerFixture empty) {
      broker =
          empty
              .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
              .queue(
                  QueueDefinition.named("t/Subscriptions/s")
                      .as(new QueueRole.Subscription("t", true)));
      client = broker.client();
      coordinator = Coordinator.of(client);
      client.sender(0, SENDER, "q").sender(0, 1, "t").forget();
    }

    /** The frames of a message of this size in a transaction. */
    List<ByteBuf> frames(byte[] transaction, int handle, int bytes) {
      var message = TestMessage.text("x".repeat(bytes));
      var id = deliveries++;
      var frames = new ArrayList<ByteBuf>();
      for (var at = 0; at < message.length; at += 60_000) {
        var end = Math.min(message.length, at + 60_000);
        frames.add(
            TestClient.frameBytes(
                0,
                0,
                TRANSFER,
                Arrays.asList(
                    uint(handle),
                    uint(id),
                    TestClient.tag(id),
                    uint(0),
                    false,
                    end < message.length,
                    null,
                    in(transaction, null)),
                Arrays.copyOfRange(message, at, end)));
      }
      return frames;
    }

    @Nullable Object send(byte[] transaction, int handle, int bytes) {
      frames(transaction, handle, bytes).forEach(client::send);
      return coordinator.answer();
    }

    /** The sizes of what somebody else takes, in frames of theirs put together. */
    List<Integer> taken(String queue) {
      var other = broker.client();
      other.receiver(0, 0, queue, 1).credit(0, 100);
      var sizes = new ArrayList<Integer>();
      var size = 0;
      for (var frame : other.take(TRANSFER)) {
        size += frame.payload().length;
        if (!Boolean.TRUE.equals(frame.field(5))) {
          sizes.add(size / MEBIBYTE);
          size = 0;
        }
      }
      other.leave();
      broker.settle(); // what it had not taken is given back
      return sizes;
    }
  }

  private final Scene scene = new Scene(new BrokerFixture());

  @Test
  @Rule({"S-376", "S-379", "I-27"})
  void largeAndSmallOnesAreThereTogetherAfterTheCommitInTheirOrder() {
    var transaction = scene.coordinator.declare();
    scene.coordinator.send(transaction, SENDER, "small");
    assertThat(code(scene.send(transaction, SENDER, 2 * MEBIBYTE)))
        .isEqualTo(Coordinator.TRANSACTIONAL);
    scene.coordinator.send(transaction, SENDER, "small");
    assertThat(code(scene.send(transaction, 1, 3 * MEBIBYTE))).isEqualTo(Coordinator.TRANSACTIONAL);
    assertThat(scene.taken("q")).isEmpty();

    assertThat(scene.coordinator.commit(transaction)).isNull();

    assertThat(scene.taken("q")).containsExactly(0, 2, 0);
    assertThat(scene.taken("t/Subscriptions/s")).containsExactly(3);
    assertThat(scene.broker.journal.leaks()).isZero();
  }

  @Test
  @Rule({"S-380", "S-386"})
  void nothingIsLeftOfThemAfterARollback() {
    var transaction = scene.coordinator.declare();
    scene.send(transaction, SENDER, 2 * MEBIBYTE);

    assertThat(scene.coordinator.rollBack(transaction)).isNull();

    assertThat(scene.taken("q")).isEmpty();
    assertThat(scene.broker.journal.liveBodies()).isZero();
    assertThat(scene.broker.journal.leaks()).isZero();
  }

  @Test
  @Rule("I-29")
  void aDischargeThatComesRightBehindWaitsUntilTheyAreStored() {
    var transaction = scene.coordinator.declare();
    var burst = Unpooled.buffer();
    scene.frames(transaction, SENDER, MEBIBYTE + 1_000).forEach(burst::writeBytes);
    burst.writeBytes(
        scene.client.transfer(
            0, Coordinator.HANDLE, 0, false, Coordinator.discharging(transaction, false)));

    scene.client.send(burst);

    assertThat(scene.client.take(DISPOSITION)).hasSize(2);
    assertThat(scene.taken("q")).containsExactly(1);
  }

  @Test
  @Rule("S-399")
  void aLinkThatGoesBeforeTheyAreStoredFailsTheTransaction() {
    var transaction = scene.coordinator.declare();
    var burst = Unpooled.buffer();
    scene.frames(transaction, SENDER, MEBIBYTE + 1_000).forEach(burst::writeBytes);
    burst.writeBytes(
        TestClient.frameBytes(0, 0, DETACH, Arrays.asList(uint(SENDER), true, null), new byte[0]));

    scene.client.send(burst).forget();

    assertThat(scene.coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(scene.broker.journal.liveBodies()).isZero();
    assertThat(scene.broker.journal.leaks()).isZero();
  }

  @Test
  @Rule({"S-431", "S-399"})
  void theLimitOfTheQueueHoldsInATransactionToo() {
    scene.broker.queue("tight", 60_000, 10, 2 * MEBIBYTE);
    scene.client.sender(0, 5, "tight").forget();
    var transaction = scene.coordinator.declare();

    var answer = scene.send(transaction, 5, 3 * MEBIBYTE);

    assertThat(condition(answer)).isEqualTo(Conditions.MESSAGE_SIZE_EXCEEDED);
    assertThat(scene.coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
  }

  @Test
  @Rule("S-399")
  void whatWaitsInFilesIsBounded() {
    var limits =
        new AmqpSettings.Limits(4_096, 4 << 20, 1_200_000, 50_000, 1 << 20, 8 << 20, 1 << 20, 10);
    var tight = new Scene(new BrokerFixture(limits));
    var transaction = tight.coordinator.declare();
    for (var i = 0; i < 3; i++) {
      assertThat(code(tight.send(transaction, SENDER, 3 * MEBIBYTE)))
          .isEqualTo(Coordinator.TRANSACTIONAL);
    }

    assertThat(condition(tight.send(transaction, SENDER, 3 * MEBIBYTE)))
        .isEqualTo(Conditions.RESOURCE_LIMIT_EXCEEDED);

    assertThat(tight.coordinator.commit(transaction)).isEqualTo(Conditions.TRANSACTION_ROLLBACK);
    assertThat(tight.broker.journal.leaks()).isZero();
    assertThat(code(tight.send(tight.coordinator.declare(), SENDER, 3 * MEBIBYTE)))
        .isEqualTo(Coordinator.TRANSACTIONAL);
  }
}
