package io.peeklock.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.peeklock.runtime.RateLimitedLog;
import java.util.Comparator;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes what TLS handshakes need, beside the event loops: one takes the time of a hundred
 * messages, and strangers may ask for as many as they like. So whoever is connected does not wait
 * for them, nor does who comes without TLS, a probe above all.
 *
 * <p>Handshakes that were begun go on first; then come those of whose address fewest were asked for
 * lately, and of these, who came first. A connection is not read while it waits, and for who is
 * gone nothing is computed. Callable from any thread.
 */
final class Handshakes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Handshakes.class);
  private static final RateLimitedLog FAULTS = new RateLimitedLog(LOG);

  /** Before all that begin: they come to their end, and what they take is let go. */
  static final int GOES_ON = -1;

  /**
   * Twice what a handshake asks for: whoever begins a new one in the old one's place is refused.
   */
  private static final int MOST_STEPS = 8;

  private final AtomicLong asked = new AtomicLong();
  private final ThreadPoolExecutor threads;

  /**
   * Computes with so many threads, which start when they are needed.
   *
   * @param count from 1
   */
  Handshakes(int count) {
    this.threads =
        new ThreadPoolExecutor(
            count,
            count,
            10,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            new DefaultThreadFactory("peeklock-handshakes", true));
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Begins one. On the event loop of its connection, which is not read until then.
   *
   * @param askedLately for how many handshakes its address asked lately, about
   * @param then is given the handler, on the event loop, which leaves all that takes long here
   */
  void begin(
      Channel channel, TlsIdentity identity, int askedLately, Consumer<? super SslHandler> then) {
    execute(channel, askedLately, () -> begin(channel, identity, then));
  }

  private void begin(Channel channel, TlsIdentity identity, Consumer<? super SslHandler> then) {
    var steps = new AtomicInteger();
    var handler =
        identity.newHandler(channel.alloc(), step -> goOn(channel, steps.incrementAndGet(), step));
    try {
      handler.engine().beginHandshake();
    } catch (SSLException failed) {
      throw new IllegalStateException("a TLS handshake cannot begin", failed);
    }
    channel.eventLoop().execute(() -> then.accept(handler));
  }

  private void goOn(Channel channel, int steps, Runnable computation) {
    if (steps > MOST_STEPS) {
      throw new RejectedExecutionException("it asks for one more TLS handshake");
    }
    execute(channel, GOES_ON, computation);
  }

  /** Computes something for one connection, which is not read until it is done. On its loop. */
  void execute(Channel channel, int rank, Runnable computation) {
    var step = new Step(channel, computation, rank, asked.incrementAndGet());
    Stranger.waitsForUs(channel, true);
    TurnHandler.hold(channel);
    channel.closeFuture().addListener(step.whenGone);
    threads.execute(step);
  }

  /** How many wait for a thread. */
  int waiting() {
    return threads.getQueue().size();
  }

  /** Computes nothing more. What runs comes to its end. */
  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** What is to be computed for one connection until it must be asked again. */
  private final class Step implements Runnable, Comparable<Step> {
    private static final Comparator<Step> ORDER =
        Comparator.<Step>comparingInt(step -> step.rank).thenComparingLong(step -> step.number);

    private final Channel channel;
    private final Runnable computation;
    private final int rank;
    private final long number;
    private final ChannelFutureListener whenGone = gone -> forget();

    Step(Channel channel, Runnable computation, int rank, long number) {
      this.channel = channel;
      this.computation = computation;
      this.rank = rank;
      this.number = number;
    }

    private void forget() {
      threads.remove(this);
    }

    @Override
    public void run() {
      if (!channel.isOpen()) {
        return;
      }
      try {
        computation.run();
      } catch (Throwable failed) { // whatever it is, this connection alone pays for it
        FAULTS.error(failed, "Connection from {} closed: its TLS failed", channel.remoteAddress());
        Listener.dropAtOnce(channel);
      }
      channel.closeFuture().removeListener(whenGone);
      try {
        channel.eventLoop().execute(this::letGo);
      } catch (RejectedExecutionException ended) {
        LOG.debug("The loop of {} has ended, and its connections with it", channel);
      }
    }

    private void letGo() {
      Stranger.waitsForUs(channel, false);
      TurnHandler.letGo(channel);
    }

    @Override
    public int compareTo(Step other) {
      return ORDER.compare(this, other);
    }
  }
}
