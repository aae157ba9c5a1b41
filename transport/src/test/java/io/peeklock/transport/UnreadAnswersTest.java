package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who leaves unread what it is answered is not read. */
class UnreadAnswersTest {
  private final EmbeddedChannel channel = new EmbeddedChannel(new UnreadAnswers());
  private int reads;

  UnreadAnswersTest() {
    var turns = new LoopTurns(() -> 0, task -> {});
    LoopTurnHandler.guard(channel, turns, new AdaptiveRecvByteBufAllocator());
    channel.pipeline().addFirst(new ReadsSeen());
  }

  private ChannelOutboundBuffer output() {
    return Objects.requireNonNull(channel.unsafe().outboundBuffer());
  }

  private void leaveUnread(int bytes) {
    output().addMessage(Unpooled.buffer(), bytes, channel.newPromise());
    channel.pipeline().fireChannelReadComplete();
    reads = 0;
    channel.read();
  }

  private void readAll() {
    output().addFlush();
    output().remove();
  }

  private void passMillis(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void whoLeavesMuchIsReadAgainWhenItHasTakenIt() {
    leaveUnread(100_000);
    passMillis(100);
    assertThat(reads).isZero();

    readAll();
    passMillis(100);
    assertThat(reads).isEqualTo(1);
  }

  @Test
  void whoLeavesLittleIsReadOn() {
    leaveUnread(10_000);

    assertThat(reads).isEqualTo(1);
  }

  @Test
  void whereSomebodyElseLooksItIsReadOn() {
    leaveUnread(100_000);

    UnreadAnswers.leaveTo(channel);
    UnreadAnswers.leaveTo(channel);
    assertThat(reads).isEqualTo(1);

    passMillis(1_000);
    leaveUnread(100_000);
    assertThat(reads).isEqualTo(1);
  }

  @Test
  void whoIsGoneIsForgotten() {
    leaveUnread(100_000);

    var unused = channel.close();
    channel.runPendingTasks();
    passMillis(1_000);

    assertThat(reads).isZero();
  }

  /** Stands where the socket would be. */
  private final class ReadsSeen extends ChannelOutboundHandlerAdapter {
    @Override
    public void read(ChannelHandlerContext context) {
      reads++;
      context.read();
    }
  }
}
