package io.peeklock.conformance.kill;

import io.peeklock.conformance.raw.RawConnection;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What the clients of one round share. Safe for any thread. */
final class Load {
  /** Peek-locked. */
  static final String ORDERS = "orders";

  /** Received and deleted. */
  static final String TAKEN = "taken";

  final History history = new History();
  final int port;
  private final AtomicInteger life = new AtomicInteger();
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong accepted = new AtomicLong();
  private volatile boolean over;

  Load(int port) {
    this.port = port;
  }

  /** Counted up before each launch, so that a connection knows which broker it had. */
  void launching() {
    life.incrementAndGet();
  }

  void end() {
    over = true;
  }

  boolean over() {
    return over;
  }

  /** A send was accepted. */
  void acceptedOne() {
    accepted.incrementAndGet();
    waiting.incrementAndGet();
  }

  /** How many sends were accepted so far. */
  long accepted() {
    return accepted.get();
  }

  /** A message was received, and is not given back. */
  void tookOne() {
    waiting.decrementAndGet();
  }

  /** More than this would only make the rig slow. */
  boolean full() {
    return waiting.get() > 3_000;
  }

  /** What a client does with a connection until it breaks. */
  interface Work {
    void on(RawConnection connection, int life) throws IOException;
  }

  /** Connects again and again, and works, until the round is over. */
  Thread client(String name, Work work) {
    return Thread.ofPlatform()
        .daemon()
        .name(name)
        .start(
            () -> {
              while (!over) {
                live(work);
                pause(new Random(), 5);
              }
            });
  }

  private void live(Work work) {
    var before = life.get();
    RawConnection connection = null;
    try {
      connection = RawConnection.ready(port);
      // Equal on both sides: this is surely the broker of that life, not its successor.
      if (life.get() == before) {
        work.on(connection, before);
      }
    } catch (IOException broken) {
      // The broker was killed, or is not back yet: that is what this rig is for.
    } finally {
      close(connection);
    }
  }

  private static void close(@Nullable RawConnection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (IOException already) {
      throw new IllegalStateException("a socket cannot be closed", already);
    }
  }

  /** Waits a random moment of up to this long. */
  static void pause(Random chance, int mostMillis) {
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(chance.nextInt(mostMillis * 1_000)));
  }
}
