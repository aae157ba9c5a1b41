package io.peeklock.amqp.limit;

import io.netty.channel.Channel;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.intake.UnreadTime;
import io.peeklock.runtime.thread.AnyThread;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Why a connection does not read its socket for now; it reads when there is no reason left. */
public final class ReadPauses {
  public static final int MAILBOX = 1;
  public static final int ARENA = 2;
  public static final int LARGE_BODY = 4;
  public static final int HELD = 8;
  public static final int UNREAD = 16;

  /** Those that the client cannot change. */
  private static final int OURS = MAILBOX | ARENA | LARGE_BODY;

  private static final long RETRY_MILLIS = 5;

  private final Channel channel;
  private final LongSupplier nowMillis;
  private final UnreadTime unread = new UnreadTime();
  private int reasons;
  private boolean over;

  public ReadPauses(Channel channel, LongSupplier nowMillis) {
    this.channel = channel;
    this.nowMillis = nowMillis;
  }

  /**
   * How long it has not read in all, for want of room that others take. Who does not read its
   * answers, or has sent what must wait for its own large message, has that time to itself.
   */
  @AnyThread
  public long unreadMillis(long nowMillis) {
    return unread.millis(nowMillis);
  }

  /** Stops the reading for a reason, a bit. */
  public void add(int reason) {
    if (reasons == 0) {
      channel.config().setAutoRead(false);
    }
    reasons |= reason;
    if ((reason & OURS) != 0) {
      unread.begin(nowMillis.getAsLong());
    }
  }

  /** A reason is gone. */
  public void remove(int reason) {
    if (reasons != 0) {
      reasons &= ~reason;
      if ((reasons & OURS) == 0) {
        unread.end(nowMillis.getAsLong());
      }
      if (reasons == 0 && !over) {
        channel.config().setAutoRead(true);
      }
    }
  }

  /** Whether it is one of the reasons now. */
  public boolean has(int reason) {
    return (reasons & reason) != 0;
  }

  /** Stops it until bodies may be staged again. */
  public void whileFull(BodyArena arena, int reason) {
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
  public void end() {
    over = true;
  }
}
