package io.peeklock.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.Comparator;
import java.util.concurrent.Executor;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes what TLS handshakes need, beside the event loops: one takes the time of a hundred
 * messages, and anybody may ask for as many as they like. So whoever is connected does not wait for
 * them, nor does who comes without TLS, a probe above all.
 *
 * <p>Handshakes that were begun go on first; then come those of whose address fewest wait and were
 * computed lately, and of these, who came first. A connection is not read while it waits, nor told
 * anything ({@link HandshakeGate}), and for who is known to be gone nothing is computed.
 */
@AnyThread
final class Handshakes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Handshakes.class);
  private static final RateLimitedLog FAULTS = new RateLimitedLog(LOG);

  /** Before all that begin: they come to their end, and what they take is let go. */
  static final int GOES_ON = -1;

  /** Twice what a handshake asks for. */
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
   * Begins one; its connection is not read until then.
   *
   * @param rank those with less come first
   * @param then is given the handler, on the event loop, which leaves all that takes long here
   */
  @EventLoopThread
  void begin(Channel channel, TlsIdentity identity, int rank, Consumer<? super SslHandler> then) {
    execute(channel, rank, () -> begin(channel, identity, then));
  }

  private void begin(Channel channel, TlsIdentity identity, Consumer<? super SslHandler> then) {
    var steps = new Steps(channel);
    var handler = identity.newHandler(channel.alloc(), steps);
    handler.handshakeFuture().addListener(done -> steps.end());
    try {
      handler.engine().beginHandshake();
    } catch (SSLException failed) {
      throw new IllegalStateException("a TLS handshake cannot begin", failed);
    }
    channel.eventLoop().execute(() -> then.accept(handler));
  }

  /** Computes something for one connection, which is not read until it is done. */
  @EventLoopThread
  void execute(Channel channel, int rank, Runnable computation) {
    var step = new Step(channel, computation, rank, asked.incrementAndGet());
    step.waits();
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

  /**
   * Where the TLS of one connection leaves what is to be computed: for one handshake. A second one
   * on the same connection would be before all that begin.
   */
  @EventLoopThread
  private final class Steps implements Executor {
    private final Channel channel;
    private int count;
    private boolean over;

    Steps(Channel channel) {
      this.channel = channel;
    }

    void end() {
      over = true;
    }

    @Override
    public void execute(Runnable computation) {
      count++;
      if (over || count > MOST_STEPS) {
        throw new RejectedExecutionException("it asks for one more TLS handshake");
      }
      Handshakes.this.execute(channel, GOES_ON, computation);
    }
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
    private @Nullable HandshakeGate gate; // of what is computed for its TLS

    Step(Channel channel, Runnable computation, int rank, long number) {
      this.channel = channel;
      this.computation = computation;
      this.rank = rank;
      this.number = number;
    }

    private void forget() {
      threads.remove(this);
    }

    /** The connection is neither read nor told anything until it is computed. */
    @EventLoopThread
    private void waits() {
      UnauthenticatedPeer.waitsForUs(channel, 1);
      LoopTurnHandler.hold(channel);
      gate = channel.pipeline().get(HandshakeGate.class);
      if (gate != null) {
        gate.shut();
      }
    }

    @EventLoopThread
    private void isDone() {
      if (gate != null) {
        gate.open();
      }
      UnauthenticatedPeer.waitsForUs(channel, -1);
      LoopTurnHandler.letGo(channel);
    }

    @Override
    public void run() {
      try {
        if (channel.isOpen()) {
          computation.run();
        }
      } catch (Throwable failed) { // whatever it is, this connection alone pays for it
        fail(failed);
      } finally {
        channel.closeFuture().removeListener(whenGone);
        onLoop(this::isDone);
      }
    }

    private void fail(Throwable failed) {
      try {
        FAULTS.error(failed, "Connection from {} closed: its TLS failed", channel.remoteAddress());
      } finally {
        Disconnect.atOnce(channel);
      }
    }

    private void onLoop(Runnable task) {
      try {
        channel.eventLoop().execute(task);
      } catch (RejectedExecutionException ended) {
        LOG.debug("The loop of {} has ended, and its connections with it", channel);
      }
    }

    @Override
    public int compareTo(Step other) {
      return ORDER.compare(this, other);
    }
  }
}
