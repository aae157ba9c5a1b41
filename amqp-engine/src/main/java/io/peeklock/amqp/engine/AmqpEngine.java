package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
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
  /**
   * An engine for a new connection.
   *
   * @param allocator for the output and for the one partial input frame
   */
  public AmqpEngine(
      EngineConfig config, ByteBufAllocator allocator, EngineListener listener, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /**
   * Takes all readable bytes. Whole frames are handled in place, a partial one is copied and kept;
   * the caller still owns the buffer. Never throws for what a client sent; what a callback throws
   * comes out of here, with the engine closed.
   */
  public void ingest(ByteBuf input, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /**
   * Does what is due: heartbeats, idle peers, handshakes and closes that take too long.
   *
   * @return when to call next, on the same time line; {@link Long#MAX_VALUE} when finished. It may
   *     be early, never late, so one timer per connection that re-arms itself is enough
   */
  public long tick(long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /**
   * Answers {@link EngineListener#onSaslInit}. Input that waited is handled before this returns.
   * Anything but OK finishes the engine.
   */
  public void saslOutcome(SaslCode code) {
    throw new UnsupportedOperationException();
  }

  /** Writes the merged settlements that are still held back. {@link #takeOutput} does it too. */
  public void flush() {
    throw new UnsupportedOperationException();
  }

  /**
   * Hands over everything written since the last call, after a {@link #flush}.
   *
   * @return the bytes, owned by the caller, or null when there are none
   */
  public @Nullable ByteBuf takeOutput() {
    throw new UnsupportedOperationException();
  }

  /** How many bytes {@link #takeOutput} would hand over, without those held back. */
  public int outputBytes() {
    throw new UnsupportedOperationException();
  }

  /**
   * Closes the connection. Links and sessions are over at once (with their callbacks); the client
   * has a few seconds for its answer. Before the opens are exchanged the engine just finishes.
   */
  public void close(@Nullable AmqpError error) {
    throw new UnsupportedOperationException();
  }

  /** The socket is gone: ends links and sessions with their callbacks, writes nothing. */
  public void connectionLost() {
    throw new UnsupportedOperationException();
  }

  public ConnectionState state() {
    throw new UnsupportedOperationException();
  }

  /** Whether to flush the output and close the socket. */
  public boolean isFinished() {
    throw new UnsupportedOperationException();
  }

  /** What the client's open said; null before it. */
  public @Nullable PeerOpen peerOpen() {
    throw new UnsupportedOperationException();
  }

  /** The largest frame we send: the smaller one of both sides' sizes. */
  public int sendFrameSize() {
    throw new UnsupportedOperationException();
  }

  /** What the edge keeps with this connection; null at first. */
  public @Nullable Object attachment() {
    throw new UnsupportedOperationException();
  }

  public void attach(@Nullable Object attachment) {
    throw new UnsupportedOperationException();
  }
}
