package io.peeklock.transport;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A peer that has not shown who it is: notes when something of it was heard. */
final class Stranger extends ChannelInboundHandlerAdapter {
  private final Origin origin;
  private final LongSupplier nanos;
  private volatile long heardNanos;
  private volatile boolean mute = true;
  private @Nullable ChannelHandlerContext context;

  Stranger(Origin origin, LongSupplier nanos) {
    this.origin = origin;
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

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    heardNanos = nanos.getAsLong();
    mute = false;
    context.fireChannelRead(bytes);
  }

  Origin origin() {
    return origin;
  }

  /** Whether nothing of it was ever heard. */
  boolean isMute() {
    return mute;
  }

  /** Whether it was heard before another one; by differences, for the time may wrap. */
  boolean isStillerThan(Stranger other) {
    return heardNanos - other.heardNanos < 0;
  }
}
