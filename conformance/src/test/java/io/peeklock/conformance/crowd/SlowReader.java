package io.peeklock.conformance.crowd;

import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.RawLinks;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Receives large bodies at a trickle, through a small buffer in the kernel. */
final class SlowReader implements AutoCloseable {
  private static final int RECEIVE_BUFFER_BYTES = 16 << 10;
  private static final long BYTES_A_SECOND = 100_000;

  private final RawConnection connection;
  private volatile boolean inHaste;
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean complete;
  private volatile String failure = "";

  SlowReader(int port, String queue, int credit) throws IOException {
    connection = RawConnection.narrow(port, RECEIVE_BUFFER_BYTES);
    RawLinks.attached(connection, RawLinks.receiver(0, queue));
    connection.send(0, RawLinks.flow(0, 0, credit, false));
    connection.flush();
    Thread.ofVirtual().start(this::read);
  }

  private void read() {
    var began = System.nanoTime();
    var more = true;
    try {
      while (more) {
        var frame = connection.readFrame();
        if (frame.code() == RawConnection.TRANSFER) {
          var performative = frame.performative();
          more = performative != null && performative.truth(5);
          bytes.addAndGet(frame.payload().length);
        }
        pace(began);
      }
      RawMember.complete(connection, 0);
      complete = true;
    } catch (IOException gone) {
      failure = String.valueOf(gone.getMessage());
    }
  }

  /** Not a wait for something: it is the reader's speed. */
  private void pace(long beganNanos) {
    var dueNanos = beganNanos + TimeUnit.SECONDS.toNanos(bytes.get()) / BYTES_A_SECOND;
    while (!inHaste && System.nanoTime() < dueNanos) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** Reads on as fast as it can. */
  void hurry() {
    inHaste = true;
  }

  /** Of its body so far. */
  long bytes() {
    return bytes.get();
  }

  /** Whether it has its body and has completed the message. */
  boolean isComplete() {
    return complete;
  }

  /** Why it could not go on; empty as long as it can. */
  String failure() {
    return failure;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
