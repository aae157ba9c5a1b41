package io.peeklock.conformance.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Program;
import io.peeklock.conformance.kill.Event.Delivered;
import io.peeklock.conformance.kill.Event.Disposition;
import io.peeklock.conformance.kill.Event.Found;
import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.kill.Event.SendAnswered;
import io.peeklock.conformance.kill.Event.SettleAnswered;
import io.peeklock.conformance.kill.Event.SettleTried;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Backups of a broker under load; what was restored is served, and compared with the clients. */
@Isolated
@LongProof
class LiveBackupTest {
  /** Nobody receives from this one. */
  private static final String KEPT = "kept";

  private static final List<String> OPTIONS =
      List.of(
          "--checkpoint-megabytes",
          "1",
          "--segment-megabytes",
          "1",
          "--queue",
          Load.ORDERS + ",MaxDeliveryCount=100000,LockDuration=PT5M",
          "--queue",
          Load.TAKEN + ",MaxDeliveryCount=100000",
          "--queue",
          LiveBackupTest.KEPT);

  /** On a machine that stands still files may go faster than they are taken; then it says so. */
  private static final int MOST_TRIES = 5;

  /** A backup, and when it was taken in the order of the history. */
  private record Taken(Path restored, long began, long ended) {}

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  @Rule({"I-01", "I-05", "I-06", "I-07"})
  void whatWasAcceptedBeforeIsThereAndNothingThatWasCompletedBeforeIs() throws IOException {
    var backup = Folders.fresh("backup");
    var taken = new ArrayList<Taken>();
    try (var broker = BrokerProcess.start(Folders.fresh("backed-up"), OPTIONS)) {
      var kept = keep(broker);
      var load = new Load(broker.port());
      var clients = clients(load);
      for (var i = 0; i < 2; i++) {
        work(load, 100 * (i + 1));
        taken.add(take(broker, backup, load.history));
      }
      refuseToTouch(broker);
      live(1_000);
      load.end();
      clients.forEach(LiveBackupTest::join);

      assertThat(broker.alive()).as("the broker goes on").isTrue();
      broker.kill(); // so that no lock is left for the drain to wait for
      broker.restart();
      drain(broker, load.history, List.of(Load.ORDERS, Load.TAKEN));
      var events = load.history.events();
      assertThat(Judge.over(events).violations()).as("nothing happened to the source").isEmpty();
      for (var each : taken) {
        compare(each, events, kept);
      }
    }
  }

  /** Messages that wait all the while. */
  private static Set<String> keep(BrokerProcess broker) {
    var load = new Load(broker.port());
    var producer = load.client("k", new Producer(load, "k", KEPT, 1));
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (accepted(load.history).size() < 200 && System.nanoTime() < deadline) {
      live(20);
    }
    load.end();
    join(producer);
    var ids = accepted(load.history);
    assertThat(ids).as("a load that left nothing proves nothing").hasSizeGreaterThan(50);
    return ids;
  }

  private static Set<String> accepted(History history) {
    var ids = new HashSet<String>();
    for (var event : history.events()) {
      if (event instanceof SendAnswered answered && answered.accepted()) {
        ids.add(answered.id());
      }
    }
    return ids;
  }

  private static Taken take(BrokerProcess broker, Path backup, History history) {
    var began = history.now();
    var program = backup(broker, backup);
    for (var tries = 1; tries < MOST_TRIES && program.said().contains("try again"); tries++) {
      began = history.now();
      program = backup(broker, backup);
    }
    var ended = history.now();
    assertThat(program.exitCode()).as("%s", program.said()).isZero();
    assertThat(program.said()).contains("backup    of all up to batch");
    var restored = Folders.fresh("restored");
    assertThat(run("restore", backup.toString(), "--to", restored.toString())).contains("serve it");
    assertThat(run("verify", restored.toString())).contains("all is well");
    return new Taken(restored, began, ended);
  }

  private static Program backup(BrokerProcess broker, Path backup) {
    return Program.run("store", "backup", broker.data().toString(), "--to", backup.toString());
  }

  /** Whoever needs it stopped says so, and who has it. */
  private static void refuseToTouch(BrokerProcess broker) {
    var folder = broker.data().toString();
    var elsewhere = Folders.fresh("repaired").toString();
    for (var words :
        List.of(
            List.of("store", "verify", folder),
            List.of("store", "dump", folder),
            List.of("store", "repair", folder, "--to", elsewhere))) {
      var program = Program.run(words.toArray(String[]::new));
      assertThat(program.exitCode()).as("%s %s", words, program.said()).isEqualTo(1);
      assertThat(program.said()).contains("in use by process " + broker.pid());
    }
    assertThat(Path.of(elsewhere))
        .satisfiesAnyOf(
            none -> assertThat(none).doesNotExist(), empty -> assertThat(empty).isEmptyDirectory());
  }

