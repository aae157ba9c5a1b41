package io.peeklock.amqp;

import static io.peeklock.amqp.DirectFixture.text;
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

  private final DirectFixture direct =
      new DirectFixture(new BrokerFixture().deliveryBytes(ROOM).queue("q5", 300_000, 10, 8 << 20));

  private ReceivedMessage messageOf(
      CompletableFuture<Answer<Optional<ReceivedMessage>>> receiving) {
    return direct.given(receiving).orElseThrow();
  }

  @Test
  void manyReceiversThatDoNotReadHoldNoMoreThanTheRoomInSum() {
    var receiving = new ArrayList<CompletableFuture<Answer<Optional<ReceivedMessage>>>>();
    for (var i = 0; i < 100; i++) {
      receiving.add(direct.receiving("q5", ReceiveMode.RECEIVE_AND_DELETE, 600_000));
    }
    for (var i = 0; i < 100; i++) {
      direct.send("q5", text("x".repeat(SIZE)));
    }

    var answered = receiving.stream().filter(CompletableFuture::isDone).toList();
    var ofOneQueue = ROOM / 4 * 3; // the rest is for receivers of other queues
    assertThat(direct.broker.underWay()).isBetween(ofOneQueue, ofOneQueue + SIZE + 1_000);
    assertThat(answered).hasSizeBetween(25, 28);

    for (var round = 0; round < 100 && !receiving.isEmpty(); round++) {
      var done = receiving.stream().filter(CompletableFuture::isDone).toList();
      receiving.removeIf(CompletableFuture::isDone);
      done.forEach(each -> messageOf(each).taken().run());
      direct.settle();
    }
    assertThat(receiving).as("everybody has a message").isEmpty();
    assertThat(direct.broker.underWay()).isZero();
  }

  @Test
  void whoStillReadsWhenItsTimeIsUpIsNotGivenAnotherMessage() {
    direct.send("q5", OutgoingMessage.of(ByteBuffer.allocate(3_000_000)));
    direct.send("q5", text("next"));
    var message = messageOf(direct.receiving("q5", ReceiveMode.PEEK_LOCK, 10_000));

    direct.advance(Duration.ofSeconds(11));

    var free = direct.lock("q5");
    assertThat(DirectFixture.body(free)).as("nobody has it").isEqualTo("next");
    free.taken().run();
    message.drop();
    direct.settle();
    assertThat(direct.broker.underWay()).isZero();
    assertThat(direct.lock("q5").stored().failedDeliveries()).as("it is free again").isZero();
  }
}
