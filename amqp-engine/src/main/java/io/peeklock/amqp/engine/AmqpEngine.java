package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.FrameCutter;
import io.peeklock.amqp.engine.framing.FrameText;
import io.peeklock.amqp.engine.framing.FrameTrace;
import io.peeklock.amqp.engine.framing.Output;
import io.peeklock.amqp.engine.framing.ProtocolViolation;
import io.peeklock.amqp.engine.limits.Allowance;
import io.peeklock.amqp.engine.limits.EngineConfig;
import io.peeklock.amqp.engine.link.ConnectionContext;
import io.peeklock.amqp.engine.link.LinkWeights;
import io.peeklock.amqp.engine.sasl.SaslCode;
import io.peeklock.amqp.engine.sasl.SaslInit;
import io.peeklock.amqp.engine.sasl.SaslWriter;
import io.peeklock.amqp.engine.session.FlushQueue;
import org.jspecify.annotations.Nullable;

/**
 * The server side of one AMQP 1.0 connection: feed it bytes, hear callbacks, call back, take bytes.
 *
 * <p>All methods, and all methods of its sessions and links, must be called from one thread at a
 * time. It has no clock: every entry that may depend on time takes {@code nowMillis}, from any
 * origin that never goes back.
 *
 * <pre>{@code
 * engine.ingest(bytes, now);       // callbacks happen in here
 * ByteBuf out = engine.takeOutput(); // at the end of a burst; null when there is nothing
 * if (engine.isFinished()) { flush, then close the socket }
 * }</pre>
 */
public final class AmqpEngine {
  private static final int SHORTEST_HEARTBEAT_MILLIS = 100;

  private final EngineConfig config;
  private final EngineListener listener;
  private final Output output;
  private final FrameCutter cutter;
  private final LinkWeights weights;
  private final FlushQueue unflushed;
  private final SessionChannels sessions;
  private final long startMillis;
  private final @Nullable FrameTrace trace;
  private ConnectionState state = new ConnectionState.AwaitingHeader();
  private @Nullable PeerOpen peerOpen;
  private long lastReadMillis;
  private long heartbeatMillis;
  private boolean inside;

  /**
   * An engine for a new connection.
   *
   * @param allocator for the output and for the one partial input frame
   * @param trace receives every frame as text; null for no trace
   */
  public AmqpEngine(
      EngineConfig config,
      ByteBufAllocator allocator,
      EngineListener listener,
      long nowMillis,
      @Nullable FrameTrace trace) {
    this(config, allocator, listener, nowMillis, 0, trace);
  }

  /** For tests that need ids to wrap early. */
  AmqpEngine(
      EngineConfig config,
      ByteBufAllocator allocator,
      EngineListener listener,
      long nowMillis,
      int firstId,
      @Nullable FrameTrace trace) {
    this.trace = trace;
    this.config = config;
    this.listener = listener;
    output = new Output(allocator, nowMillis, config.limits().maxFrameSize());
    var context = new ConnectionContext(config.limits(), output, listener, firstId);
    weights = context.weights();
    unflushed = context.unflushed();
    sessions = new SessionChannels(context);
    cutter = new FrameCutter(allocator, new ConnectionFrames(this));
    startMillis = nowMillis;
    lastReadMillis = nowMillis;
    heartbeatMillis = config.times().heartbeatMillis();
  }

  /**
   * Handles all readable bytes, or fewer when {@link EngineListener#isFull}: then the caller offers
   * the rest again later. Whole frames are handled in place, a partial one is copied and kept; the
   * caller still owns the buffer. Never throws because of input; an exception of a callback comes
   * out of here, and closes the engine.
   */
  public void ingest(ByteBuf input, long nowMillis) {
    output.now(nowMillis);
    if (input.isReadable()) {
      lastReadMillis = nowMillis;
    }
    boolean sound = false;
    enter();
    try {
      ingestOrFail(input);
      sound = true;
    } finally {
      leave(sound);
    }
  }

  /**
   * Does what is due: heartbeats, idle peers, handshakes and closes that take too long.
   *
   * @return when to call next, on the same time line; {@link Long#MAX_VALUE} when finished. It may
   *     be early, never late, so one timer per connection that re-arms itself is enough
   */
  public long tick(long nowMillis) {
    output.now(nowMillis);
    boolean sound = false;
    enter();
    try {
      AmqpError overdue = overdue(nowMillis);
      if (overdue != null) {
        fail(overdue);
      }
      sound = true;
    } finally {
      leave(sound);
    }
    return nextDeadline(nowMillis);
  }

