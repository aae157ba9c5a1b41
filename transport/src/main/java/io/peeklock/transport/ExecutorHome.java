package io.peeklock.transport;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.peeklock.runtime.Home;
import java.util.concurrent.TimeUnit;

/** A shard's home on an event loop, or on a thread of its own where there are cores for it. */
public final class ExecutorHome implements Home, AutoCloseable {
  private final EventExecutor executor;
  private final boolean own;
  private boolean busy; // of the executor's thread alone

  private ExecutorHome(EventExecutor executor, boolean own) {
    this.executor = executor;
    this.own = own;
  }

  /** The shard shares a loop with sockets. */
  public static ExecutorHome on(EventLoop loop) {
    return new ExecutorHome(loop, false);
  }

  /** The shard has a thread. */
  public static ExecutorHome ownThread(String name) {
    return new ExecutorHome(new DefaultEventExecutor(new DefaultThreadFactory(name)), true);
  }

  /**
   * On a loop, what a task of the shard asks for comes when all sockets were looked at once: a
   * shard with much to do would else keep them waiting for as long as it has.
   */
  @Override
  public void execute(Runnable task) {
    if (own) {
      executor.execute(task);
    } else if (executor.inEventLoop() && busy) {
      var unused = executor.schedule(() -> perform(task), 0, TimeUnit.NANOSECONDS);
    } else {
      executor.execute(() -> perform(task));
    }
  }

  private void perform(Runnable task) {
    busy = true;
    try {
      task.run();
    } finally {
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
