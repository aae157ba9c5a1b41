package io.peeklock.conformance.kill;

import io.peeklock.conformance.raw.RawConnection;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
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

  /** Of message sessions. */
  static final String CARTS = "carts";

  /** Scheduled, some of it cancelled. */
  static final String LATER = "later";

  /** Detects duplicates, and gets many. */
  static final String ONCE = "once";

  /** A topic; what it keeps is in its subscriptions. */
  static final String EVENTS = "events";

  /** Gets every message of the topic. */
  static final String ALL = EVENTS + "/Subscriptions/all";

  /** Gets the red ones. */
  static final String RED = EVENTS + "/Subscriptions/red";

  /** Emptied in transactions that send something to {@link #MOVED}. */
  static final String MOVES = "moves";

  /** Filled by transactions alone. */
  static final String MOVED = "moved";

  /** Forwards everything to {@link #RELAYED}. */
  static final String RELAY = "relay";

  /** Filled by forwarding alone. */
  static final String RELAYED = "relayed";

  private static final int MOST_PLAIN = 3_000;
  private static final int MOST_OTHERS = 300;

  final History history = new History();

  /** By session the last value that somebody meant to set as its state. */
  final Map<String, AtomicLong> states = new ConcurrentHashMap<>();

  /** When the last scheduled message becomes active, by the wall clock. */
  final AtomicLong lastDueMillis = new AtomicLong();

  final int port;
  private final AtomicInteger life = new AtomicInteger();
  private final Map<String, AtomicLong> waiting = new ConcurrentHashMap<>();
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

  /** A send was accepted, and so a message is in this queue. */
  void acceptedOne(String queue) {
    accepted.incrementAndGet();
    waitingIn(queue).incrementAndGet();
  }

  private AtomicLong waitingIn(String queue) {
    return waiting.computeIfAbsent(queue, fresh -> new AtomicLong());
  }

  /** How many sends were accepted so far. */
  long accepted() {
    return accepted.get();
  }

  /** A message was received, and is not given back. */
  void tookOne(String queue) {
    waitingIn(queue).decrementAndGet();
  }

  /** More than this would only make the rig slow. */
  boolean full(String queue) {
    var most = queue.equals(ORDERS) || queue.equals(TAKEN) ? MOST_PLAIN : MOST_OTHERS;
    return waitingIn(queue).get() > most;
  }

  /** Under which id a message is known in a queue: every subscription has a copy of its own. */
  static String known(String queue, String id) {
    return queue.startsWith(EVENTS) ? id + "@" + queue.substring(queue.lastIndexOf('/') + 1) : id;
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
