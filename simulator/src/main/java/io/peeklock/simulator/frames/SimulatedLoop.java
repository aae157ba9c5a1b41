package io.peeklock.simulator.frames;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import io.peeklock.simulator.world.World;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The event loop of a broker's process: one of the threads of its world. */
final class SimulatedLoop extends AbstractEventExecutor implements EventLoop {
  private final World world;
  private boolean isRunning;

  SimulatedLoop(World world) {
    this.world = world;
  }

  @Override
  public void execute(Runnable task) {
    world.atEventLoop(() -> run(task));
  }

  private void run(Runnable task) {
    call(
        () -> {
          task.run();
          return task;
        });
  }

  /** Does something at once, as the loop; nobody else of the broker may be on the stack. */
  <T> T call(Supplier<T> task) {
    isRunning = true;
    try {
      return task.get();
    } finally {
      isRunning = false;
    }
  }

  @Override
  public boolean inEventLoop() {
    return isRunning;
  }

  @Override
  public boolean inEventLoop(Thread thread) {
    return isRunning;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    var timer = new Timer(this);
    world.laterAtEventLoop(
        unit.toMillis(delay),
        () -> {
          if (!timer.isCancelled()) {
            run(task);
          }
        });
    return timer;
  }

  private static final class Timer extends DefaultPromise<Object>
      implements ScheduledFuture<Object> {
    Timer(EventExecutor executor) {
      super(executor);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      throw unasked();
    }

    @Override
    public int compareTo(Delayed other) {
      throw unasked();
    }
  }

  // ---- what the edge never asks of a loop; a run that does fails

  private static UnsupportedOperationException unasked() {
    return new UnsupportedOperationException("the edge was not known to ask a loop for this");
  }

  @Override
  public EventLoopGroup parent() {
    return this;
  }

  @Override
  public EventLoop next() {
    return this;
  }

  @Override
  public ChannelFuture register(Channel channel) {
    throw unasked();
  }

  @Override
  public ChannelFuture register(ChannelPromise promise) {
    throw unasked();
  }

  @Override
  @Deprecated
  public ChannelFuture register(Channel channel, ChannelPromise promise) {
    throw unasked();
  }

  @Override
  public boolean isShuttingDown() {
    return false;
  }

  @Override
  public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
    throw unasked();
  }

  @Override
  public Future<?> terminationFuture() {
    throw unasked();
  }

  @Override
  @Deprecated
  public void shutdown() {
    throw unasked();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    throw unasked();
  }
}