  private static String run(String command, String... arguments) {
    var words = new ArrayList<>(List.of("store", command));
    words.addAll(List.of(arguments));
    var program = Program.run(words.toArray(String[]::new));
    assertThat(program.exitCode()).as("%s", program.said()).isZero();
    return program.said();
  }

  private static List<Thread> clients(Load load) {
    var chance = new Random();
    var clients = new ArrayList<Thread>();
    for (var i = 0; i < 2; i++) {
      clients.add(
          load.client("p" + i, new Producer(load, "p" + i, Load.ORDERS, chance.nextLong())));
      clients.add(
          load.client("c" + i, new Consumer(load, Mode.PEEK_LOCK, Load.ORDERS, chance.nextLong())));
    }
    clients.add(load.client("t", new Producer(load, "t", Load.TAKEN, chance.nextLong())));
    clients.add(
        load.client(
            "taker", new Consumer(load, Mode.RECEIVE_AND_DELETE, Load.TAKEN, chance.nextLong())));
    return clients;
  }

  /** Lets the clients work until so many messages are completed, however slow the machine is. */
  private static void work(Load load, int completions) {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (completed(load.history) < completions && System.nanoTime() < deadline) {
      live(20);
    }
  }

  private static long completed(History history) {
    return history.events().stream()
        .filter(SettleAnswered.class::isInstance)
        .map(SettleAnswered.class::cast)
        .filter(answered -> answered.accepted() && answered.disposition() == Disposition.COMPLETE)
        .count();
  }

  private static void live(int millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static void join(Thread client) {
    try {
      client.join(TimeUnit.SECONDS.toMillis(30));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    assertThat(client.isAlive()).as(client.getName()).isFalse();
  }

  private static void drain(BrokerProcess broker, History into, List<String> queues)
      throws IOException {
    for (var queue : queues) {
      try (var connection = RawConnection.ready(broker.port())) {
        new Drain(connection, into, queue).everything();
      }
    }
  }

  private static void compare(Taken taken, List<Event> events, Set<String> kept)
      throws IOException {
    var served = new History();
    try (var broker = BrokerProcess.start(taken.restored(), OPTIONS)) {
      drain(broker, served, List.of(Load.ORDERS, Load.TAKEN, KEPT));
    }
    var there = new ArrayList<String>();
    served.events().forEach(event -> there.add(((Found) event).id()));

    assertThat(there).as("nothing is there twice").doesNotHaveDuplicates();
    assertThat(there).containsAll(kept).containsAll(mustBeThere(events, taken));
    assertThat(there).doesNotContainAnyElementsOf(mustBeGone(events, taken.began()));
  }

  /** Accepted before it began, and nobody even tried to take it away before it ended. */
  private static Set<String> mustBeThere(List<Event> events, Taken taken) {
    var ids = new HashSet<String>();
    for (var event : events) {
      if (event instanceof SendAnswered answered
          && answered.accepted()
          && answered.at() < taken.began()) {
        ids.add(answered.id());
      }
    }
    for (var event : events) {
      if (event instanceof SettleTried tried
          && tried.disposition() == Disposition.COMPLETE
          && tried.at() < taken.ended()) {
        ids.remove(tried.id());
      }
      if (event instanceof Delivered delivered && delivered.mode() == Mode.RECEIVE_AND_DELETE) {
        ids.remove(delivered.id());
      }
    }
    // What was on its way to the taker may have been taken, and never came.
    ids.removeIf(id -> id.startsWith("t-"));
    return ids;
  }

  /** Completed, or received and deleted, before it began. */
  private static Set<String> mustBeGone(List<Event> events, long began) {
    var ids = new HashSet<String>();
    for (var event : events) {
      if (event instanceof SettleAnswered answered
          && answered.accepted()
          && answered.disposition() == Disposition.COMPLETE
          && answered.at() < began) {
        ids.add(answered.id());
      }
      if (event instanceof Delivered delivered
          && delivered.mode() == Mode.RECEIVE_AND_DELETE
          && delivered.at() < began) {
        ids.add(delivered.id());
      }
    }
    assertThat(ids).as("a load that took nothing proves nothing").hasSizeGreaterThan(50);
    return ids;
  }
}
