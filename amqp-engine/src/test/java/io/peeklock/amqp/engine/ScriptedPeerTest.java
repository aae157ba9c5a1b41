package io.peeklock.amqp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.proof.Rule;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.qpid.protonj2.test.driver.ProtonTestConnector;
import org.apache.qpid.protonj2.test.driver.codec.messaging.Accepted;
import org.junit.jupiter.api.Test;

/** The engine against somebody else's idea of AMQP 1.0: protonj2's scripted peer, in process. */
class ScriptedPeerTest {
  private final EngineFixture fixture = new EngineFixture();
  private final Queue<byte[]> towardsEngine = new ArrayDeque<>();
  private final ProtonTestConnector peer = new ProtonTestConnector(this::collect);

  @Test
  @Rule({"T-02", "S-104"})
  void aWholeConversationIsUnderstoodByAnotherCodec() {
    fixture.edge.onCredit =
        link -> {
          while (link.canSend()) {
            fixture.deliver(link, 7, false, ClientFrames.hex("005375a003010203"));
          }
        };
    fixture.edge.onDisposition = (link, id, state, settled) -> link.settle(id, state.echo());
    scriptHandshake();
    scriptReceiver();
    scriptSender();
    peer.remoteClose().queue();
    peer.expectClose();

    peer.remoteSASLHeader().now();
    converse();

    peer.waitForScriptToComplete();
    assertThat(fixture.engine.isFinished()).isTrue();
    assertThat(fixture.edge.heard).endsWith("detach out", "end 0", "close");
  }

  private void scriptHandshake() {
    peer.expectSASLHeader();
    peer.expectSaslMechanisms()
        .withSaslServerMechanisms("MSSBCBS", "PLAIN", "ANONYMOUS", "EXTERNAL");
    peer.remoteSaslInit().withMechanism("ANONYMOUS").queue();
    peer.expectSaslOutcome().withCode((byte) 0);
    peer.remoteHeader(ClientFrames.hex(ClientFrames.AMQP_HEADER)).queue();
    peer.expectAMQPHeader();
    peer.remoteOpen().withContainerId("scripted").queue();
    peer.expectOpen().withContainerId("peeklock").withMaxFrameSize(65536).withChannelMax(4999);
    peer.remoteBegin().withNextOutgoingId(0).withIncomingWindow(9).onChannel(0).queue();
    peer.expectBegin().withRemoteChannel(0).withHandleMax(1999);
  }

  private void scriptReceiver() {
    peer.remoteAttach()
        .withName("in")
        .withHandle(0)
        .ofReceiver()
        .withSource()
        .withAddress("q")
        .also()
        .withTarget()
        .withAddress("t")
        .also()
        .onChannel(0)
        .queue();
    peer.expectAttach().ofSender().withName("in").withInitialDeliveryCount(0);
    peer.remoteFlow()
        .withHandle(0)
        .withNextIncomingId(0)
        .withIncomingWindow(9)
        .withNextOutgoingId(0)
        .withOutgoingWindow(9)
        .withDeliveryCount(0)
        .withLinkCredit(2)
        .onChannel(0)
        .queue();
    peer.expectTransfer().withHandle(0).withDeliveryId(0).withMessageFormat(0);
    peer.expectTransfer().withHandle(0).withDeliveryId(1).withSettled(false).withMore(false);
    peer.remoteDisposition()
        .withRole(true)
        .withFirst(0)
        .withLast(1)
        .withState(Accepted.getInstance())
        .onChannel(0)
        .queue();
    peer.expectDisposition()
        .withRole(false)
        .withFirst(0)
        .withLast(1)
        .withSettled(true)
        .withState()
        .accepted();
    peer.remoteDetach().withHandle(0).withClosed(true).onChannel(0).queue();
    peer.expectDetach().withHandle(0).withClosed(true);
  }

  private void scriptSender() {
    peer.remoteAttach()
        .withName("out")
        .withHandle(1)
        .ofSender()
        .withInitialDeliveryCount(0)
        .withSource()
        .withAddress("s")
        .also()
        .withTarget()
        .withAddress("q")
        .also()
        .onChannel(0)
        .queue();
    peer.expectAttach().ofReceiver().withName("out").withMaxMessageSize(1024);
  }

  private void collect(ByteBuffer bytes) {
    var copy = new byte[bytes.remaining()];
    bytes.get(copy);
    towardsEngine.add(copy);
  }

  private void converse() {
    for (byte[] bytes = towardsEngine.poll(); bytes != null; bytes = towardsEngine.poll()) {
      fixture.engine.ingest(Unpooled.wrappedBuffer(bytes), 0);
      ByteBuf out = fixture.engine.takeOutput();
      if (out != null) {
        peer.accept(out.nioBuffer());
        out.release();
      }
    }
  }
}
