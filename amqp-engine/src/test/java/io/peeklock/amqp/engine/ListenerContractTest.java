package io.peeklock.amqp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the edge may rely on: one end for every beginning, and no exception swallowed. */
class ListenerContractTest {
  private static final List<String> ALL_ENDS = List.of("detach r", "detach s", "end 1");

  @Test
  void howeverAConnectionEndsEveryLinkAndSessionEndsOnce() {
    var closed = busy();
    closed.feed(ClientFrames.frame(0, Descriptor.CLOSE));
    assertThat(closed.edge.heard).containsExactly("detach r", "detach s", "end 1", "close");

    var broken = busy();
    broken.feed(ClientFrames.hex("00000001"));
    assertThat(broken.edge.heard)
        .containsExactly("detach r", "detach s", "end 1", "fatal amqp:connection:framing-error");

    var lost = busy();
    lost.engine.connectionLost();
    assertThat(lost.edge.heard).isEqualTo(ALL_ENDS);

    var closing = busy();
    closing.engine.close(null);
    closing.feed(ClientFrames.frame(0, Descriptor.CLOSE));
    assertThat(closing.edge.heard).isEqualTo(ALL_ENDS);
    assertThat(closing.engine.isFinished()).isTrue();

    for (EngineFixture fixture : List.of(closed, broken, lost, closing)) {
      fixture.engine.connectionLost();
      assertThat(fixture.edge.heard).startsWith("detach r", "detach s", "end 1").hasSizeLessThan(5);
    }
  }

  @Test
  void theEdgeIsNotToldOfEndsThatItBroughtAboutItself() {
    var fixture = busy();
    fixture.edge.lastSending().detach(null);
    fixture.edge.lastSession().end(null);
    fixture.feed(ClientFrames.frame(1, Descriptor.END), ClientFrames.frame(0, Descriptor.CLOSE));

    assertThat(fixture.edge.heard).containsExactly("detach s", "close");
  }

  @Test
  void anExceptionOfACallbackClosesTheEngineAndReachesTheCaller() {
    var fixture = busy();
    fixture.edge.onTransfer =
        transfer -> {
          throw new IllegalArgumentException("a bug of the edge");
        };
    byte[] transfer = ClientFrames.transfer(1, 1, 0, false, new byte[1]);

    assertThatThrownBy(() -> fixture.engine.ingest(Unpooled.wrappedBuffer(transfer), 0))
        .hasMessage("a bug of the edge");

    assertThat(fixture.engine.isFinished()).isTrue();
    assertThat(fixture.frames().getLast().hex()).contains("616d71703a696e7465726e616c2d6572726f72");
    assertThat(fixture.edge.lastSending().canSend()).isFalse();
    assertThat(fixture.edge.lastReceiving().isAttached()).isFalse();
    fixture.edge.takeHeard();
    fixture.engine.connectionLost();
    assertThat(fixture.edge.heard).isEqualTo(ALL_ENDS);
  }

  @Test
  void aCallbackMayCallWhateverItLikesButNotFeedTheEngine() {
    var fixture = busy();
    fixture.edge.always = () -> fixture.engine.tick(5);

    assertThatThrownBy(() -> fixture.feed(ClientFrames.detach(1, 0)))
        .isInstanceOf(IllegalStateException.class);

    for (Runnable action : endings(busy())) {
      var other = busy();
      Runnable same = endings(other).get(endings(other).size() - 1);
      other.edge.onTransfer = transfer -> same.run();
      other.feed(ClientFrames.transfer(1, 1, 0, false, new byte[1]));
      other.feed(ClientFrames.transfer(1, 1, 1, false, new byte[1]));
      action.run();
      assertThat(other.edge.heard).doesNotHaveDuplicates();
    }
  }

  @Test
  void afterTheEndEveryCallDoesNothing() {
    var fixture = busy();
    fixture.feed(ClientFrames.frame(0, Descriptor.CLOSE));
    fixture.forget();
    SendingLink link = fixture.edge.lastSending();

    endings(fixture).forEach(Runnable::run);
    link.drained();
    fixture.edge.lastReceiving().grantCredit(5);
    fixture.edge.lastSession().settleIncoming(0, 0, Outcome.ACCEPTED);
    fixture.feed(ClientFrames.begin(0, 1));

    assertThat(link.canSend()).isFalse();
    assertThat(link.settle(0, Outcome.ACCEPTED)).isFalse();
    assertThat(fixture.frames()).isEmpty();
    assertThat(fixture.edge.heard).isEmpty();
  }

  private static List<Runnable> endings(EngineFixture fixture) {
    return List.of(
        () -> fixture.edge.lastReceiving().detach(null),
        () -> fixture.edge.lastSession().end(null),
        () -> fixture.engine.close(null),
        fixture.engine::connectionLost);
  }

  private static EngineFixture busy() {
    var fixture = EngineFixture.receiving(5);
    fixture.feed(ClientFrames.attachSender(1, 1, "s"));
    fixture.deliver(1);
    fixture.deliver(2);
    return fixture.forget();
  }
}
