package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.TRANSFER;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.amqp.message.WrappedBlock;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.proof.Rule;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Memory that messages lay in is not kept behind their delivery. */
class WrappedBlockTest {
  private static boolean keepsOne(EventLoopContext loopContext) {
    return loopContext.writer.block.keepsOne();
  }

  @Test
  @Rule("I-46")
  void neighboursShareOneAndThenItIsForgotten() {
    var wrapped = new WrappedBlock();
    var block = ByteBuffer.allocateDirect(100);

    assertThat(wrapped.of(block)).isSameAs(wrapped.of(block));
    assertThat(wrapped.keepsOne()).isTrue();
    wrapped.forget();

    assertThat(wrapped.keepsOne()).isFalse();
    assertThat(wrapped.of(block).capacity()).isEqualTo(100);
  }

  @Test
  @Rule("I-46")
  void nothingIsKeptOnceDeliveriesAreWritten() {
    var broker = new BrokerFixture();
    var client = broker.client().sender(0, 0, "q").receiver(0, 1, "q", 0).credit(1, 2);
    var loopContext = broker.edge.contextOf(client.channel.eventLoop());

    client.message(0, TestMessage.text("told"));
    assertThat(client.one(TRANSFER).payload()).isNotEmpty();
    assertThat(keepsOne(loopContext)).isFalse();
    client.message(0, TestMessage.text("told"));

    assertThat(keepsOne(loopContext)).isFalse();
  }

  @Test
  @Rule("I-46")
  void nothingIsKeptOnceAReceiverWithoutALinkHasItsMessage() {
    var direct = new DirectFixture();
    direct.send("q", DirectFixture.text("one"));

    assertThat(direct.given(direct.receiving("q", ReceiveMode.PEEK_LOCK, 0))).isPresent();

    assertThat(keepsOne(direct.broker.edge.contextOf(direct.loop.eventLoop()))).isFalse();
  }
}
