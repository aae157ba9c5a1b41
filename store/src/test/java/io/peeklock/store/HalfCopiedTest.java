package io.peeklock.store;

import static io.peeklock.store.DataFolder.AUDIT;
import static io.peeklock.store.DataFolder.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message whose copies are made in parts, in a folder whose broker ends between them. */
class HalfCopiedTest {
  private static final long TIME = 1_790_000_000_000L;
  private static final QueueId TRANSFER_DEAD_LETTERS = new QueueId(11);
  private static final QueueId BACKLOG = new QueueId(13);
  private static final QueueDefinition TOPIC = QueueDefinition.named("events");

  @TempDir Path root;

  private Path folder() {
    return root.resolve("data");
  }

  /** Two messages wait for copies. */
  private static DataFolder filled(DataFolder log) throws IOException {
    log.carts()
        .topic()
        .with(new Fact.RuleAdded(AUDIT, io.peeklock.kernel.entity.Rule.selectingAll(TIME)));
    log.with(transfers(TRANSFER_DEAD_LETTERS, null)).with(transfers(BACKLOG, "events"));
    var firstBodyId = log.machine().nextBodyId();
    var sizes = new int[] {10, 20};
    return log.with(
        new Fact.Enqueued(BACKLOG, 1, firstBodyId, TIME, sizes, new int[2], null), sizes);
  }

  private static Fact transfers(QueueId queue, @Nullable String to) {
    var definition = QueueRole.Transfers.of(TOPIC, to);
    return new Fact.QueueCreated(queue, new QueueId(queue.number() + 1), definition, 0);
  }

  /** What a shard would do next; whether it was a part. */
  private static boolean forward(DataFolder log) throws IOException {
    var machine = log.machine();
    var decision = machine.forward(new Stamp(TIME, TIME, log.index() + 1), FetchedBodies.NONE);
    log.together(decision.facts().toArray(Fact[]::new));
    decision.grants().forEach(machine::apply);
    return decision.facts().stream().anyMatch(ForwardFact.PartPublished.class::isInstance);
  }

  private static long active(DataFolder log, QueueId queue) {
    return log.machine().counts(queue).active();
  }

  private static void checkpointed(DataFolder log) throws IOException {
    while (!log.checkpoint()) {
      log.send(900);
    }
  }

  /** As it is now, as a process leaves it that is killed. */
  private Path copy(String name) throws IOException {
    var copy = root.resolve(name);
    try (var all = Files.walk(folder())) {
      for (var each : (Iterable<Path>) all::iterator) {
        Files.copy(each, copy.resolve(folder().relativize(each)));
      }
    }
    return copy;
  }

  private static void assertThatItGoesOn(Path folder, int parts, long hash) throws IOException {
    try (var again = DataFolder.small(folder)) {
      assertThat(again.machine().stateHash()).isEqualTo(hash);
      assertThat(active(again, AUDIT)).isEqualTo((parts + 1) / 2);
      assertThat(active(again, MAIL)).isEqualTo(parts / 2);
      while (again.machine().wantsForward()) {
        forward(again);
      }
      assertThat(active(again, AUDIT)).isEqualTo(2);
      assertThat(active(again, MAIL)).isEqualTo(2);
      assertThat(active(again, BACKLOG)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  @Rule({"I-01", "I-05", "I-35"})
  void aKillAfterAnyPartGoesOnWithTheNext(int parts) throws IOException {
    try (var log = filled(DataFolder.small(folder()))) {
      for (var part = 0; part < parts; part++) {
        assertThat(forward(log)).isTrue();
      }
      assertThatItGoesOn(copy("killed"), parts, log.machine().stateHash());
    }
    assertThat(CommandResult.by("verify", folder()).out()).contains("all is well");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  @Rule({"I-01", "I-05", "I-35"})
  void aCheckpointAfterAnyPartSaysHowFarItIsCopied(int parts) throws IOException {
    long hash;
    try (var log = filled(DataFolder.small(folder()))) {
      for (var part = 0; part < parts; part++) {
        assertThat(forward(log)).isTrue();
        checkpointed(log);
      }
      hash = log.machine().stateHash();
    }
    assertThat(CommandResult.by("verify", folder()).out()).contains("all is well");
    assertThatItGoesOn(folder(), parts, hash);
  }

  @Test
  @Rule({"I-01", "I-11"})
  void aRepairKeepsHowFarItIsCopied() throws IOException {
    try (var log = filled(DataFolder.open(folder()))) {
      forward(log);
    }

    var repaired = CommandResult.by("repair", folder(), "--to", root.resolve("new"));

    assertThat(repaired.code()).as("%s", repaired).isZero();
    try (var log = DataFolder.open(root.resolve("new"))) {
      while (log.machine().wantsForward()) {
        forward(log);
      }
      assertThat(active(log, AUDIT)).isEqualTo(2);
      assertThat(active(log, MAIL)).isEqualTo(2);
    }
  }

  /** Its message is back, for all; the next one goes on where it was. */
  @Test
  @Rule({"I-01", "I-11", "S-053"})
  void aLastPartThatIsLostIsMadeAgain() throws IOException {
    try (var log = filled(DataFolder.open(folder()))) {
      forward(log);
      forward(log);
      forward(log);
    }
    CommandResult.flip(
        CommandResult.onlySegment(folder()),
        CommandResult.offset(folder(), batchOf("\"last\":true")) + 30);

    var result = CommandResult.repair(folder(), root.resolve("new"), "--accept-loss");

    assertThat(result.code()).as("%s", result).isZero();
    assertThat(result.out()).contains("events/$Transfer/events: 2 kept, 2 of them uncertain");
    try (var log = DataFolder.open(root.resolve("new"))) {
      while (log.machine().wantsForward()) {
        forward(log);
      }
      assertThat(active(log, AUDIT)).isEqualTo(3);
      assertThat(active(log, MAIL)).isEqualTo(2);
    }
  }

  @Test
  @Rule({"I-11", "S-053"})
  void aMessageThatIsLostIsMissedOfEachPart() throws IOException {
    try (var log = filled(DataFolder.open(folder()))) {
      forward(log);
      forward(log);
    }
    CommandResult.flip(
        CommandResult.onlySegment(folder()),
        CommandResult.offset(folder(), batchOf("\"Enqueued\"")) + 30);

    var result = CommandResult.repair(folder(), root.resolve("repaired"));

    assertThat(result.out())
        .contains("LOSS      events/Subscriptions/7: 0 kept, 1 lost with their batch (1)")
        .contains("LOSS      events/Subscriptions/9: 0 kept, 1 lost with their batch (1)");
  }

  private int batchOf(String what) throws IOException {
    var line =
        CommandResult.dump(folder(), new Dump.Choice(0, 99, null, false), false)
            .lines()
            .filter(each -> each.contains(what))
            .findFirst()
            .orElseThrow();
    return Integer.parseInt(line.replaceAll(".*?\"index\":(\\d+),.*", "$1"));
  }

  @Test
  void aDumpShowsParts() throws IOException {
    try (var log = filled(DataFolder.open(folder()))) {
      forward(log);
    }

    assertThat(CommandResult.dump(folder(), new Dump.Choice(0, 99, null, false), false))
        .contains("\"fact\":\"PartPublished\"", "\"upTo\":7", "\"last\":false");
  }
}