  /**
   * Answers {@link EngineListener#onSaslInit}. Input that waited is handled before this returns.
   * Anything but OK finishes the engine.
   */
  public void saslOutcome(SaslCode code) {
    if (isFinished()) {
      return;
    }
    if (!(state instanceof ConnectionState.AwaitingSaslOutcome)) {
      throw new IllegalStateException("no SASL outcome is due");
    }
    SaslWriter.outcome(output, code);
    if (code != SaslCode.OK) {
      finish(AmqpError.of(AmqpError.UNAUTHORIZED_ACCESS, "SASL outcome " + code));
      return;
    }
    enter(new ConnectionState.AwaitingAmqpHeader());
    if (!inside) { // otherwise the cutter continues by itself
      resume();
    }
  }

  /** Writes the merged settlements that are still held back. {@link #takeOutput} does it too. */
  public void flush() {
    unflushed.flush();
  }

  /**
   * Hands over everything written since the last call, after a {@link #flush}.
   *
   * @return the bytes, owned by the caller, or null when there are none
   */
  public @Nullable ByteBuf takeOutput() {
    flush();
    ByteBuf taken = output.take();
    if (trace != null && taken != null) {
      FrameText.tellSent(trace, taken);
    }
    return taken;
  }

  /** How many bytes {@link #takeOutput} would hand over, without those held back. */
  public int outputBytes() {
    return output.readableBytes();
  }

  /** Bytes of all transfer frames that were written to the output over the life of the engine. */
  public long transferredBytes() {
    return output.transferredBytes();
  }

  /**
   * Closes the connection. Links and sessions are over at once (with their callbacks); the client
   * has a few seconds for its answer. Before the opens are exchanged the engine just finishes.
   */
  public void close(@Nullable AmqpError error) {
    switch (state) {
      case ConnectionState.CloseSent sent -> {} // Once is enough.
      case ConnectionState.Finished finished -> {} // Too late.
      case ConnectionState.Open open -> {
        flush();
        ConnectionWriter.close(output, error);
        enter(new ConnectionState.CloseSent(error, Long.MAX_VALUE));
        endSessions();
      }
      default -> finish(error);
    }
  }

  /** The socket is gone: ends all links and sessions that are left, and writes nothing. */
  public void connectionLost() {
    if (!isFinished()) {
      finish(AmqpError.of(AmqpError.CONNECTION_FORCED, "the socket is gone"));
    }
    output.rollBack();
    output.discard();
    cutter.release();
    endSessions();
    weights.removeAll();
  }

  public ConnectionState state() {
    return state;
  }

  /** Whether to flush the output and close the socket. */
  public boolean isFinished() {
    return state instanceof ConnectionState.Finished;
  }

  /** The client's open; null before it came. */
  public @Nullable PeerOpen peerOpen() {
    return peerOpen;
  }

  /** The largest frame we send: the smaller one of both sides' sizes. */
  public int sendFrameSize() {
    return output.frameSize();
  }

  /**
   * Sets what the client may have from now on; false, and nothing changed, when the budgets lack
   * room for what it has.
   */
  public boolean allow(Allowance next) {
    return weights.allow(next) && cutter.allow(next);
  }

  // ------------------------------------------------------------------ for the rest of the engine

  EngineConfig config() {
    return config;
  }

  EngineListener listener() {
    return listener;
  }

  @Nullable FrameTrace trace() {
    return trace;
  }

  Output output() {
    return output;
  }

  SessionChannels sessions() {
    return sessions;
  }

  void enter(ConnectionState next) {
    state = next;
  }

  // ------------------------------------------------------------------ what the client said

  void onSaslInit(SaslInit init) {
    if (!config.saslMechanisms().contains(init.mechanism())) {
      SaslWriter.outcome(output, SaslCode.AUTH);
      throw ProtocolViolation.of(
          AmqpError.UNAUTHORIZED_ACCESS, "a SASL mechanism that was not offered");
    }
    enter(new ConnectionState.AwaitingSaslOutcome());
    listener.onSaslInit(init);
  }

