package io.peeklock.conformance.kill;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.kill.Event.Killed;
import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.raw.RawConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Kills a broker at random moments under load, and lets the {@link Judge} read what the clients
 * saw. All rounds share one data folder; each ends with a drain that takes everything out.
 *
 * <p>From the root of the project, after a build:
 *
 * <pre>mvn -B -pl conformance -am verify -Dtest=KillRigTest -Dsurefire.failIfNoSpecifiedTests=false
 *     -Dkills=500 [-Dkills.seed=42]</pre>
 */
public final class KillRig {
  private static final int KILLS_PER_ROUND = 25;
  private static final int LONGEST_LIFE_MILLIS = 2_000;

  private final Random chance;
  private final BrokerProcess broker;

  private KillRig(long seed) {
    chance = new Random(seed);
    broker =
        BrokerProcess.withQueues(
            Folders.fresh("kills"),
            Load.ORDERS + ",MaxDeliveryCount=100000,LockDuration=PT5M",
            Load.TAKEN + ",MaxDeliveryCount=100000");
  }

  /**
   * Runs the rig by hand.
   *
   * @param arguments number of kills, then a seed; both may be left out
   */
  public static void main(String[] arguments) throws IOException {
    var kills = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    var seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime();
    var verdict = run(kills, seed);
    if (!verdict.good()) {
      System.exit(1);
    }
  }

  /** Kills the broker that often, prints the figures, and says what came of it. */
  static Verdict run(int kills, long seed) throws IOException {
    System.out.println("kill rig: " + kills + " kills, seed " + seed);
    var began = System.nanoTime();
    var rig = new KillRig(seed);
    var good = false;
    try {
      var verdict = rig.rounds(kills);
      System.out.println(verdict.figures());
      verdict.violations().stream().limit(20).forEach(System.out::println);
      System.out.println("seconds " + (System.nanoTime() - began) / 1_000_000_000);
      good = verdict.good();
      return verdict;
    } finally {
      rig.end(good);
    }
  }

  private void end(boolean good) {
    if (good) {
      broker.close();
    } else {
      broker.kill();
      System.out.println("the data folder is kept: " + broker.data());
      System.out.println(broker.output().tail(30));
    }
  }

  private Verdict rounds(int kills) throws IOException {
    var left = kills;
    @org.jspecify.annotations.Nullable Verdict sum = null;
    for (var round = 0; left > 0; round++) {
      var now = Math.min(left, KILLS_PER_ROUND);
      var verdict = round(round, now);
      sum = sum == null ? verdict : sum.plus(verdict);
      left -= verdict.kills();
      if (!verdict.good()) {
        break;
      }
    }
    if (sum == null) {
      throw new IllegalArgumentException("at least one kill");
    }
    return sum;
  }

  private Verdict round(int round, int kills) throws IOException {
    var load = new Load(broker.port());
    var clients = clients(load, "r" + round);
    var done = 0;
    while (done < kills) {
      live(LONGEST_LIFE_MILLIS);
      done += kill(load);
      broker.launchAgain();
      if (done < kills && chance.nextInt(4) == 0) {
        // Once more while it recovers, or just after.
        live(500);
        done += kill(load);
        broker.launchAgain();
      }
      broker.awaitReady();
    }
    live(LONGEST_LIFE_MILLIS);
    load.end();
    // This one only makes sure that no lock is left for the drain to wait for.
    broker.kill();
    join(clients);
    broker.restart();
    for (var queue : List.of(Load.ORDERS, Load.TAKEN)) {
      try (var connection = RawConnection.ready(broker.port())) {
        new Drain(connection, load.history, queue).everything();
      }
    }
    return Judge.over(load.history.events());
  }

  private int kill(Load load) {
    broker.kill();
    load.history.add(new Killed(load.history.now()));
    load.launching();
    return 1;
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
    return clients;
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
