package io.peeklock.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.MessagesRestored;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schedules, sessions with their states, message ids, and topics go through all tools. */
class EveryFactTest {
  @TempDir Path root;

  private Path folder() {
    return root.resolve("data");
  }

  private static void fill(DataFolder log) throws IOException {
    log.send(10).schedule(20, 30, 40).cancel(3).activate(2);
    log.carts().sendTo("a", 50).sendTo("b", 60).sendTo("a", 70);
    log.state("a", 80).state("b", 90).state("a", 100);
    log.topic().publish(10, 20, 30).completeAudited(1).forwardAudited(3);
    log.send(5);
  }

  /** What a state says, with the bodies' bytes in place of their ids. */
  private static Set<String> contentsOf(Path in) throws IOException {
    var lines = new TreeSet<String>();
    try (var store = StoreFolder.take(in)) {
      var salvage = Salvage.of(store, Progress.of(new PrintWriter(Writer.nullWriter()), "read", 0));
      try (var bodies = new BodySource(store, salvage)) {
        StateParts.walk(salvage.machine(), new Lines(bodies, lines));
      }
    }
    return lines;
  }

  /** A line for each thing that a state says. */
  private record Lines(BodySource bodies, Set<String> lines) implements StateParts {
    private int body(long id, int size) throws IOException {
      var bytes = new byte[size];
      Objects.requireNonNull(bodies.small(id)).get(bytes);
      return Arrays.hashCode(bytes);
    }

    @Override
    public void namespace(Fact.NamespaceDescribed namespace) {
      lines.add("queues up to " + namespace.nextQueueNumber());
    }

    @Override
    public void queue(EntityFact.QueueRestored queue) {
      lines.add(queue.toString());
    }

    @Override
    public void rules(Fact.RulesDescribed rules) {
      lines.add(rules.toString());
    }

    @Override
    public void messages(MessagesRestored all) throws IOException {
      var sessions = all.sessionIds();
      var expiries = all.expiresAtMillis();
      for (var i = 0; i < all.bodyIds().length; i++) {
        lines.add(
            all.queue()
                + " "
                + all.sequenceNumbers()[i]
                + (all.scheduled() ? " scheduled " : " ")
                + (sessions == null ? "" : sessions[i])
                + (expiries == null ? "" : " " + expiries[i])
                + (all.hops() == null ? "" : " hops " + all.hops()[i])
                + (all.deadLetterSources() == null ? "" : " " + all.deadLetterSources()[i])
                + " "
                + all.enqueuedAtMillis()[i]
                + " "
                + body(all.bodyIds()[i], all.sizes()[i]));
      }
    }

    @Override
    public void copied(Fact.CopyCursorRestored cursor) {
      lines.add(cursor.toString());
    }

    @Override
    public void ids(Fact.MessageIdsRestored ids) {
      for (var i = 0; i < ids.arrivedAtMillis().length; i++) {
        lines.add("id " + ids.hashes()[2 * i] + " at " + ids.arrivedAtMillis()[i]);
      }
    }

    @Override
    public void states(Fact.SessionStatesRestored states) throws IOException {
      for (var i = 0; i < states.bodyIds().length; i++) {
        lines.add(states.sessionIds()[i] + " is " + body(states.bodyIds()[i], states.sizes()[i]));
      }
    }
  }

  @Test
  @Rule({"I-01", "S-148", "S-253", "S-266"})
  void aRepairKeepsThemAll() throws IOException {
    try (var log = DataFolder.open(folder())) {
      fill(log);
    }

    var repaired = CommandResult.by("repair", folder(), "--to", root.resolve("new"));

    assertThat(repaired.code()).as("%s", repaired).isZero();
    assertThat(contentsOf(root.resolve("new"))).isEqualTo(contentsOf(folder())).hasSize(25);
    var verified = CommandResult.by("verify", root.resolve("new"));
    assertThat(verified.out())
        .contains(
            "orders: 4 active, 1 scheduled",
            "carts: 3 active",
            "events/Subscriptions/9: 3 active",
            "all is well");
    try (var log = DataFolder.open(root.resolve("new"))) {
      log.send(10).sendTo("c", 10);
      assertThat(log.machine().counts(DataFolder.ORDERS).active()).isEqualTo(5);
    }
  }