  void onOpen(PeerOpen open) {
    peerOpen = open;
    output.limitFrames((int) Math.min(config.limits().maxFrameSize(), open.maxFrameSize()));
    if (open.idleTimeOutMillis() > 0) {
      long half = Math.max(SHORTEST_HEARTBEAT_MILLIS, open.idleTimeOutMillis() / 2);
      heartbeatMillis = Math.min(config.times().heartbeatMillis(), half);
    }
    ConnectionWriter.open(output, config);
    enter(new ConnectionState.Open());
    listener.onOpen(open);
  }

  void onClose(@Nullable AmqpError error) {
    flush();
    ConnectionWriter.close(output, null);
    finish(error);
    endSessions();
    listener.onClose(error);
  }

  // ------------------------------------------------------------------ in and out of the engine

  private void enter() {
    if (inside) {
      throw new IllegalStateException("a callback must not feed the engine");
    }
    inside = true;
  }

  /** After an exception of a callback the state is unreliable, so the engine falls silent. */
  private void leave(boolean sound) {
    inside = false;
    if (sound) {
      releaseInputIfFinished();
      return;
    }
    output.rollBack();
    if (state instanceof ConnectionState.Open) {
      ConnectionWriter.close(output, AmqpError.of(AmqpError.INTERNAL_ERROR, null));
    }
    finish(AmqpError.of(AmqpError.INTERNAL_ERROR, null));
    sessions.silence();
  }

  private void releaseInputIfFinished() {
    if (isFinished()) {
      cutter.release();
    }
  }

  private void ingestOrFail(ByteBuf input) {
    try {
      cutter.take(input);
    } catch (ProtocolViolation violation) {
      input.skipBytes(input.readableBytes());
      fail(violation.error());
    }
  }

  private void resume() {
    boolean sound = false;
    enter();
    try {
      cutter.resume();
      sound = true;
    } catch (ProtocolViolation violation) {
      fail(violation.error());
      sound = true;
    } finally {
      leave(sound);
    }
  }

  /** Gives up on the client, and tells both sides why. */
  private void fail(AmqpError error) {
    boolean closing = state instanceof ConnectionState.CloseSent;
    if (state instanceof ConnectionState.AwaitingOpen) {
      ConnectionWriter.open(output, config);
      ConnectionWriter.close(output, error);
    } else if (state instanceof ConnectionState.Open) {
      flush();
      ConnectionWriter.close(output, error);
    }
    finish(error);
    endSessions();
    if (!closing) {
      listener.onFatal(error);
    }
  }

  private void finish(@Nullable AmqpError error) {
    enter(new ConnectionState.Finished(error));
    unflushed.clear();
    if (!inside) {
      cutter.release();
    }
  }

  /** Ends all sessions without frames; each makes its pending callbacks, once. */
  private void endSessions() {
    unflushed.clear();
    sessions.end();
  }

  // ------------------------------------------------------------------ time

  private @Nullable AmqpError overdue(long nowMillis) {
    EngineConfig.Times times = config.times();
    return switch (state) {
      case ConnectionState.Finished finished -> null;
      case ConnectionState.CloseSent sent -> {
        if (sent.deadlineMillis() == Long.MAX_VALUE) { // close() has no clock
          long deadline = nowMillis + times.closeMillis();
          enter(new ConnectionState.CloseSent(sent.error(), deadline));
        } else if (nowMillis >= sent.deadlineMillis()) {
          finish(sent.error());
        }
        yield null;
      }
      case ConnectionState.Open open -> {
        if (nowMillis - lastReadMillis > 2 * times.idleTimeOutMillis()) {
          yield AmqpError.of(AmqpError.RESOURCE_LIMIT_EXCEEDED, "the idle time-out has passed");
        }
        if (nowMillis - output.lastWriteMillis() >= heartbeatMillis) {
          ConnectionWriter.heartbeat(output);
        }
        yield null;
      }
      default ->
          nowMillis - startMillis >= times.handshakeMillis()
              ? AmqpError.of(AmqpError.CONNECTION_FORCED, "the handshake took too long")
              : null;
    };
  }

  private long nextDeadline(long nowMillis) {
    return switch (state) {
      case ConnectionState.Finished finished -> Long.MAX_VALUE;
      case ConnectionState.CloseSent sent -> sent.deadlineMillis();
      case ConnectionState.Open open ->
          Math.min(
              output.lastWriteMillis() + heartbeatMillis,
              lastReadMillis + 2 * config.times().idleTimeOutMillis() + 1);
      default -> Math.max(nowMillis, startMillis + config.times().handshakeMillis());
    };
  }
}
