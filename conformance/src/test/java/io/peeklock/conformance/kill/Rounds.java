package io.peeklock.conformance.kill;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.kill.Event.Begun;
import io.peeklock.conformance.kill.Event.Killed;
import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.raw.RawConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes a broker crash at random moments under load, and lets the {@link Judge} read what the
 * clients saw. All rounds share one data folder; each ends with a drain that takes everything out.
 */
public final class Rounds {
  private static final int CRASHES_PER_ROUND = 25;
  private static final int LONGEST_LIFE_MILLIS = 2_000;
  private static final int MOST_WORK_OF_A_LIFE = 200;
  private static final long PATIENCE_WITH_WORK_SECONDS = 10;

  private static final Duration SOME_OF_EVERYTHING = Duration.ofMinutes(2);

  /** After this long, what was due is active. */
  private static final long DUE_MILLIS = 1_500;

  /** What there must have been before a round may end. */
  private interface Wait {
    void on(Load load);
  }

  private final BrokerProcess broker;
  private final Crash crash;
  private final Wait enough;
  private final Random chance;

  private Rounds(BrokerProcess broker, Crash crash, Wait enough, long seed) {
    this.broker = broker;
    this.crash = crash;
    this.enough = enough;
    this.chance = new Random(seed);
  }

  /** Options of {@code serve} for a broker that is to crash. */
  public static List<String> options() {
    return List.of(
        "--checkpoint-megabytes",
        "1", // so that crashes hit them at every stage
        "--segment-megabytes",
        "1", // and compaction too
        "--config",
        entities().toString());
  }

