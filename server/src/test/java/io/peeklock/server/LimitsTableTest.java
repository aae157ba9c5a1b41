package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.amqp.engine.limits.Allowance;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.http.HttpLimits;
import io.peeklock.journal.memory.MemoryJournal;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.server.config.BudgetPlan;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
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

  /** What a row says of the share and of the most that it comes to. */
  private static final Pattern SHARE =
      Pattern.compile(
          "(?m)^\\| `(\\w+)` \\|[^|]*\\| \\(?(heap|network|bodies)(?: - (\\d+) MiB\\))?"
              + "(?: × (\\d+))? / (\\d+)(?:, (\\d+) MiB)?");

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
      all.put("unauthenticated_http_bodies", http.unauthenticatedBytes());
      all.put("http_bodies", http.stagedBytes());
      all.put("http_answers", http.answerBytes());
      all.put("mailbox", share(1).mailbox());
      all.put("metrics", share(1).metrics());
      all.put("deliveries", share(1).deliveries());
      all.put("messages", share(1).messages());
      all.put("memory_bodies", share(1).inMemory());
      all.put("resident_bodies", share(1).resident());
      all.put("staged_bodies", share(1).staged());
      all.put("large_pieces", share(1).largePieces());
      all.put("staged_large_bodies", share(1).stagedLarge());
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

  /** Of memory that is as large as the operator says, so that what is told as the most is it. */
  @Test
  @Rule("I-46")
  void theTableSaysEachShareAndTheMostOfItAsTheyAre() throws IOException {
    var parts = Map.of("heap", 48L << 30, "network", 24L << 30, "bodies", 96L << 30);
    var machine = new Machine(48L << 30, 24L << 30, 96L << 30);
    var told = new TreeMap<String, Long>();
    SHARE
        .matcher(Files.readString(ROOT.resolve("docs/guide/limits.md")))
        .results()
        .forEach(
            row -> {
              var less = row.group(3) == null ? 0 : number(row.group(3)) * MIB;
              var times = row.group(4) == null ? 1 : number(row.group(4));
              var part = parts.getOrDefault(row.group(2), 0L) - less;
              var share = part * times / number(row.group(5));
              var most = row.group(6) == null ? share : number(row.group(6)) * MIB;
              told.put(row.group(1), Math.min(share, most));
            });
    var taken = new TreeMap<>(machine.budgets());
    taken.remove("staged_large_bodies"); // of the disk, no share of memory

    assertThat(told).isEqualTo(taken);
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
  void whatCanBeSetIsTheTableAndTheCeilingsAreTold() throws IOException {
    var names = new TreeSet<>(table().keySet());
    names.remove("memory_bodies"); // memory-megabytes
    var told = new TreeMap<String, Long>();
    Pattern.compile("(?m)^\\| `(\\w+)` \\| ([0-9,]+) \\|$")
        .matcher(Files.readString(ROOT.resolve("docs/guide/limits.md")))
        .results()
        .forEach(row -> told.put(row.group(1), number(row.group(2))));

    assertThat(told).isEqualTo(new TreeMap<>(BudgetPlan.ceilings()));
    assertThat(told.keySet()).isEqualTo(names);
  }

  @Test
  @Rule("I-46")
  void aBudgetThatIsSaidHoldsInARunningBroker() throws IOException {
    var said =
        "--limits=unauthenticated_links=1,links=2,transactions=3,mailbox=4,"
            + "unauthenticated_transfers=1,transfers=2,replies=3,unread=14,deliveries=4,"
            + "unauthenticated_http_bodies=5,http_bodies=6,http_answers=11,"
            + "metrics=12,messages=13,resident_bodies=7,staged_bodies=8,large_pieces=9,staged_large_bodies=10";
    var options = List.of("--port=0", "--data=" + folder.resolve("d"), said);
    try (var server = PeeklockServer.start(ServeOptions.read(options))) {
      var most = new TreeMap<String, Long>();
      server.budgets().forEach(use -> most.put(use.name(), use.most() / MIB));
      assertThat(most)
          .containsAllEntriesOf(
              Map.of("unauthenticated_links", 1L, "links", 2L, "transactions", 3L))
          .containsAllEntriesOf(
              Map.of("mailbox", 4L, "unauthenticated_transfers", 1L, "transfers", 2L))
          .containsAllEntriesOf(
              Map.of("replies", 3L, "unread", 14L, "deliveries", 4L, "http_bodies", 6L))
          .containsAllEntriesOf(Map.of("unauthenticated_http_bodies", 5L, "staged_bodies", 8L))
          .containsAllEntriesOf(Map.of("http_answers", 11L, "metrics", 12L, "messages", 13L))
          .containsAllEntriesOf(Map.of("large_pieces", 9L, "staged_large_bodies", 10L));
    }
  }

  @Test
  @Rule("I-46")
  void whatIsSaidMustFitTogether() {
    var share = new MemoryShare(1_024 * MIB, 512 * MIB, 768 * MIB, 2);
    Budgets.of(share.saying(Map.of("links", 230 * MIB))).check(true);
    Map.of(
            "links",
                "limits: the budgets of the heap come to 1126 MiB, of 1024 MiB they may take 853;",
            "transfers", "limits: the budgets of the network's direct memory come to ",
            "resident_bodies", "limits: the budgets of the bodies' direct memory come to ")
        .forEach(
            (name, sentence) -> {
              var budgets = Budgets.of(share.saying(Map.of(name, 512 * MIB)));
              assertThatThrownBy(() -> budgets.check(true))
                  .isInstanceOf(ConfigurationException.class)
                  .hasMessageStartingWith(sentence)
                  .hasMessageContaining("PEEKLOCK_");
            });
    Budgets.of(share.saying(Map.of("resident_bodies", 600 * MIB))).check(false);
  }

  @Test
  @Rule("I-46")
  void allBudgetsTogetherFitWhateverTheMachineHas() throws IOException {
    for (var mebibytes : List.of(256, 512, 1_024, 2_048, 4_096, 65_536)) {
      var machine = Machine.of(mebibytes);
      var heap =
          machine.sum("unauthenticated_links", "links", "transactions", "mailbox", "metrics")
              + machine.sum("messages") * 9 / 8; // copies go an eighth beyond
      var network =
          machine.sum(
              "unauthenticated_transfers",
              "transfers",
              "replies",
              "unread",
              "unauthenticated_http_bodies",
              "http_bodies",
              "http_answers",
              "deliveries",
              "deliveries"); // their frames take up to twice as much
      for (var namespaces = 1; namespaces <= 5; namespaces++) {
        var share = machine.share(namespaces);
        var inMemory = namespaces * MemoryJournal.mostBytes(share.inMemory());
        var onDisk = namespaces * (share.resident() + share.staged());

        assertThat(inMemory).as("of %s MiB", mebibytes).isLessThan(machine.bodies());
        assertThat(onDisk).isLessThanOrEqualTo(machine.bodies() / 2);
        var passing = namespaces * (share.largePieces() + share.deliveries());
        assertThat(onDisk + passing).isLessThan(machine.bodies());
        assertThat(namespaces * share.deliveries()).isLessThanOrEqualTo(machine.network() / 8);
        assertThat(namespaces * share.mailbox()).isLessThanOrEqualTo(machine.heap() / 8);
        assertThat(namespaces * share.messages())
            .isLessThanOrEqualTo(Math.max(namespaces * MIB, machine.sum("messages")));
        assertThat(namespaces * share.metrics())
            .isLessThanOrEqualTo(Math.max(namespaces * MIB, machine.sum("metrics")));
      }
      var heads = machine.share(1).unauthenticatedHeadBytes();
      assertThat(heads).isLessThanOrEqualTo(machine.heap() / 8);
      assertThat(heap + heads).isLessThan(machine.heap() * 5 / 6);
      assertThat(network).isLessThanOrEqualTo(machine.network() * 24 / 25);
      var smallFrames = 500L * Allowance.SMALL_INPUT_BYTES; // unauthenticated: kept in any case
      assertThat(network + smallFrames).isLessThan(machine.network());
      var all = machine.heap() + machine.network() + machine.bodies();
      assertThat(all).isLessThanOrEqualTo(mebibytes * MIB * 4 / 5);
    }
  }
}
