package io.peeklock.amqp.connection;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The one timer of a connection, set for the earliest due time. */
@EventLoopThread
final class ConnectionTimer {
  private final Channel channel;
  private final LongSupplier nowMillis;
  private final Runnable due;
  private @Nullable Future<?> timer;
  private long atMillis = Long.MAX_VALUE;
  private boolean over;

  /**
   * A timer that is not set.
   *
   * @param nowMillis monotonic
   * @param due run when the timer fires
   */
  ConnectionTimer(Channel channel, LongSupplier nowMillis, Runnable due) {
    this.channel = channel;
    this.nowMillis = nowMillis;
    this.due = due;
  }

  /** Sets the timer, replacing an earlier setting. */
  void set(long millis) {
    cancel();
    atMillis = millis;
    if (!over) {
      var wait = Math.max(1, millis - nowMillis.getAsLong());
      timer = channel.eventLoop().schedule(due, wait, TimeUnit.MILLISECONDS);
    }
  }

  /** Makes the timer fire after {@code millis} at the latest. */
  void dueIn(long millis) {
    var at = nowMillis.getAsLong() + millis;
    if (at < atMillis) {
      set(at);
    }
  }

  /** Stops the timer for good. */
  void end() {
    over = true;
    cancel();
  }

  private void cancel() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }
}
