package io.peeklock.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A peer that has not shown who it is: notes when something of it was heard. */
final class Stranger extends ChannelInboundHandlerAdapter {
  private final Crowd crowd;
  private final LongSupplier nanos;
  private volatile long heardNanos;
  private volatile boolean mute = true;
  private volatile boolean waitsForUs;
  private @Nullable ChannelHandlerContext context;

  Stranger(Crowd crowd, LongSupplier nanos) {
    this.crowd = crowd;
    this.nanos = nanos;
    this.heardNanos = nanos.getAsLong();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /** It is one no longer. On its event loop. */
  void isKnown() {
    var here = context;
    if (here != null && !here.isRemoved()) {
      here.pipeline().remove(this);
    }
  }

  /** Whether a peer waits for what we compute for it, and so cannot say more. On its event loop. */
  static void waitsForUs(Channel channel, boolean waits) {
    var stranger = channel.pipeline().get(Stranger.class);
    if (stranger != null) {
      stranger.waitsForUs = waits;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    heardNanos = nanos.getAsLong();
    mute = false;
    context.fireChannelRead(bytes);
  }

  /** It and the others of its origin. */
  Crowd crowd() {
    return crowd;
  }

  /** Whether nothing of it was ever heard. */
  boolean isMute() {
    return mute;
  }

  /**
   * Whether it makes room before another one. Its origin takes more of the places, or as much and
   * it does not wait for us, or was heard before; of those that wait for us, who came last goes
   * first, or nobody would wait to the end. By differences, for the time may wrap.
   */
  boolean goesBefore(Stranger other) {
    var more = crowd.weight() - other.crowd.weight();
    if (more != 0) {
      return more > 0;
    }
    if (waitsForUs != other.waitsForUs) {
      return other.waitsForUs;
    }
    return waitsForUs == (heardNanos - other.heardNanos > 0);
  }
}
