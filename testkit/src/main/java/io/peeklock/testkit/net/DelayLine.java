package io.peeklock.testkit.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** One direction of one connection. One thread reads, another writes what is due. */
final class DelayLine {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int MOST_CHUNKS = 1_024;
  private static final Chunk END = new Chunk(new byte[0], 0);

  private final InputStream in;
  private final OutputStream out;
  private final long delayNanos;
  private final BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(MOST_CHUNKS);

  private record Chunk(byte[] bytes, long dueNanos) {
    boolean isEnd() {
      return bytes.length == 0;
    }
  }

  DelayLine(InputStream in, OutputStream out, Duration delay) {
    this.in = in;
    this.out = out;
    this.delayNanos = delay.toNanos();
  }

  /** Takes bytes until there are no more, each with the time at which it is due. */
  void read() {
    try {
      var buffer = new byte[CHUNK_BYTES];
      for (var count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        underWay.put(new Chunk(Arrays.copyOf(buffer, count), due()));
      }
    } catch (IOException gone) {
      // A broken connection ends like a closed one: whoever writes hears of it.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    end();
  }

  private void end() {
    try {
      underWay.put(END);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private long due() {
    return System.nanoTime() + delayNanos;
  }

  /** Hands on what is due, until the end. */
  void write() {
    try {
      for (var chunk = underWay.take(); !chunk.isEnd(); chunk = underWay.take()) {
        for (var left = left(chunk); left > 0; left = left(chunk)) {
          LockSupport.parkNanos(left);
        }
        out.write(chunk.bytes());
        out.flush();
      }
    } catch (IOException gone) {
      // The other side hung up; the caller closes both.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static long left(Chunk chunk) {
    return chunk.dueNanos() - System.nanoTime();
  }
}
