package io.peeklock.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.file.FileJournal;
import io.peeklock.journal.file.UnfinishedFolder;
import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import io.peeklock.kernel.fact.MessagesRestored;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.Replayer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepairTest {
  @TempDir Path root;

  private Path folder() {
    return root.resolve("data");
  }

  private Path repaired() {
    return root.resolve("repaired");
  }

  private List<String> segments() throws IOException {
    return StoreFolder.files(folder()).keySet().stream()
        .filter(name -> StoreFolder.kindOf(name) == Kind.SEGMENT)
        .toList();
  }

  /** Where the frame of a batch lies in the one segment. */
  private long offset(long index) throws IOException {
    return CommandResult.offset(folder(), index);
  }

  private CommandResult repair(String... more) {
    return CommandResult.repair(folder(), repaired(), more);
  }

  /**
   * The messages that a broker finds, with their states, and whether every body is what was sent.
   */
  private Map<Long, String> found(Path in) throws IOException {
    assertThat(CommandResult.by("verify", in).out()).contains("all is well");
    var found = new TreeMap<Long, String>();
    try (var store = StoreFolder.take(in)) {
      var salvage = Salvage.of(store, Progress.of(new PrintWriter(Writer.nullWriter()), "read", 0));
      try (var bodies = new BodySource(store, salvage)) {
        var snapshot = salvage.machine().beginSnapshot();
        for (var part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
          for (var fact : part) {
            if (fact instanceof MessagesRestored messages) {
              note(messages, bodies, found);
            }
          }
        }
        snapshot.end();
      }
    }
    return found;
  }

  private static void note(MessagesRestored messages, BodySource bodies, Map<Long, String> found)
      throws IOException {
    for (var i = 0; i < messages.sequenceNumbers().length; i++) {
      var number = messages.sequenceNumbers()[i];
      var id = messages.bodyIds()[i];
      var expected = DataFolder.bodyOf(number, messages.sizes()[i]);
      if (bodies.isLarge(id)) {
        assertThat(bodies.look(id)).isEqualTo(BodySource.Condition.INTACT);
      } else {
        var actual = new byte[messages.sizes()[i]];
        Objects.requireNonNull(bodies.small(id)).get(actual);
        assertThat(actual).as("message %s", number).isEqualTo(expected);
      }
      var counts = messages.deliveryCounts();
      var deferred = messages.deferred();
      var overlays = messages.overlays();
      found.put(
          number,
          messages.queue().number()
              + (deferred != null && deferred[i] ? " deferred" : "")
              + (counts == null ? "" : " count " + counts[i])
              + (overlays == null || overlays[i] == null ? "" : " changed"));
    }
  }

  @Test
  @Rule({"I-01", "I-05"})
  void withoutDamageEverythingIsInTheNewFolder() throws IOException {
    try (var log = DataFolder.small(folder())) {
      log.sendLarge(1_500_000);
      for (var i = 0; i < 40; i++) {
        log.send(300, 0, 100);
        log.checkpoint();
      }
      log.complete(5, 6).defer(7, 40).deadLetter(8);
    }
    var before = CommandResult.bytesIn(folder());

    var result = repair();

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(found(repaired())).isEqualTo(found(folder())).hasSize(119);
    assertThat(CommandResult.bytesIn(folder())).isEqualTo(before);
    try (var log = DataFolder.small(repaired())) {
      assertThat(log.machine().counts(DataFolder.ORDERS).deadLetters()).isEqualTo(1);
    }
  }

  @Test
  @Rule({"I-11", "I-09"})
  void whatARepairHasBegunAndNotFinishedIsServedByNobody() throws IOException {
    var settings = JournalSettings.in(repaired()).withReserveBytes(0);
    FileJournal.openUnfinished(settings, Runnable::run, "store repair").close(); // and was killed

    assertThatThrownBy(() -> FileJournal.open(settings, Runnable::run))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was not finished")
        .hasMessageContaining("./peeklock store repair, which makes this folder, was not finished");
    for (var command : List.of("verify", "dump")) {
      var result = CommandResult.by(command, repaired());
      assertThat(result.code()).isNotZero();
      assertThat(result.err()).contains("was not finished");
    }
    UnfinishedFolder.finish(repaired());
    FileJournal.open(settings, Runnable::run).close();
  }

  @Test
  @Rule("I-11")
  void aDamagedBatchCostsItsMessagesAndNothingBehindIt() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.send(100).send(100, 100).send(100).complete(4).complete(1);
    }
    // Batch 3 holds messages 2 and 3.
    CommandResult.flip(folder().resolve(segments().get(0)), offset(3L) + 100);

    var plan = repair();
    assertThat(plan.code()).isEqualTo(1);
    assertThat(plan.out())
        .contains("lost      1 batches at least")
        .contains("2 lost with their batch (2-3)", "say --accept-loss");
    assertThat(repaired()).doesNotExist();

    var result = repair("--accept-loss");
    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(found(repaired())).isEmpty();
  }

  /** Nothing becomes durable here. */
  private static final class NoListener implements Log.Listener {
    @Override
    public void durable(long index) {}

    @Override
    public void lostLeadership() {}

    @Override
    public void failed(IOException cause) {}
  }

  @Test
  @Rule({"I-01", "I-11"})
  void aLogThatIsCutAtTheEndOfABatchIsALossForEveryCommand() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.send(100).send(100, 100).send(100).complete(1);
    }
    var last = segments().getLast();
    var cut = offset(4L);
    try (var file = FileChannel.open(folder().resolve(last), StandardOpenOption.WRITE)) {
      file.truncate(cut);
    }

    var settings = JournalSettings.in(folder()).withReserveBytes(0);
    try (var journal = FileJournal.open(settings, Runnable::run)) {
      assertThatThrownBy(
              () -> journal.recover(new Replayer(new Machine(), journal), new NoListener()))
          .hasMessageContaining(last + " is damaged at offset " + cut)
          .hasMessageContaining("5 was durable");
    }
    var verified = CommandResult.by("verify", folder());
    assertThat(verified.code()).isEqualTo(1);
    assertThat(verified.out())
        .contains("DAMAGED   " + last + " at offset " + cut)
        .contains("the log ends at batch 3, and 5 was durable", "would refuse to start");
    assertThat(CommandResult.by("backup", folder(), "--to", root.resolve("backup")).err())
        .contains("would not start");
    var plan = repair();
    assertThat(plan.code()).isEqualTo(1);
    assertThat(plan.out()).contains("lost      2 batches at least", "say --accept-loss");

    assertThat(repair("--accept-loss").code()).isZero();

    assertThat(found(repaired())).containsOnlyKeys(1L, 2L, 3L);
  }

  @Test
  @Rule({"I-01", "I-11"})
  void aSegmentThatIsGoneCostsTheMessagesInItAndTheyAreCounted() throws IOException {
    try (var log = DataFolder.small(folder())) {
      for (var i = 0; i < 30; i++) {
        log.send(300, 200, 100);
        log.checkpoint();
      }
      log.complete(1, 2, 3);
    }
    var all = found(folder());
    Files.delete(folder().resolve(segments().get(1)));
    var last = folder().resolve(segments().getLast());
    Files.write(last, new byte[50], StandardOpenOption.APPEND);
    assertThatThrownBy(() -> DataFolder.small(folder())).hasMessageContaining("is missing");

    var plan = repair();
    assertThat(plan.code()).isEqualTo(1);
    var counted =
        Pattern.compile(
                "orders: (\\d+) kept, (\\d+) lost because their body is damaged or gone \\(")
            .matcher(plan.out());
    assertThat(counted.find()).as(plan.out()).isTrue();
    assertThat(plan.out()).doesNotContain("batches at least", "uncertain");

    assertThat(repair("--accept-loss").code()).isZero();
    var kept = found(repaired());
    assertThat(kept).hasSize(Integer.parseInt(counted.group(1)));
    assertThat(all).containsAllEntriesOf(kept);
    assertThat(all.size() - kept.size()).isEqualTo(Integer.parseInt(counted.group(2))).isPositive();
  }

  @Test
  @Rule({"I-01", "I-11"})
  void aSettlementThatIsLostBringsItsMessageBackAndSaysSo() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.send(100).send(100).complete(1).send(100);
    }
    CommandResult.flip(folder().resolve(segments().get(0)), offset(4L) + 30);

    var result = repair("--accept-loss");

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(found(repaired())).containsOnlyKeys(1L, 2L, 3L);
    assertThat(result.out()).contains("orders: 3 kept, 2 of them uncertain");
  }

  @Test
  @Rule({"I-05", "I-11"})
  void whoIsDoneWithAsADeadLetterStaysGoneAlsoWhereItsMoveIsLost() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.send(100).send(100).deadLetter(1).completeDead(1).send(100);
    }
    CommandResult.flip(folder().resolve(segments().get(0)), offset(4L) + 30);

    var result = repair("--accept-loss");

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(found(repaired())).containsOnlyKeys(2L, 3L);
  }

  private void fillAndDamageTheCheckpoints() throws IOException {
    try (var log = DataFolder.small(folder())) {
      for (var i = 1; i < 60; i++) {
        log.send(900).complete(i);
        log.checkpoint();
      }
      log.send(10);
    }
    for (var name : StoreFolder.files(folder()).keySet()) {
      if (StoreFolder.kindOf(name) == Kind.CHECKPOINT) {
        CommandResult.flip(folder().resolve(name), 40);
      }
    }
  }

  @Test
  @Rule("I-11")
  void whatOnlyDamagedCheckpointsSaidIsLostAndSaidSo() throws IOException {
    fillAndDamageTheCheckpoints();
    assertThat(segments().get(0)).isGreaterThan("0000000000000000001.log");

    var plan = repair();

    assertThat(plan.code()).isEqualTo(1);
    assertThat(plan.out())
        .containsPattern("lost {6}\\d+ batches at least")
        .containsPattern("DAMAGED {3}\\d+\\.checkpoint.*, and the log begins with batch \\d+")
        .doesNotContain("harmless");
    assertThat(repair("--accept-loss").code()).isZero();
    assertThat(found(repaired())).containsOnlyKeys(60L);
  }

  @Test
  @Rule("I-11")
  void aDamagedCheckpointWithoutAnyLogIsALoss() throws IOException {
    fillAndDamageTheCheckpoints();
    for (var name : segments()) {
      Files.delete(folder().resolve(name));
    }
    Files.delete(folder().resolve("highwater"));

    var plan = repair();

    assertThat(plan.code()).as("%s", plan).isEqualTo(1);
    assertThat(plan.out()).containsPattern("DAMAGED {3}\\d+\\.checkpoint").contains("lost  ");
  }

  @Test
  @Rule("I-11")
  void aMessageWithADamagedBodyIsLeftOutAndTheOthersStay() throws IOException {
    try (var log = DataFolder.small(folder())) {
      for (var i = 0; i < 20; i++) {
        log.send(500, 400);
      }
      log.sendLarge(1_100_000).defer(3, 64);
    }
    var first = folder().resolve(segments().get(0));
    CommandResult.flip(first, Files.size(first) - 3);

    var result = repair("--accept-loss");

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).contains("1 lost because their body is damaged or gone (");
    assertThat(found(repaired())).hasSize(40).containsEntry(3L, "1 deferred count 1 changed");
  }

  @Test
  @Rule("I-11")
  void aLargeMessageWhoseFileIsGoneIsLeftOutAndTheOthersStay() throws IOException {
    try (var log = DataFolder.small(folder())) {
      log.send(500, 400).sendLarge(1_100_000).sendLarge(1_200_000);
    }
    var gone = folder();
    for (var name : StoreFolder.files(folder()).keySet()) {
      var file = folder().resolve(name);
      if (StoreFolder.kindOf(name) == Kind.LARGE_BODY && Files.size(file) < 1_150_000) {
        gone = file;
      }
    }
    Files.delete(gone);
    assertThatThrownBy(() -> DataFolder.small(folder())).hasMessageContaining(gone + " is missing");

    var result = repair("--accept-loss");

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains("orders: 3 kept, 1 lost because their body is damaged or gone (3)")
        .doesNotContain("uncertain");
    assertThat(found(repaired())).containsOnlyKeys(1L, 2L, 4L);
    DataFolder.small(repaired()).close();
  }

  @Test
  @Rule("I-11")
  void aLostBlockAtTheBeginningOfAFileCostsOnlyWhatLayInIt() throws IOException {
    try (var log = DataFolder.small(folder())) {
      for (var i = 0; i < 40; i++) {
        log.send(100, 100);
      }
    }
    var second = folder().resolve(segments().get(1));
    var bytes = Files.readAllBytes(second);
    Arrays.fill(bytes, 0, 512, (byte) 0);
    Files.write(second, bytes);

    var result = repair("--accept-loss");

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(found(repaired())).hasSizeBetween(70, 79);
  }

  @Test
  @Rule("I-12")
  void numbersThatMayHaveBeenGivenOutAreNotGivenOutAgain() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.send(100).send(100).send(100);
    }
    CommandResult.flip(folder().resolve(segments().get(0)), offset(4L) + 30);

    assertThat(repair("--accept-loss").code()).isZero();

    try (var store = StoreFolder.take(repaired())) {
      var queues = DataFolder.queuesOf(store.dryRun().machine()).toString();
      assertThat(queues).containsPattern("nextSequenceNumber=10485\\d\\d");
    }
  }

  @Test
  @Rule({"I-01", "I-11"})
  void whateverIsDamagedNothingThatIsIntactIsLost() throws IOException {
    for (var seed = 0; seed < 12; seed++) {
      var luck = new Random(seed);
      var at = root.resolve("seed" + seed);
      try (var log = DataFolder.small(at.resolve("data"))) {
        for (var i = 0; i < 30; i++) {
          log.send(50 + luck.nextInt(500), luck.nextInt(200));
          if (luck.nextInt(3) == 0) {
            log.checkpoint();
          }
        }
      }
      var all = found(at.resolve("data"));
      var names =
          StoreFolder.files(at.resolve("data")).keySet().stream()
              .filter(name -> StoreFolder.kindOf(name) == Kind.SEGMENT)
              .toList();
      var file = at.resolve("data").resolve(names.get(luck.nextInt(names.size())));
      CommandResult.flip(file, luck.nextInt((int) Files.size(file)));

      var result =
          CommandResult.by(
              "repair", at.resolve("data"), "--to", at.resolve("new"), "--accept-loss");

      assertThat(result.code()).as("seed %s %s", seed, result).isZero();
      var kept = found(at.resolve("new"));
      assertThat(all.keySet()).containsAll(kept.keySet());
      // One bit costs at most the batch it is in, of two messages.
      assertThat(kept.size())
          .as("seed %s %s", seed, result.out())
          .isBetween(all.size() - 2, all.size());
    }
  }

  @Test
  void nothingIsWrittenOverWhatIsThere() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.send(1);
    }
    Files.createDirectories(repaired());
    Files.writeString(repaired().resolve("mine"), "x");

    assertThat(repair().err()).contains("is not empty");
    assertThat(Files.readString(repaired().resolve("mine"))).isEqualTo("x");
  }

  @Test
  @Rule("I-11")
  void aFolderOfWhichOnlyTheFormatIsDamagedIsRepairedWhole() throws IOException {
    try (var log = DataFolder.small(folder())) {
      log.send(300, 200, 100).complete(2);
    }
    var all = found(folder());
    Files.writeString(folder().resolve("format"), "peekl");
    assertThat(CommandResult.by("verify", folder()).err())
        .contains("is damaged", "./peeklock store repair");

    var result = repair();

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).contains("DAMAGED   format: is damaged or missing");
    assertThat(found(repaired())).isEqualTo(all);
  }

  @Test
  @Rule("I-11")
  void aFormatThatIsMissingIsToldByAnySegmentAndByNothingElse() throws IOException {
    try (var log = DataFolder.small(folder())) {
      log.send(300, 200, 100);
    }
    Files.delete(folder().resolve("format"));
    for (var name : segments()) {
      Files.write(folder().resolve(name), new byte[64]);
    }

    var result = repair();
    assertThat(result.err()).contains("no head of a segment is intact", "put that file back");
    assertThat(result.err()).as("which is what was tried").doesNotContain("store repair");
    assertThat(repaired()).doesNotExist();
    Files.writeString(folder().resolve("format"), "peekl");
    assertThat(repair().err()).isEqualTo(result.err());
  }
}
