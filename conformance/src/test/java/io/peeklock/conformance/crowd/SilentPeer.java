package io.peeklock.conformance.crowd;

import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.Frame;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.Symbol;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A peer that has fallen silent, and listens. */
final class SilentPeer implements AutoCloseable {
  private final Silence silence;
  private final RawConnection connection;
  private final long beganNanos;
  private volatile long hungUpAfterMillis = -1;
  private final AtomicInteger heartbeats = new AtomicInteger();
  private volatile String condition = "";

  SilentPeer(int port, Silence silence) throws IOException {
    this.silence = silence;
    this.beganNanos = System.nanoTime();
    this.connection = silence.begin(port);
    connection.readTimeout(0);
    Thread.ofVirtual().start(this::listen);
  }

  private void listen() {
    try {
      while (true) {
        heard(connection.readFrame());
      }
    } catch (IOException hungUp) {
      hungUpAfterMillis = (System.nanoTime() - beganNanos) / 1_000_000;
    }
  }

  private void heard(Frame frame) {
    var performative = frame.performative();
    if (performative == null) {
      heartbeats.incrementAndGet();
    } else if (frame.code() == RawConnection.CLOSE
        && performative.field(0) instanceof Described error
        && error.field(0) instanceof Symbol symbol) {
      condition = symbol.text();
    }
  }

  Silence silence() {
    return silence;
  }

  /** -1 as long as the broker has not. */
  long hungUpAfterMillis() {
    return hungUpAfterMillis;
  }

  /** Empty frames so far. */
  int heartbeats() {
    return heartbeats.get();
  }

  /** What the broker's close said; empty without one. */
  String condition() {
    return condition;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
