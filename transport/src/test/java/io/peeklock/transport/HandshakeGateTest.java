package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the TLS of a connection hears while something is computed for it: nothing. */
class HandshakeGateTest {
  private final HandshakeGate gate = new HandshakeGate();
  private final List<String> told = new ArrayList<>();
  private final EmbeddedChannel channel = new EmbeddedChannel(gate, new Tls());

  @Test
  void whatFailsMeanwhileClosesWithoutTelling() {
    gate.shut();

    channel.pipeline().fireExceptionCaught(new IOException("reset"));
    channel.runPendingTasks();

    assertThat(channel.isOpen()).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void whoIsDroppedMeanwhileIsNotTold() {
    gate.shut();

    HandshakeGate.drop(channel);
    channel.runPendingTasks();

    assertThat(channel.isOpen()).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void whatIsAskedForTwiceIsToBeDoneTwice() {
    gate.shut();
    gate.shut();
    gate.open();
    assertThat(HandshakeGate.isShut(channel)).isTrue();
    gate.open();
    assertThat(HandshakeGate.isShut(channel)).isFalse();
  }

  @Test
  void otherwiseAllIsTold() {
    channel.pipeline().fireExceptionCaught(new IOException("reset"));
    HandshakeGate.drop(channel);
    channel.runPendingTasks();

    assertThat(told).containsExactly("failed", "close", "gone");
  }

  /** Stands where TLS does. */
  private final class Tls extends ChannelDuplexHandler {
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
      told.add("close");
      var unused = context.close(promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      told.add("gone");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      told.add("failed");
    }
  }
}
