package io.peeklock.journal.file;

import static io.peeklock.journal.file.FileJournalContractTest.open;
import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.large.LargeFormat;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.meter.BudgetUse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Bodies in files of their own: how they come, survive, are bounded and go. */
class LargeFilesTest {
  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Story story = new Story();

  private void start(JournalSettings settings) throws IOException {
    story.on(open(settings, disk, executors));
  }

  private void restart(JournalSettings settings) throws IOException {
    story.journal().close();
    start(settings);
    story.releaseDeadBodies();
    executors.settle();
  }

  private List<String> largeFiles() {
    return disk.list(LargeFormat.FOLDER);
  }

  @Test
  @Rule("I-01")
  void largeBodiesSurviveAndOrphansAreRemoved() throws IOException {
    start(settings());
    story.sendLarge(stageLarge(3_000_000));
    stageLarge(2_000_000);
    var unfinished = story.arena().openLarge(5_000_000);
    unfinished.write(ByteBuffer.allocate(600_000));
    executors.settle();
    assertThat(largeFiles()).hasSize(3);

    restart(settings());

    assertThat(largeFiles()).hasSize(1);
    var bodies = Objects.requireNonNull(story.fetch(List.of(1L)));
    assertThat(Objects.requireNonNull(bodies.large(0)).length()).isEqualTo(3_000_000);
    story.complete(1);
    executors.settle();
    assertThat(largeFiles()).as("pinned").hasSize(1);
    Objects.requireNonNull(bodies.large(0)).release();
    executors.settle();
    assertThat(largeFiles()).isEmpty();
  }

  private Throwable refused(Consumer<SimDisk> harm) throws IOException {
    var harmed = disk.copy();
    harm.accept(harmed);
    harmed.syncFolder(LargeFormat.FOLDER);
    var again = story.copy();
    var names = harmed.names();
    var refusal = catchThrowable(() -> again.on(open(settings(), harmed, new SimExecutors())));
    assertThat(harmed.names()).as("nothing was changed").isEqualTo(names);
    return refusal;
  }