  private static Path entities() {
    var patient = "{MaxDeliveryCount: 100000, LockDuration: PT5M";
    var lines =
        List.of(
            "queues:",
            "  " + Load.ORDERS + ": " + patient + "}",
            "  " + Load.TAKEN + ": " + patient + "}",
            "  " + Load.CARTS + ": " + patient + ", RequiresSession: true}",
            "  " + Load.LATER + ": " + patient + "}",
            "  " + Load.ONCE + ": " + patient + ", RequiresDuplicateDetection: true}",
            "  " + Load.MOVES + ": " + patient + "}",
            "  " + Load.MOVED + ": " + patient + "}",
            "  " + Load.RELAYED + ": " + patient + "}",
            "  " + Load.RELAY + ": {ForwardTo: " + Load.RELAYED + "}",
            "topics:",
            "  " + Load.EVENTS + ":",
            "    subscriptions:",
            "      all: " + patient + "}",
            "      red: " + patient + ", rules: {red: {filter: \"colour = 'red'\"}}}");
    try {
      return Files.write(Files.createTempFile("entities", ".yaml"), lines);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /**
   * Makes it crash that often, prints the figures, and says what came of it.
   *
   * @param broker one that runs with {@link #options}
   */
  public static Verdict run(BrokerProcess broker, Crash crash, int crashes, long seed)
      throws IOException {
    return run(new Rounds(broker, crash, Rounds::awaitSomeOfEverything, seed), crashes);
  }

  /**
   * The same for a broker that loses messages. Nobody waits until there was some of everything:
   * producers hold back while much waits in a queue, and take what was lost for waiting.
   *
   * @param broker one that runs with {@link #options}
   */
  public static Verdict runToBeCaught(BrokerProcess broker, Crash crash, int crashes, long seed)
      throws IOException {
    return run(new Rounds(broker, crash, load -> {}, seed), crashes);
  }

  private static Verdict run(Rounds rounds, int crashes) throws IOException {
    var began = System.nanoTime();
    var verdict = rounds.rounds(crashes);
    System.out.println(verdict.figures());
    verdict.violations().stream().limit(20).forEach(System.out::println);
    System.out.println("seconds " + (System.nanoTime() - began) / 1_000_000_000);
    return verdict;
  }

  private Verdict rounds(int crashes) throws IOException {
    var left = crashes;
    @Nullable Verdict sum = null;
    for (var round = 0; left > 0; round++) {
      var verdict = round(round, Math.min(left, CRASHES_PER_ROUND));
      sum = sum == null ? verdict : sum.plus(verdict);
      left -= verdict.kills();
      System.out.println(
          "crashed "
              + sum.kills()
              + " times, accepted "
              + sum.accepted()
              + ", lost "
              + sum.lost()
              + ", back "
              + sum.cameBack());
      if (!verdict.good()) {
        break;
      }
    }
    if (sum == null) {
      throw new IllegalArgumentException("at least one crash");
    }
    return sum;
  }

  private Verdict round(int round, int crashes) throws IOException {
    var load = new Load(broker.port());
    var clients = clients(load, "r" + round);
    var done = 0;
    // From the first crash on, recoveries begin with a checkpoint.
    Patience.until("the first checkpoint", this::hasCheckpoint);
    while (done < crashes) {
      work(load);
      live(LONGEST_LIFE_MILLIS);
      done += crash(load);
      if (done < crashes && chance.nextInt(4) == 0) {
        // Once more while it recovers, or just after.
        live(500);
        done += crash(load);
      }
      broker.awaitReady();
    }
    // On a busy machine lives are too short for the slowest clients: sessions and transactions.
    enough.on(load);
    work(load);
    live(LONGEST_LIFE_MILLIS);
    load.end();
    // This one only makes sure that no lock is left for the drain to wait for.
    broker.kill();
    join(clients);
    broker.restart();
    drain(load);
    return Judge.over(load.history.events());
  }

  private static void awaitSomeOfEverything(Load load) {
    var seen = new AtomicReference<>("nothing");
    try {
      Patience.until(
          "some of everything",
          SOME_OF_EVERYTHING,
          () -> {
            var mixed = Judge.over(load.history.events()).mixed();
            seen.set(mixed.toString());
            return mixed.isOfEverything();
          });
    } catch (AssertionError missing) {
      throw new AssertionError(missing.getMessage() + ", but " + seen, missing);
    }
  }

  private void drain(Load load) throws IOException {
    Patience.until(
        "all that was scheduled is due",
        () -> System.currentTimeMillis() > load.lastDueMillis.get() + DUE_MILLIS);
    try (var connection = RawConnection.ready(broker.port())) {
      var relay = new Drain(connection, load.history, Load.RELAY);
      Patience.until("everything is forwarded", relay::isEmpty);
    }
    for (var queue :
        List.of(
            Load.ORDERS,
            Load.TAKEN,
            Load.LATER,
            Load.ONCE,
            Load.ALL,
            Load.RED,
            Load.MOVES,
            Load.MOVED,
            Load.RELAYED)) {
      try (var connection = RawConnection.ready(broker.port())) {
        new Drain(connection, load.history, queue).everything();
      }
    }
    try (var connection = RawConnection.ready(broker.port())) {
      new Drain(connection, load.history, Load.CARTS).everything(load.states.keySet());
    }
  }

  /** One crash, and the next life begins. */
  private int crash(Load load) throws IOException {
    crash.on(broker);
    load.history.add(new Killed(load.history.now()));
    load.launching();
    var checkpoints = Checkpoints.in(broker.data());
    load.history.add(new Begun(load.history.now(), checkpoints.newest(), checkpoints.unfinished()));
    broker.launchAgain();
    return 1;
  }

  private boolean hasCheckpoint() {
    return Checkpoints.in(broker.data()).newest() > 0;
  }

  /** Until so many more sends are accepted: on a busy machine, time alone is not much of a life. */
  private void work(Load load) {
    var enough = load.accepted() + chance.nextInt(MOST_WORK_OF_A_LIFE);
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_WITH_WORK_SECONDS);
    while (load.accepted() < enough && !load.full(Load.ORDERS) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private void live(int mostMillis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30 + chance.nextInt(mostMillis)));
  }

  private List<Thread> clients(Load load, String round) {
    var clients = new ArrayList<Thread>();
    for (var i = 0; i < 3; i++) {
      var name = round + "-p" + i;
      clients.add(load.client(name, new Producer(load, name, Load.ORDERS, chance.nextLong())));
      clients.add(
          load.client(
              round + "-c" + i,
              new Consumer(load, Mode.PEEK_LOCK, Load.ORDERS, chance.nextLong())));
    }
    clients.add(
        load.client(round + "-t", new Producer(load, round + "-t", Load.TAKEN, chance.nextLong())));
    clients.add(
        load.client(
            round + "-taker",
            new Consumer(load, Mode.RECEIVE_AND_DELETE, Load.TAKEN, chance.nextLong())));
    company(load, round, clients);
    return clients;
  }

  /** Those beside plain queues. */
  private void company(Load load, String round, List<Thread> clients) {
    produce(load, round + "-s", Load.CARTS, Packing.sessions(round + "-s"), clients);
    produce(load, round + "-l", Load.LATER, Packing.scheduled(), clients);
    produce(load, round + "-o", Load.ONCE, Packing.plain(Load.ONCE, round), clients);
    produce(load, round + "-e", Load.EVENTS, Packing.topic(), clients);
    produce(load, round + "-m", Load.MOVES, Packing.plain(Load.MOVES, round), clients);
    produce(load, round + "-f", Load.RELAY, Packing.forwarded(round), clients);
    for (var queue : List.of(Load.LATER, Load.ONCE, Load.ALL, Load.RED, Load.MOVED, Load.RELAYED)) {
      var consumer = new Consumer(load, Mode.PEEK_LOCK, queue, chance.nextLong());
      clients.add(load.client(round + "-c-" + queue, consumer));
    }
    for (var i = 0; i < 4; i++) {
      var name = round + "-holder" + i + "-";
      clients.add(load.client(name, new SessionHolder(load, name, chance.nextLong())));
    }
    var canceller = round + "-x";
    clients.add(load.client(canceller, new Canceller(load, canceller, chance.nextLong())));
    clients.add(load.client(round + "-mover", new Mover(load, chance.nextLong())));
  }

  private void produce(
      Load load, String name, String queue, Packing packing, List<Thread> clients) {
    clients.add(load.client(name, new Producer(load, name, queue, chance.nextLong(), packing)));
  }

  private static void join(List<Thread> clients) {
    try {
      for (var client : clients) {
        client.join(TimeUnit.SECONDS.toMillis(30));
        if (client.isAlive()) {
          throw new AssertionError(client.getName() + " does not end");
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the clients ended", interrupted);
    }
  }
}
