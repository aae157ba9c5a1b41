package io.peeklock.amqp.connection;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The one timer of a connection: set for whatever is due first. */
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
   * @param due run whenever the time has come
   */
  ConnectionTimer(Channel channel, LongSupplier nowMillis, Runnable due) {
    this.channel = channel;
    this.nowMillis = nowMillis;
    this.due = due;
  }

  /** Sets it, whatever it was set for. */
  void set(long millis) {
    cancel();
    atMillis = millis;
    if (!over) {
      var wait = Math.max(1, millis - nowMillis.getAsLong());
      timer = channel.eventLoop().schedule(due, wait, TimeUnit.MILLISECONDS);
    }
  }

  /** Something is due after so long; it may be set for later. */
  void dueIn(long millis) {
    var at = nowMillis.getAsLong() + millis;
    if (at < atMillis) {
      set(at);
    }
  }

  /** Never again. */
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
