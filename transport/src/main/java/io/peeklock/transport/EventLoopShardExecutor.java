package io.peeklock.transport;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.peeklock.runtime.ShardExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A shard's thread on an event loop, or on a thread of its own where there are cores for it. */
public final class EventLoopShardExecutor implements ShardExecutor, AutoCloseable {
  /**
   * For so long a shard with much to do goes on before the sockets are looked at once more. With a
   * look after each step, batches are small where many send or settle little, and each message
   * costs up to a half more (S9 of the benchmarks).
   */
  static final long SPELL_NANOS = 8_000_000;

  private final EventExecutor executor;
  private final boolean own;
  private final LongSupplier nanos;

  // Of the executor's thread alone.
  private boolean busy;
  private long beganNanos;
  private long spentNanos;

  /**
   * That of an executor.
   *
   * @param nanos monotonic
   */
  EventLoopShardExecutor(EventExecutor executor, boolean own, LongSupplier nanos) {
    this.executor = executor;
    this.own = own;
    this.nanos = nanos;
  }

  /** The shard shares a loop with sockets. */
  public static EventLoopShardExecutor on(EventLoop loop) {
    return new EventLoopShardExecutor(loop, false, System::nanoTime);
  }

  /** The shard has a thread. */
  public static EventLoopShardExecutor ownThread(String name) {
    var executor = new DefaultEventExecutor(new DefaultThreadFactory(name));
    return new EventLoopShardExecutor(executor, true, System::nanoTime);
  }

  /**
   * On a loop, what a task of the shard asks for comes at once while its spell lasts, and then when
   * all sockets were looked at: a shard with much to do would else keep them waiting for as long as
   * it has.
   */
  @Override
  public void execute(Runnable task) {
    if (own) {
      executor.execute(task);
    } else if (executor.inEventLoop() && busy && isSpellOver()) {
      spentNanos = 0;
      beganNanos = nanos.getAsLong();
      var unused = executor.schedule(() -> perform(task), 0, TimeUnit.NANOSECONDS);
    } else {
      executor.execute(() -> perform(task));
    }
  }

  private boolean isSpellOver() {
    return spentNanos + nanos.getAsLong() - beganNanos >= SPELL_NANOS;
  }

  private void perform(Runnable task) {
    busy = true;
    beganNanos = nanos.getAsLong();
    try {
      task.run();
    } finally {
      spentNanos += nanos.getAsLong() - beganNanos;
      busy = false;
    }
  }

  @Override
  public void executeLater(long millis, Runnable task) {
    var unused = executor.schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  /** Ends the thread when it is the shard's own; a loop ends with its {@link EventLoops}. */
  @Override
  public void close() {
    if (own) {
      executor.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
  }
}
