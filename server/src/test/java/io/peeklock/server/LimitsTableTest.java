package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.AmqpBudgets;
import io.peeklock.http.HttpLimits;
import io.peeklock.journal.MemoryJournal;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.server.config.ServeOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The budgets that there are fit into the memory that the launcher gives, whatever the machine has,
 * and docs/guide/limits.md says each of them as it is.
 */
@Timeout(300)
class LimitsTableTest {
  private static final long MIB = 1L << 20;
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(\\w+)` \\|.*\\| ([0-9,]+) MiB \\| ([0-9,]+) MiB \\|");

  /** Strangers may have so much of a request's head each. */
  private static final long STRANGER_HEADS = 500 * 64 * 1_024L;

  @TempDir Path folder;

  /** What the launcher makes of so much memory. */
  private record Machine(long heap, long network, long bodies) {
    static Machine of(long mebibytes) throws IOException {
      return new Machine(
          part("heap", mebibytes), part("network", mebibytes), part("bodies", mebibytes));
    }

    private static long part(String name, long mebibytes) throws IOException {
      var launcher = Files.readString(ROOT.resolve("peeklock"));
      var percent = number(launcher, name + "=\\$\\(\\(memory \\* (\\d+) / 100\\)\\)");
      var most = number(launcher, "\\(\\(" + name + " > (\\d+)\\)\\)");
      return Math.min(most, mebibytes * percent / 100) * MIB;
    }

    private static long number(String text, String pattern) {
      var found = Pattern.compile(pattern).matcher(text);
      assertThat(found.find()).as(pattern).isTrue();
      return Long.parseLong(found.group(1));
    }

    MemoryShare share(int namespaces) {
      return new MemoryShare(heap, network, bodies, namespaces);
    }

    /** By the names that metrics have, and the table. */
    Map<String, Long> budgets() {
      var all = new TreeMap<String, Long>();
      for (var use : AmqpBudgets.of(heap, network).uses()) {
        all.put(use.name(), use.most());
      }
      var http = HttpLimits.of(network);
      all.put("stranger_http_bodies", http.strangerBytes());
      all.put("http_bodies", http.stagedBytes());
      all.put("mailbox", share(1).mailbox());
      all.put("deliveries", share(1).deliveries());
      all.put("memory_bodies", share(1).inMemory());
      all.put("resident_bodies", share(1).resident());
      all.put("staged_bodies", share(1).staged());
      all.put("large_pieces", share(1).largePieces());
      all.put("staged_large_bodies", 512 * MIB);
      return all;
    }

    long sum(String... names) {
      return List.of(names).stream().mapToLong(name -> budgets().get(name)).sum();
    }
  }

  private static Map<String, List<Long>> table() throws IOException {
    var rows = new TreeMap<String, List<Long>>();
    ROW.matcher(Files.readString(ROOT.resolve("docs/guide/limits.md")))
        .results()
        .forEach(
            row -> rows.put(row.group(1), List.of(number(row.group(2)), number(row.group(3)))));
    return rows;
  }

  private static long number(String text) {
    return Long.parseLong(text.replace(",", ""));
  }

  @Test
  @Rule("I-46")
  void theTableSaysEachBoundAsItIs() throws IOException {
    var large = Machine.of(4_096).budgets();
    var small = Machine.of(512).budgets();
    var told = new TreeMap<String, List<Long>>();
    large.forEach(
        (name, bytes) -> told.put(name, List.of(bytes / MIB, small.getOrDefault(name, 0L) / MIB)));

    assertThat(table()).isEqualTo(told);
  }

  @Test
  @Rule("I-46")
  void everyBudgetOfARunningBrokerHasARow() throws IOException {
    var text = Files.readString(ROOT.resolve("docs/guide/limits.md"));
    for (var where : List.of("--in-memory", "--data=" + folder.resolve("d"))) {
      try (var server = PeeklockServer.start(ServeOptions.read(List.of("--port=0", where)))) {
        assertThat(server.budgets())
            .map(BudgetUse::name)
            .hasSizeGreaterThan(11)
            .doesNotHaveDuplicates()
            .allMatch(name -> text.contains("| `" + name + "` |"));
        assertThat(server.budgets()).allMatch(each -> each.taken() == 0 && each.most() > 0);
      }
    }
  }

  @Test
  @Rule("I-46")
  void allBudgetsTogetherFitWhateverTheMachineHas() throws IOException {
    for (var mebibytes : List.of(256, 512, 1_024, 2_048, 4_096, 65_536)) {
      var machine = Machine.of(mebibytes);
      var heap = machine.sum("stranger_links", "links", "transactions", "mailbox");
      var network =
          machine.sum(
              "stranger_transfers",
              "transfers",
              "replies",
              "stranger_http_bodies",
              "http_bodies",
              "deliveries");
      for (var namespaces = 1; namespaces <= 5; namespaces++) {
        var share = machine.share(namespaces);
        var inMemory = namespaces * MemoryJournal.mostBytes(share.inMemory());
        var onDisk = namespaces * (share.resident() + share.staged());

        assertThat(inMemory).as("of %s MiB", mebibytes).isLessThan(machine.bodies());
        assertThat(onDisk).isLessThanOrEqualTo(machine.bodies() / 2);
        var passing = namespaces * (share.largePieces() + share.deliveries());
        assertThat(onDisk + passing).isLessThan(machine.bodies());
        assertThat(namespaces * share.deliveries()).isLessThanOrEqualTo(machine.network() / 4);
        assertThat(namespaces * share.mailbox()).isLessThanOrEqualTo(machine.heap() / 8);
      }
      assertThat(heap + STRANGER_HEADS).isLessThan(machine.heap() * 2 / 3);
      assertThat(network).isLessThanOrEqualTo(machine.network() * 19 / 20);
      var all = machine.heap() + machine.network() + machine.bodies();
      assertThat(all).isLessThanOrEqualTo(mebibytes * MIB * 4 / 5);
    }
  }
}
