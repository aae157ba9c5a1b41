package io.peeklock.conformance.fuzz;

import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.Frame;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The innocent client: sends a message to a queue and one to a message session, receives both and
 * settles them, and again. Whatever else comes, or does not come, is a failure.
 */
final class Witness implements AutoCloseable {
  static final String QUEUE = "witness";
  static final String SESSIONS = "witness-sessions";

  private static final Described ACCEPTED = Described.list(0x24);
  private static final String SESSION = "mine";
  private static final int PATIENCE_MILLIS = 20_000;
  private static final long MOST_HELD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final RawConnection connection;
  private final Thread thread;
  private final long pauseNanos;
  private long[] micros = new long[1 << 10];
  private int measured;
  private final AtomicLong trips = new AtomicLong();
  private long acceptedNanos;
  private long acceptedAt;
  private volatile boolean stopped;
  private volatile @Nullable Exception failure;

  /**
   * Begins.
   *
   * @param pauseNanos between two trips, 0 for none
   */
  Witness(int port, long pauseNanos) throws IOException {
    this.pauseNanos = pauseNanos;
    connection = RawConnection.ready(port);
    connection.readTimeout(PATIENCE_MILLIS);
    RawLinks.attached(connection, RawLinks.sender(0, QUEUE));
    RawLinks.attached(connection, RawLinks.receiver(1, QUEUE));
    RawLinks.attached(connection, RawLinks.sender(2, SESSIONS));
    acceptSession();
    thread = Thread.ofPlatform().daemon().name("witness").start(this::run);
  }

  private void acceptSession() throws IOException {
    RawLinks.attached(
        connection, RawLinks.sessionReceiver("mine", 3, SESSIONS, SESSION, 1_000, false));
    acceptedNanos = System.nanoTime();
    acceptedAt = trips.get();
  }

  /** Its lock would end: the session is given back, and accepted anew. */
  private void acceptSessionAgain() throws IOException {
    connection.send(0, RawLinks.detach(3));
    connection.flush();
    next(RawConnection.DETACH);
    acceptSession();
  }

  private void run() {
    try {
      while (!stopped) {
        if (System.nanoTime() - acceptedNanos > MOST_HELD_NANOS) {
          acceptSessionAgain();
        }
        var began = System.nanoTime();
        var id = "w" + trips.get();
        trip(0, 1, trips.get(), id, RawMessage.bytes(id, Map.of(), new byte[100]));
        var inSession = trips.get() - acceptedAt;
        trip(2, 3, inSession, id, RawMessage.bytes(id, SESSION, Map.of(), new byte[100]));
        trips.incrementAndGet();
        measured((System.nanoTime() - began) / 1_000);
        LockSupport.parkNanos(pauseNanos);
      }
    } catch (IOException | RuntimeException failed) {
      failure = failed;
    }
  }

  /** One message there, back and settled; fails when it is not exactly that one. */
  private void trip(long sender, long receiver, long count, String id, byte[] message)
      throws IOException {
    RawLinks.transfer(connection, sender, false, message);
    connection.flush();
    expectAccepted();
    connection.send(0, RawLinks.flow(receiver, count, 1, false));
    connection.flush();
    var frame = next(RawConnection.TRANSFER);
    var came = RawMessage.parse(frame.payload());
    if (!came.messageId().equals(id)) {
      throw new IOException(id + " was due, not " + came.messageId());
    }
    var performative = frame.performative();
    var delivery = performative == null ? -1 : performative.number(1, -1);
    connection.send(0, RawLinks.settle(delivery, false, ACCEPTED));
    connection.flush();
    expectAccepted();
  }

  private Frame next(long code) throws IOException {
    var frame = connection.readFrame();
    while (frame.code() != code) {
      if (frame.code() != 0 && frame.code() != RawConnection.FLOW) {
        throw new IOException(code + " was due, not " + frame.performative());
      }
      frame = connection.readFrame();
    }
    return frame;
  }

  private void expectAccepted() throws IOException {
    var answer = next(RawConnection.DISPOSITION).performative();
    if (answer == null || !ACCEPTED.equals(answer.field(4))) {
      throw new IOException("not accepted: " + answer);
    }
  }

  private synchronized void measured(long took) {
    if (measured == micros.length) {
      micros = Arrays.copyOf(micros, 2 * measured);
    }
    micros[measured++] = took;
  }

  /** The 99th of a hundred trips since the last question, in microseconds. */
  synchronized long p99Micros() {
    var sorted = Arrays.copyOf(micros, measured);
    Arrays.sort(sorted);
    measured = 0;
    return sorted.length == 0 ? 0 : sorted[sorted.length * 99 / 100];
  }

  /** How often all was there, once. */
  long trips() {
    return trips.get();
  }

  /** What went wrong, or null. */
  @Nullable Exception failure() {
    return failure;
  }

  /** Ends after the trip that is under way, so that nothing of it is left in the broker. */
  void stop() throws InterruptedException {
    stopped = true;
    thread.join();
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