  @Test
  @Rule("I-11")
  void theFileOfALivingBodyIsMissedAtTheStartAndNothingIsChanged() throws IOException {
    start(settings());
    story.sendLarge(stageLarge(600_000));
    story.sendLarge(stageLarge(700_000));
    stageLarge(800_000);
    story.journal().close();
    var names = new ArrayList<>(largeFiles());
    names.removeIf(name -> disk.content(LargeFormat.FOLDER + "/" + name).length > 750_000);
    assertThat(names).hasSize(2);

    for (var name : names) {
      var file = LargeFormat.FOLDER + "/" + name;
      assertThat(refused(less -> delete(less, file)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file + " is missing, and it is the body of a message. Nothing was")
          .hasMessageContaining("./peeklock store repair");
      var bytes = disk.content(file);
      var shorter = Arrays.copyOf(bytes, bytes.length - 1);
      assertThat(refused(less -> less.put(file, shorter)))
          .hasMessageContaining(
              file + " has " + shorter.length + " bytes instead of " + bytes.length + ", and it");
    }
    assertThat(
            refused(less -> names.forEach(name -> delete(less, LargeFormat.FOLDER + "/" + name))))
        .hasMessageContaining("; 1 more files of large messages are not whole. Nothing");
    start(settings());
  }

  private static void delete(SimDisk from, String name) {
    try {
      from.delete(name);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** What died in the log behind has no file any more, or still has it. */
  @Test
  @Rule({"I-01", "I-11"})
  void theFileOfADeadBodyIsNotMissed() throws IOException {
    start(settings());
    story.sendLarge(stageLarge(600_000));
    story.sendLarge(stageLarge(700_000));
    story.complete(1);
    executors.settle();
    assertThat(largeFiles()).hasSize(1);

    restart(settings());

    assertThat(largeFiles()).hasSize(1);
  }

  @Test
  @Rule("I-11")
  void everyDamagedByteOfALargeBodyIsNoticed() throws IOException {
    start(settings());
    story.sendLarge(stageLarge(600_000));
    executors.settle();
    var name = LargeFormat.FOLDER + "/" + largeFiles().get(0);
    var good = disk.content(name);
    for (var at : new int[] {0, 262_143, 262_144, 599_999, 600_000, good.length - 1}) {
      var bad = good.clone();
      bad[at] ^= 1;
      disk.put(name, bad);
      restart(settings());
      var large = Objects.requireNonNull(Objects.requireNonNull(story.fetch(List.of(1L))).large(0));
      var failures = new ArrayList<String>();
      for (var from = 0L; from < 600_000; from += 262_144) {
        large.read(from, 262_144, Story.endpoint(), listener(failures));
      }
      executors.settle();

      assertThat(failures).as("byte %s", at).isNotEmpty();
      assertThat(failures.get(0)).contains("/sim/" + name).contains("offset");
      large.release();
    }
  }

  private static LargeBody.PieceListener listener(List<String> failures) {
    return new LargeBody.PieceListener() {
      @Override
      public void piece(ByteBuffer bytes) {
        assertThat(bytes.hasRemaining()).isTrue();
      }

      @Override
      public void failed(Throwable cause) {
        failures.add(String.valueOf(cause.getMessage()));
      }
    };
  }

  private LargeBody.Staged stageLarge(int size) {
    var writer = story.arena().openLarge(size);
    writer.write(ByteBuffer.wrap(Story.bytesOf(story.nextBodyId, size)));
    var stored = new ArrayList<LargeBody.Staged>();
    writer.finish(Story.endpoint(), stored::add);
    executors.settle();
    return Objects.requireNonNull(stored.get(0));
  }

  @Test
  void aLargeBodySaysWhenToStopAndWhenToGoOn() throws IOException {
    start(settings());
    var writer = story.arena().openLarge(10_000_000);
    var room = new ArrayList<String>();
    writer.whenRoom(Story.endpoint(), () -> room.add("room"));

    writer.write(ByteBuffer.allocate(1_500_000));
    assertThat(writer.backlogBytes()).isGreaterThan(1 << 20);
    assertThat(room).isEmpty();
    executors.settle();

    assertThat(room).hasSize(1);
    assertThat(writer.backlogBytes()).isLessThan(1 << 20);
    writer.abort();
    executors.settle();
    assertThat(largeFiles()).isEmpty();
  }

  /** What was amended is read back first: a checksum over damaged bytes would hide the damage. */
  @Test
  @Rule("I-11")
  void damageBeforeAnAmendmentIsNoticed() throws IOException {
    start(settings());
    var writer = story.arena().openLarge(1_000_000);
    writer.write(ByteBuffer.allocate(600_000));
    executors.settle();
    var name = LargeFormat.FOLDER + "/" + largeFiles().get(0);
    var bad = disk.content(name);
    bad[77] ^= 1;
    disk.overwrite(name, bad);

    writer.amend(4, ByteBuffer.allocate(4));
    executors.settle();

    assertThat(story.failures).hasSize(1);
    assertThat(story.failures.get(0)).hasMessageContaining(name).hasMessageContaining("offset 0");
  }

  @Test
  void aLargeBodyThatCannotBeAmendedEndsTheJournal() throws IOException {
    start(settings());
    var writer = story.arena().openLarge(1_000_000);
    writer.write(ByteBuffer.allocate(600_000));
    executors.settle();
    disk.failFrom(disk.changes() + 1, "EIO");

    writer.amend(4, ByteBuffer.allocate(4));
    writer.amend(4, ByteBuffer.allocate(4));
    var stored = new ArrayList<LargeBody.Staged>();
    writer.finish(Story.endpoint(), stored::add);
    executors.settle();

    assertThat(story.failures).hasSize(1);
    assertThat(stored).containsOnlyNulls();
  }

  @Test
  @Rule("I-08")
  void largeBodiesInFlightAreBounded() throws IOException {
    start(settings().withLargeStagedBytes(3_000_000));
    assertThat(story.arena().mostLargeBytes()).isEqualTo(3_000_000);
    var first = stageLarge(2_000_000);
    var refused = story.arena().openLarge(2_000_000);
    refused.write(ByteBuffer.allocate(2_000_000));
    var stored = new ArrayList<LargeBody.Staged>();
    refused.finish(Story.endpoint(), stored::add);
    executors.settle();

    assertThat(stored).hasSize(1).containsOnlyNulls();
    assertThat(largeFiles()).hasSize(1);
    story.sendLarge(first);
    stageLarge(2_500_000).release();
    executors.settle();
    assertThat(largeFiles()).hasSize(1);
  }

  private BudgetUse pieces() {
    return story.journal().budgets().stream()
        .filter(use -> use.name().equals("large_pieces"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @Rule("I-08")
  void piecesOfLargeBodiesAreBoundedWholeFromTheirFirstByte() throws IOException {
    start(settings().withLargePieceBytes(1 << 20));
    var writers = new ArrayList<LargeBody.Writer>();
    for (var i = 0; i < 200; i++) {
      var writer = story.arena().openLarge(2_000_000);
      writer.write(ByteBuffer.allocate(1));
      writers.add(writer);
    }

    assertThat(writers.stream().filter(LargeBody.Writer::isRefused)).hasSize(200 - 64);
    assertThat(pieces().taken()).isEqualTo(1 << 20);
    assertThat(pieces().refused()).isEqualTo(200 - 64);

    writers.forEach(LargeBody.Writer::abort);
    executors.settle();
    assertThat(pieces().taken()).isZero();
    stageLarge(2_000_000 / 2).release();
    executors.settle();
    assertThat(pieces().taken()).isZero();
    assertThat(largeFiles()).isEmpty();
  }

  @Test
  @Rule("I-08")
  void whereMemoryForPiecesIsScarceEachIsWrittenBeforeTheNextComes() throws IOException {
    start(settings().withLargePieceBytes(1 << 20));
    var others = story.arena().openLarge(2_000_000);
    others.write(ByteBuffer.allocate(262_143));
    var writer = story.arena().openLarge(2_000_000);
    var room = new ArrayList<String>();
    writer.whenRoom(Story.endpoint(), () -> room.add("room"));

    writer.write(ByteBuffer.allocate(262_144));
    assertThat(writer.backlogBytes()).isLessThan(1 << 20);
    writer.write(ByteBuffer.allocate(262_144));
    assertThat(writer.backlogBytes()).isGreaterThan(1 << 20);
    assertThat(writer.isRefused()).isFalse();
    executors.settle();

    assertThat(room).hasSize(1);
    assertThat(writer.backlogBytes()).isZero();
    writer.abort();
    others.abort();
    executors.settle();
    assertThat(pieces().taken()).isZero();
  }
}
