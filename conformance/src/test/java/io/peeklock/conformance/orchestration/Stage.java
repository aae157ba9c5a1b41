package io.peeklock.conformance.orchestration;

import io.peeklock.conformance.raw.RawConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** What all who play share: queues, what went wrong, who is connected. Safe for any thread. */
final class Stage {
  /** Messages to orchestrations; a session for each. */
  static final String STEPS = "steps";

  /** Messages to workers. */
  static final String WORK = "work";

  /** What was done, a message for each, sent in the transaction that did it. */
  static final String LEDGER = "ledger";

  /** What the ledger says of an orchestration that is complete. */
  static final String COMPLETE = "complete";

  final Plan plan;
  final AtomicInteger committed = new AtomicInteger();
  final AtomicInteger rolledBack = new AtomicInteger();
  final AtomicInteger refused = new AtomicInteger();
  final AtomicInteger connected = new AtomicInteger();
  private final int port;
  private final Set<RawConnection> connections = ConcurrentHashMap.newKeySet();
  private final Map<String, Set<Long>> ledger = new ConcurrentHashMap<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final List<Thread> players = new ArrayList<>();
  private volatile boolean over;

  /** What somebody does with a connection until it breaks or all is over. */
  interface Part {
    void on(Conversation conversation) throws IOException;
  }

  Stage(Plan plan, int port) {
    this.plan = plan;
    this.port = port;
  }

  /** Whether nobody is to begin anything more. */
  boolean over() {
    return over;
  }

  void violated(String what) {
    violations.add(what);
    over = true;
  }

  List<String> violations() {
    return List.copyOf(violations);
  }

  /** A message of the ledger was seen; one that comes again has the number that it had. */
  void entered(String id, long sequenceNumber) {
    var numbers = ledger.computeIfAbsent(id, fresh -> ConcurrentHashMap.newKeySet());
    numbers.add(sequenceNumber);
    if (numbers.size() > 1) {
      violated(id + " was done more than once: numbers " + numbers);
    }
  }

  Set<String> ledger() {
    return Set.copyOf(ledger.keySet());
  }

  /** Plays a part on one connection after the other; also those of a broker that was killed. */
  void play(String name, Part part) {
    players.add(Thread.ofPlatform().daemon().name(name).start(() -> lives(part)));
  }

  private void lives(Part part) {
    while (!over) {
      try {
        live(part);
      } catch (IOException cut) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5)); // that is what this rig is for
      } catch (RuntimeException | Error wrong) {
        violated(Thread.currentThread().getName() + ": " + wrong);
        throw wrong;
      }
    }
  }

  /** Plays a part on one connection. */
  void live(Part part) throws IOException {
    try (var connection = RawConnection.ready(port)) {
      connected.incrementAndGet();
      connections.add(connection);
      try {
        part.on(new Conversation(connection));
      } finally {
        connections.remove(connection);
      }
    }
  }

  /** Closes the socket of one who is connected; false when nobody is. */
  boolean cut(Random chance) {
    var all = List.copyOf(connections);
    if (all.isEmpty()) {
      return false;
    }
    try {
      all.get(chance.nextInt(all.size())).close();
      return true;
    } catch (IOException failed) {
      throw new UncheckedIOException("a socket cannot be closed", failed);
    }
  }

  /** How many orchestrations the ledger calls complete. */
  long complete() {
    return ledger.keySet().stream().filter(id -> id.endsWith("/" + COMPLETE)).count();
  }

  @Override
  public String toString() {
    return "complete "
        + complete()
        + ", messages taken "
        + (ledger.size() - complete())
        + " (answered "
        + committed
        + "), rolled back "
        + rolledBack
        + ", refused "
        + refused
        + ", connections "
        + connected;
  }

  /** Lets all come to an end. */
  void end() {
    over = true;
    try {
      for (var player : players) {
        player.join(TimeUnit.SECONDS.toMillis(30));
        if (player.isAlive()) {
          violations.add(player.getName() + " does not end");
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the players ended", interrupted);
    }
  }
}
