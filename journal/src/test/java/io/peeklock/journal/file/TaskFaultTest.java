package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.sim.Faults;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is thrown at any call that the journal's threads make of the disk, what no disk declares
 * too: the journal goes on and does later what it could not, or it has failed aloud.
 */
@LongProof
class TaskFaultTest {
  private static Supplier<Throwable> fault(String kind) {
    return switch (kind) {
      case "memory" -> () -> new OutOfMemoryError("Cannot reserve direct buffer memory");
      case "disk" -> () -> new IOException("Input/output error");
      default -> () -> new IllegalStateException("a fault");
    };
  }

  private static JournalSettings small() {
    return settings().withSegmentBytes(3_000).withCheckpointBytes(1 << 20).withResidentBytes(0);
  }

  /** A journal with a fault in the way of its disk, and the one who works on it. */
  private static final class World {
    private final SimDisk disk = new SimDisk();
    private final SimExecutors executors = new SimExecutors();
    private final Ledger ledger = new Ledger(new Random(4));
    private final Faults faults;

    World(String kind) throws IOException {
      faults = new Faults(fault(kind));
      ledger.mayFail = true;
      var random = new Random(9);
      var between = faults.before(Disk.class, disk);
      ledger.on(
          FileJournal.open(
              small(), executors.shardExecutor(), between, executors, random::nextLong),
          executors);
      ledger.change();
      settle();
    }

    private void settle() {
      faults.survive(executors::settle);
    }

    private void pass() {
      faults.survive(executors::pass);
      ledger.checkpoint();
    }

    /** Segments fill, mostly die, and what lives moves; a large body among them. */
    void work() {
      for (var round = 0; round < 2; round++) {
        for (var i = 0; i < 4; i++) {
          ledger.sendMany(10, 150);
          settle();
          ledger.checkpoint();
        }
        ledger.sendLarge();
        settle();
        ledger.completeBut(8);
        for (var i = 0; i < 14; i++) {
          pass();
        }
      }
    }

    private List<String> names(String end) {
      return disk.names().stream().filter(name -> name.endsWith(end)).toList();
    }

    /** Everything is done that the fault may have kept from being done. */
    void checkItGoesOn(String where) {
      var checkpoint = names(".checkpoint").stream().reduce("", (a, b) -> b);
      var cold = names(".cold").stream().reduce("", (a, b) -> b);

      work();
      settle(); // what the last checkpoint asked for

      assertThat(ledger.failures).as(where).isEmpty();
      assertThat(ledger.durable).as(where).isEqualTo(ledger.lastIndex());
      assertThat(names(".checkpoint").getLast()).as(where).isGreaterThan(checkpoint);
      assertThat(names(".cold").getLast()).as(where).isGreaterThan(cold);
      ledger.readAll(executors);
    }

    void checkNothingIsLost() throws IOException {
      var threads = new SimExecutors();
      var after = disk.copy();
      var random = new Random(1);
      var again = ledger.copy();
      again.on(
          FileJournal.open(small(), threads.shardExecutor(), after, threads, random::nextLong),
          threads);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "fault", "disk"})
  @Rule({"I-01", "I-10"})
  void whateverIsThrownAtAnyCallItGoesOnOrHasFailedAloud(String kind) throws IOException {
    var call = 0;
    var wentOn = 0;
    for (var thrown = true; thrown; ) {
      call++;
      var where = kind + " at call " + call;
      var world = new World(kind);
      world.faults.at(call);
      world.work();
      thrown = world.faults.end();

      if (world.ledger.failures.isEmpty()) {
        wentOn++;
        world.checkItGoesOn(where);
      }
      world.checkNothingIsLost();
    }
    System.out.println("faults (" + kind + "): " + (call - 1) + ", went on after " + (wentOn - 1));
    assertThat(call).isGreaterThan(100);
    assertThat(wentOn).isGreaterThan(20);
  }
}
