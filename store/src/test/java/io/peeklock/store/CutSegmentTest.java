package io.peeklock.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import io.peeklock.journal.scan.LoggedBatch;
import io.peeklock.journal.scan.SegmentScan;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A segment that was cut between two batches is intact in itself; what is around it knows more. */
class CutSegmentTest {
  @TempDir Path root;
  private Path folder = Path.of("");

  @BeforeEach
  void write() throws IOException {
    folder = root.resolve("data");
    try (var log = DataFolder.small(folder)) {
      for (var i = 0; i < 30; i++) {
        log.send(300, 200, 100);
        log.checkpoint();
      }
    }
  }

  private List<String> segments() throws IOException {
    try (var store = StoreFolder.take(folder)) {
      return store.names(Kind.SEGMENT);
    }
  }

  /** Where its batches begin, but for the first. */
  private List<Long> cuts(String segment) throws IOException {
    var cuts = new ArrayList<Long>();
    try (var store = StoreFolder.take(folder);
        var scan = store.segment(segment)) {
      scan.run(
          false,
          new SegmentScan.Visitor() {
            @Override
            public void batch(LoggedBatch batch) {
              cuts.add(batch.offset());
            }

            @Override
            public void watermark(long offset, long index) {}

            @Override
            public void damage(long offset, long bytes, String what) {
              throw new AssertionError(what);
            }
          },
          bytes -> {});
    }
    return cuts.subList(1, cuts.size());
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  @Test
  @Rule("I-11")
  void anOlderOneThatEndsTooEarlyIsDamageAndIsNotBackedUp() throws IOException {
    var backup = root.resolve("backup");
    assertThat(CommandResult.by("backup", folder, "--to", backup).code()).isZero();
    var all = segments();
    assertThat(all).hasSizeGreaterThan(3);
    for (var i = 0; i < all.size() - 1; i++) {
      var whole = Files.readAllBytes(file(all.get(i)));
      for (var cut : cuts(all.get(i))) {
        Files.delete(file(all.get(i))); // the backup has a link to it
        Files.write(file(all.get(i)), Arrays.copyOf(whole, (int) (long) cut));
        var before = CommandResult.bytesIn(folder);
        var kept = CommandResult.bytesIn(backup);

        var result = CommandResult.by("verify", folder);
        var again = CommandResult.by("backup", folder, "--to", backup);

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out())
            .containsPattern(
                "DAMAGED   "
                    + all.get(i)
                    + " at offset "
                    + cut
                    + ": ends with batch \\d+, and "
                    + all.get(i + 1)
                    + " was begun after batch \\d+; a part of the log is missing")
            .contains("a broker would refuse to start");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).contains("would not start", "The backup before it is untouched");
        assertThat(CommandResult.bytesIn(folder)).isEqualTo(before);
        assertThat(CommandResult.bytesIn(backup)).containsAllEntriesOf(kept);
        assertThat(CommandResult.by("restore", backup, "--to", root.resolve(i + "-" + cut)).code())
            .isZero();
      }
      Files.write(file(all.get(i)), whole);
    }
    assertThat(CommandResult.by("verify", folder).out()).contains("all is well");
  }

  /** A start does not read it, so it would start; but the backup knows how it was. */
  @Test
  @Rule("I-11")
  void aBodyThatIsDamagedNeverTakesThePlaceOfTheIntactOneInABackup() throws IOException {
    try (var log = DataFolder.small(folder)) {
      log.moveAllBut(10).sendLarge(1_200_000);
      for (var i = 0; i < 20; i++) {
        log.send(900);
      }
    }
    var backup = root.resolve("backup");
    assertThat(CommandResult.by("backup", folder, "--to", backup).code()).isZero();
    var names = StoreFolder.files(folder).keySet();
    var segments = segments();
    var kinds = new ArrayList<Kind>();
    for (var name : names) {
      var kind = StoreFolder.kindOf(name);
      var isSealed = kind != Kind.SEGMENT || segments.indexOf(name) < segments.size() - 2;
      if (isSealed && List.of(Kind.SEGMENT, Kind.COLD, Kind.LARGE_BODY).contains(kind)) {
        var whole = Files.readAllBytes(file(name));
        Files.delete(file(name)); // the backup has a link to it
        Files.write(file(name), whole);
        CommandResult.flip(file(name), whole.length / 2);
        var kept = CommandResult.bytesIn(backup);

        var result = CommandResult.by("backup", folder, "--to", backup);

        assertThat(result.code()).as(name).isEqualTo(1);
        assertThat(result.err()).contains(file(name).toString());
        assertThat(CommandResult.bytesIn(backup)).containsAllEntriesOf(kept);
        Files.write(file(name), whole);
        kinds.add(kind);
      }
    }
    assertThat(kinds).contains(Kind.SEGMENT, Kind.COLD, Kind.LARGE_BODY);
    assertThat(CommandResult.by("backup", folder, "--to", backup).code()).isZero();
  }

  @Test
  @Rule({"I-01", "I-11"})
  void repairSaysWhichMessagesItLoses() throws IOException {
    var name = segments().get(1);
    var cuts = cuts(name);
    Files.write(
        file(name), Arrays.copyOf(Files.readAllBytes(file(name)), (int) (long) cuts.getLast()));

    var plan = CommandResult.by("repair", folder, "--to", root.resolve("new"));
    var done = CommandResult.by("repair", folder, "--to", root.resolve("new"), "--accept-loss");

    assertThat(plan.code()).isEqualTo(1);
    assertThat(plan.out()).contains("LOSS      orders: 87 kept").contains("3 lost");
    assertThat(done.code()).isZero();
    assertThat(CommandResult.by("verify", root.resolve("new")).out())
        .contains("87 active", "all is well");
  }
}
