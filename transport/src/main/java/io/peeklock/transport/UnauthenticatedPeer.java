package io.peeklock.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A peer that has not logged in: notes when something of it was heard. */
final class UnauthenticatedPeer extends ChannelInboundHandlerAdapter {
  private static final long NEVER = -1;

  private final OriginGroup group;
  private final LongSupplier nanos;
  private volatile long readNanos;
  private volatile boolean silent = true;
  private volatile int waitsForUs;
  private boolean asks; // for a handshake; guarded, as the group is
  private long computed = NEVER; // guarded as well
  private @Nullable ChannelHandlerContext context;

  UnauthenticatedPeer(OriginGroup group, LongSupplier nanos) {
    this.group = group;
    this.nanos = nanos;
    this.readNanos = nanos.getAsLong();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /** It is one no longer. */
  @EventLoopThread
  void authenticated() {
    var here = context;
    if (here != null && !here.isRemoved()) {
      here.pipeline().remove(this);
    }
  }

  /**
   * A peer waits for one thing more, or below 0 less, that we compute for it, and so cannot say
   * more.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the loop alone writes it
  @EventLoopThread
  static void waitsForUs(Channel channel, int things) {
    var peer = channel.pipeline().get(UnauthenticatedPeer.class);
    if (peer != null) {
      peer.waitsForUs += things;
    }
  }

  /** Whether it does. */
  @AnyThread
  boolean waitsForUs() {
    return waitsForUs > 0;
  }

  /** It asks for a TLS handshake. Guarded by the {@link ConnectionLimiter}. */
  void asksForHandshake() {
    asks(true);
  }

  private void asks(boolean now) {
    if (asks != now) {
      asks = now;
      group.waits(now ? 1 : -1);
    }
  }

  /** That is computed. Guarded by the {@link ConnectionLimiter}. */
  void handshakeIsComputed() {
    asks(false);
    computed = group.handshakes().computed();
  }

  /** It has logged in. Guarded by the {@link ConnectionLimiter}. */
  void logsIn() {
    if (computed != NEVER) {
      group.handshakes().takeBack(computed);
    }
  }

  /** It has logged in, or is gone; whether it was the last of its group. Guarded as well. */
  boolean leaves() {
    asks(false);
    return group.leave();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    readNanos = nanos.getAsLong();
    silent = false;
    context.fireChannelRead(bytes);
  }

  /** It and the others of its origin. */
  OriginGroup group() {
    return group;
  }

  /** Whether nothing of it was ever heard. */
  boolean isSilent() {
    return silent;
  }

  /**
   * Whether it makes room before another one that waits for us as it does, or does not, as it does
   * not. Its origin takes more, or as much and it was heard before; of those that wait, who came
   * last goes first, or nobody would wait to the end. By differences, for the time may wrap.
   */
  boolean goesBefore(UnauthenticatedPeer other) {
    var more = group.weight() - other.group.weight();
    return more != 0 ? more > 0 : waitsForUs() == (readNanos - other.readNanos > 0);
  }
}
