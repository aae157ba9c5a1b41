package io.peeklock.conformance.crowd;

import io.peeklock.conformance.raw.AmqpWriter;
import io.peeklock.conformance.raw.Described;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.conformance.raw.Unsigned;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Asks for an answer to a flow, again and again, for as long as the broker reads. */
final class Questions implements Runnable {
  /** Somebody who may ask so much may ask for ever. */
  static final long MOST_BYTES = 150L << 20;

  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int QUESTIONS_A_BLOCK = 2_000;

  private final RawConnection connection;
  private final AtomicLong bytes = new AtomicLong();
  private volatile long progressNanos = System.nanoTime();

  Questions(RawConnection connection) {
    this.connection = connection;
  }

  @Override
  public void run() {
    var block = block();
    try {
      while (bytes.get() < MOST_BYTES) {
        connection.write(block);
        connection.flush();
        bytes.addAndGet(block.length);
        progressNanos = System.nanoTime();
      }
    } catch (IOException closed) {
      progressNanos = 0;
    }
  }

  private static byte[] block() {
    var question =
        Described.list(
            RawConnection.FLOW,
            Unsigned.uint(0),
            Unsigned.uint(Integer.MAX_VALUE),
            Unsigned.uint(0),
            Unsigned.uint(Integer.MAX_VALUE),
            Unsigned.uint(0),
            Unsigned.uint(0),
            Unsigned.uint(0),
            null,
            false,
            true);
    var frame = RawConnection.frame(0, 0, AmqpWriter.bytes(question));
    var block = new ByteArrayOutputStream();
    for (var i = 0; i < QUESTIONS_A_BLOCK; i++) {
      block.writeBytes(frame);
    }
    return block.toByteArray();
  }

  /** Whether nothing was taken for a while, or far too much was. */
  boolean areOver() {
    return bytes.get() >= MOST_BYTES || System.nanoTime() - progressNanos > STALL_NANOS;
  }

  /** What the broker took. */
  long bytes() {
    return bytes.get();
  }

  /** Reads answers until the broker takes questions again. */
  void readOn() throws IOException {
    var asked = bytes.get();
    while (bytes.get() == asked) {
      connection.readFrame();
    }
  }
}
