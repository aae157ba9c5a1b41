package io.peeklock.amqp;

import static io.peeklock.amqp.DoorFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.OutgoingMessage;
import io.peeklock.runtime.message.ReceivedMessage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Messages that were received without a link and that their receivers have not taken yet. */
class UntakenMessagesTest {
  private static final int SIZE = 60_000;
  private static final long ROOM = 2 << 20;

  private final DoorFixture door =
      new DoorFixture(new BrokerFixture().deliveryBytes(ROOM).queue("q5", 300_000, 10, 8 << 20));

  private ReceivedMessage messageOf(
      CompletableFuture<Answer<Optional<ReceivedMessage>>> receiving) {
    return door.given(receiving).orElseThrow();
  }

  @Test
  void manyReceiversThatDoNotReadHoldNoMoreThanTheRoomInSum() {
    var receiving = new ArrayList<CompletableFuture<Answer<Optional<ReceivedMessage>>>>();
    for (var i = 0; i < 100; i++) {
      receiving.add(door.receiving("q5", ReceiveMode.RECEIVE_AND_DELETE, 600_000));
    }
    for (var i = 0; i < 100; i++) {
      door.send("q5", text("x".repeat(SIZE)));
    }

    var answered = receiving.stream().filter(CompletableFuture::isDone).toList();
    var ofOneQueue = ROOM / 4 * 3; // the rest is for receivers of other queues
    assertThat(door.broker.underWay()).isBetween(ofOneQueue, ofOneQueue + SIZE + 1_000);
    assertThat(answered).hasSizeBetween(25, 28);

    for (var round = 0; round < 100 && !receiving.isEmpty(); round++) {
      var done = receiving.stream().filter(CompletableFuture::isDone).toList();
      receiving.removeIf(CompletableFuture::isDone);
      done.forEach(each -> messageOf(each).taken().run());
      door.settle();
    }
    assertThat(receiving).as("everybody has a message").isEmpty();
    assertThat(door.broker.underWay()).isZero();
  }

  @Test
  void whoStillReadsWhenItsTimeIsUpIsNotGivenAnotherMessage() {
    door.send("q5", OutgoingMessage.of(ByteBuffer.allocate(3_000_000)));
    door.send("q5", text("next"));
    var message = messageOf(door.receiving("q5", ReceiveMode.PEEK_LOCK, 10_000));

    door.advance(Duration.ofSeconds(11));

    var free = door.lock("q5");
    assertThat(DoorFixture.body(free)).as("nobody has it").isEqualTo("next");
    free.taken().run();
    message.drop();
    door.settle();
    assertThat(door.broker.underWay()).isZero();
    assertThat(door.lock("q5").stored().failedDeliveries()).as("it is free again").isZero();
  }
}
