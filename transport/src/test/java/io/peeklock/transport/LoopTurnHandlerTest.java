package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has to wait for its turn is not read, and what its handlers want of reading is kept. */
@Timeout(60)
class LoopTurnHandlerTest {
  private static final AdaptiveRecvByteBufAllocator SIZES = new AdaptiveRecvByteBufAllocator();

  private final Deque<Runnable> rounds = new ArrayDeque<>();
  private final AtomicLong now = new AtomicLong();
  private final LoopTurns turns = new LoopTurns(now::get, rounds::add);
  private final List<String> reads = new ArrayList<>();

  @Test
  void whoHasUsedMoreThanItsTurnIsNotAskedForMoreUntilItIsNext() {
    var heavy = channel();
    reads.clear();

    heavy.writeInbound(costs(30));
    var afterIt = List.copyOf(reads);
    untilItIsNext();

    assertThat(afterIt).isEmpty();
    assertThat(reads).containsExactly("read");
    assertThat(heavy.config().isAutoRead()).isTrue();
  }

  @Test
  void whoUsesLittleIsReadOn() {
    var light = channel();
    reads.clear();

    light.writeInbound(costs(0));

    assertThat(reads).containsExactly("read");
    assertThat(rounds).isEmpty();
  }

  @Test
  void aHandlerThatStopsReadingMeanwhileIsNotOverruled() {
    var heavy = channel();
    heavy.writeInbound(costs(30));
    reads.clear();

    heavy.config().setAutoRead(false);
    untilItIsNext();
    assertThat(reads).isEmpty();

    heavy.config().setAutoRead(true);
    assertThat(reads).containsExactly("read");
  }

  @Test
  void oneThatReadsOnMeanwhileWaitsForTheTurnAllTheSame() {
    var heavy = channel();
    heavy.config().setAutoRead(false);
    heavy.writeInbound(costs(30));
    reads.clear();

    heavy.config().setAutoRead(true);
    assertThat(reads).isEmpty();

    untilItIsNext();
    assertThat(reads).containsExactly("read");
  }

  /** TLS asks for more where what came is nothing for those behind it, again and again. */
  @Test
  void whoIsNotToBeReadIsNotReadOnceMoreEither() {
    var stopped = channel();
    stopped.config().setAutoRead(false);
    reads.clear();

    stopped.read();
    assertThat(reads).isEmpty();

    stopped.config().setAutoRead(true);
    assertThat(reads).containsExactly("read");
  }

  @Test
  void whoLogsInWhileItWaitsGoesOn() {
    var client = channel();
    client.writeInbound(costs(30));
    reads.clear();

    LoopTurnHandler.recognise(client);

    assertThat(reads).containsExactly("read");
  }

  @Test
  void whoIsHeldIsNotReadUntilItIsLetGo() {
    var held = channel();
    reads.clear();

    LoopTurnHandler.hold(held);
    held.read();
    now.addAndGet(5);
    assertThat(reads).isEmpty();
    assertThat(LoopTurnHandler.unreadNanos(held)).isEqualTo(5);

    LoopTurnHandler.hold(held);
    LoopTurnHandler.letGo(held);
    assertThat(reads).as("it is held twice").isEmpty();

    LoopTurnHandler.letGo(held);
    assertThat(reads).containsExactly("read");
    assertThat(LoopTurnHandler.unreadNanos(held)).isEqualTo(5);
  }

  @Test
  void whoIsHeldAndStandsInLineIsReadWhenBothAreOver() {
    var first = channel();
    first.writeInbound(costs(30));
    LoopTurnHandler.hold(first);
    reads.clear();
    LoopTurnHandler.letGo(first);
    assertThat(reads).isEmpty();
    untilItIsNext();
    assertThat(reads).containsExactly("read");

    var second = channel();
    LoopTurnHandler.hold(second);
    second.writeInbound(costs(30));
    reads.clear();
    untilItIsNext();
    assertThat(reads).isEmpty();
    LoopTurnHandler.letGo(second);
    assertThat(reads).containsExactly("read");
  }

  @Test
  void whoIsGoneIsForgotten() {
    var heavy = channel();
    heavy.writeInbound(costs(30));
    reads.clear();

    var unused = heavy.close();
    heavy.runPendingTasks();
    untilItIsNext();

    assertThat(reads).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onARealSocketNothingIsReadMeanwhileAndNothingIsLost(boolean epoll) throws Exception {
    var heard = new LinkedBlockingQueue<Integer>();
    try (var loops = epoll ? EventLoops.start(1) : EventLoops.ofNio(1)) {
      var guarded = listen(loops, new Heavy(heard, 30), true);
      var free = listen(loops, new Heavy(heard, 0), false);
      try (var heavy = new Socket(InetAddress.getLoopbackAddress(), guarded);
          var other = new Socket(InetAddress.getLoopbackAddress(), free)) {
        heavy.getOutputStream().write(1);
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(1);

        heavy.getOutputStream().write(2); // is there when the other one's bytes come
        for (var i = 10; i < 20; i++) {
          other.getOutputStream().write(i);
          assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(i);
        }
        loops.next().submit(this::untilItIsNext).sync();

        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(2);
      }
    }
  }

  private int listen(EventLoops loops, Heavy handler, boolean guarded) {
    var bootstrap =
        new ServerBootstrap()
            .group(loops.group())
            .channelFactory(loops.sockets())
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    if (guarded) {
                      LoopTurnHandler.guard(channel, turns, SIZES);
                    }
                    channel.pipeline().addLast(handler);
                  }
                });
    var bound = bootstrap.bind(InetAddress.getLoopbackAddress(), 0).syncUninterruptibly();
    return ((InetSocketAddress) bound.channel().localAddress()).getPort();
  }

  private EmbeddedChannel channel() {
    var channel = new EmbeddedChannel();
    channel.pipeline().addLast(new ReadsSeen());
    channel.pipeline().addLast(new Heavy(null, 0));
    // In front of all but the one that sees what is left of reads.
    LoopTurnHandler.guard(channel, turns, SIZES);
    channel.pipeline().remove(ReadsSeen.class);
    channel.pipeline().addFirst(new ReadsSeen());
    return channel;
  }

  /** A byte that takes so many turns to handle. */
  private static ByteBuf costs(int turns) {
    return Unpooled.buffer().writeByte(turns);
  }

  private void untilItIsNext() {
    while (!rounds.isEmpty()) {
      rounds.remove().run();
    }
  }

  /** Lets time pass for what it hears. */
  @io.netty.channel.ChannelHandler.Sharable
  private final class Heavy extends ChannelInboundHandlerAdapter {
    private final @Nullable LinkedBlockingQueue<Integer> heard;
    private final int turnsOfEach;

    Heavy(@Nullable LinkedBlockingQueue<Integer> heard, int turnsOfEach) {
      this.heard = heard;
      this.turnsOfEach = turnsOfEach;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
      var bytes = (ByteBuf) message;
      var cost = heard == null ? bytes.getByte(bytes.readerIndex()) : turnsOfEach;
      now.addAndGet(cost * LoopTurns.AUTHENTICATED_SLICE_NANOS);
      while (bytes.isReadable() && heard != null) {
        heard.add((int) bytes.readByte());
      }
      bytes.release();
    }
  }

  /** Stands where the socket would be. */
  private final class ReadsSeen extends ChannelOutboundHandlerAdapter {
    @Override
    public void read(ChannelHandlerContext context) {
      reads.add("read");
      context.read();
    }
  }
}
