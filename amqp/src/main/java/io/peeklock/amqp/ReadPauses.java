package io.peeklock.amqp;

import io.netty.channel.Channel;
import io.peeklock.runtime.BodyArena;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Why a connection does not read its socket for now; it reads when there is no reason left. */
final class ReadPauses {
  static final int MAILBOX = 1;
  static final int ARENA = 2;
  static final int LARGE_BODY = 4;
  static final int HELD = 8;
  static final int UNREAD = 16;

  private static final long RETRY_MILLIS = 5;

  private final Channel channel;
  private final LongSupplier nowMillis;
  private volatile long readsSinceMillis = Long.MIN_VALUE;
  private int reasons;
  private boolean over;

  ReadPauses(Channel channel, LongSupplier nowMillis) {
    this.channel = channel;
    this.nowMillis = nowMillis;
  }

  /** Since when it reads, monotonic; far away while it does not. From any thread. */
  long readsSinceMillis() {
    return readsSinceMillis;
  }

  /** Stops the reading for a reason, a bit. */
  void add(int reason) {
    if (reasons == 0) {
      readsSinceMillis = Long.MAX_VALUE;
      channel.config().setAutoRead(false);
    }
    reasons |= reason;
  }

  /** A reason is gone. */
  void remove(int reason) {
    if (reasons != 0) {
      reasons &= ~reason;
      if (reasons == 0 && !over) {
        readsSinceMillis = nowMillis.getAsLong();
        channel.config().setAutoRead(true);
      }
    }
  }

  /** Whether it is one of the reasons now. */
  boolean has(int reason) {
    return (reasons & reason) != 0;
  }

  /** Stops it until bodies may be staged again. */
  void whileFull(BodyArena arena, int reason) {
    add(reason);
    var unused =
        channel
            .eventLoop()
            .schedule(() -> retry(arena, reason), RETRY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void retry(BodyArena arena, int reason) {
    if (arena.hasRoom()) {
      remove(reason);
    } else if (!over) {
      whileFull(arena, reason);
    }
  }

  /** The connection is over: nothing is ever read again. */
  void end() {
    over = true;
  }
}