  @Test
  @Rule({"I-01", "S-148", "S-253"})
  void checkpointsAndBackupsHaveThem() throws IOException {
    var backup = root.resolve("backup");
    try (var log = DataFolder.small(folder())) {
      fill(log);
      for (var i = 0; i < 20; i++) {
        log.send(900);
        log.checkpoint();
      }
      assertThat(CommandResult.by("backup", folder(), "--to", backup).code()).isZero();
    }
    assertThat(CommandResult.by("restore", backup, "--to", root.resolve("new")).code()).isZero();

    assertThat(contentsOf(root.resolve("new"))).isEqualTo(contentsOf(folder()));
    assertThat(CommandResult.by("verify", root.resolve("new")).out()).contains("all is well");
  }

  @Test
  void aDumpShowsThem() throws IOException {
    try (var log = DataFolder.open(folder())) {
      fill(log);
    }

    var all = CommandResult.dump(folder(), new Dump.Choice(0, 99, null, false), false);
    assertThat(all)
        .contains("\"fact\":\"Scheduled\"", "\"dueAtMillis\":[", "\"fact\":\"Activated\"")
        .contains("\"fact\":\"Forwarded\"", "\"deadLetterSource\":\"events\"")
        .contains("\"sessionIds\":[\"a\"]", "\"fact\":\"SessionStateSet\"", "\"sessionId\":\"b\"");
    assertThat(CommandResult.dump(folder(), new Dump.Choice(0, 99, "carts", false), false))
        .contains("SessionStateSet")
        .doesNotContain("Scheduled");
  }

  @Test
  @Rule("I-11")
  void aScheduledMessageThatIsLostIsMissedUnderTheNumberThatItGot() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.send(10).schedule(20, 30).activate(2, 3).complete(4).send(5);
    }
    damageBatch(3);

    var plan = CommandResult.by("repair", folder(), "--to", root.resolve("new"));

    assertThat(plan.out()).contains("orders: 2 kept", "1 lost with their batch (5)");
  }

  @Test
  @Rule("I-11")
  void aQueueOfSessionsWhoseCreationIsLostIsOneOfSessions() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().sendTo("a", 50).state("a", 10).sendTo("b", 60);
    }
    damageBatch(2);

    var result = CommandResult.by("repair", folder(), "--to", root.resolve("new"), "--accept-loss");

    assertThat(result.code()).as("%s", result).isZero();
    assertThat(contentsOf(root.resolve("new")))
        .anyMatch(line -> line.contains("recovered-3") && line.contains("requiresSession=true"))
        .anyMatch(line -> line.startsWith("a is"));
    assertThat(result.out()).contains("recovered-3: 2 kept");
  }

  @Test
  @Rule("I-11")
  void aStateThatIsDamagedIsLostAndSaidSo() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().sendTo("a", 50).state("a", 4_000).sendTo("a", 60);
    }
    CommandResult.flip(segment(), offset(4) + 2_000);

    var result = CommandResult.by("repair", folder(), "--to", root.resolve("new"), "--accept-loss");

    assertThat(result.code()).as("%s", result).isZero();
    assertThat(result.out()).contains("carts: 2 kept, 1 states of sessions lost");
    assertThat(contentsOf(root.resolve("new"))).noneMatch(line -> line.startsWith("a is"));
  }

  private Path segment() {
    return folder().resolve("0000000000000000001.log");
  }

  private long offset(long index) throws IOException {
    var line =
        CommandResult.dump(folder(), new Dump.Choice(index, index, null, false), false)
            .lines()
            .filter(each -> each.contains("\"index\":" + index + ","))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll(".*\"offset\":(\\d+),.*", "$1"));
  }

  private void damageBatch(long index) throws IOException {
    CommandResult.flip(segment(), offset(index) + 30);
  }
}
