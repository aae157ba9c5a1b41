package io.peeklock.journal.file;

import static io.peeklock.journal.file.FileJournalContractTest.open;
import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.large.LargeFormat;
import io.peeklock.journal.log.Frame;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.LargeBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Segments, restarts, cold bodies, limits: what only the log on files does. */
class FileJournalTest {
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

  private long segmentsOnDisk() {
    return disk.names().stream().filter(Segment::isName).count();
  }

  private List<String> largeFiles() {
    return disk.list(LargeFormat.FOLDER);
  }

  private static int[] times(int count, int size) {
    var sizes = new int[count];
    Arrays.fill(sizes, size);
    return sizes;
  }

  private void checkAllLive() {
    var live = story.live();
    story.loaded.clear();
    var bodies = story.fetch(live);
    executors.settle();
    story.check(bodies == null ? story.loaded.get(0) : bodies, live);
  }

  @Test
  @Rule({"I-01", "S-001", "S-004"})
  void whatWasToldDurableIsThereAfterARestart() throws IOException {
    start(settings());
    story.send(10, 2_000);
    story.send(300_000);
    story.complete(1);
    executors.settle();

    restart(settings());

    story.checkReplay(3);
    assertThat(story.replayed).containsExactly(1L, 2L, 3L);
    assertThat(story.term).isEqualTo(2);
    checkAllLive();
  }

  @Test
  void batchesThatWaitGoInOneGroupWithOneSync() throws IOException {
    start(settings());
    story.send(10);
    executors.settle();
    var before = disk.changes();

    for (var i = 0; i < 100; i++) {
      story.send(10);
    }
    executors.settle();

    assertThat(story.durable).isEqualTo(101);
    assertThat(disk.changes() - before).as("one write, one sync, the mark").isEqualTo(3);
  }

  @Test
  void aRestartedLogGoesOnInItsSegment() throws IOException {
    start(settings());
    for (var round = 0; round < 4; round++) {
      story.send(100, 100);
      executors.settle();
      restart(settings());
    }

    assertThat(segmentsOnDisk()).isEqualTo(1);
    assertThat(story.replayed).hasSize(4);
    checkAllLive();
  }

  @Test
  void aFullSegmentIsFollowedByAnother() throws IOException {
    var small = settings().withSegmentBytes(10_000);
    start(small);
    for (var i = 0; i < 50; i++) {
      story.send(1_000);
      executors.settle();
    }

    assertThat(segmentsOnDisk()).isBetween(5L, 6L);
    restart(small);
    story.checkReplay(50);
    checkAllLive();
  }

  @Test
  @Rule("I-01")
  void withoutCheckpointsTheLogStaysFromItsFirstBatchOn() throws IOException {
    var small = settings().withSegmentBytes(5_000);
    start(small);
    for (var i = 0; i < 30; i++) {
      story.send(1_000);
      executors.settle();
    }
    var before = segmentsOnDisk();

    story.complete(story.live().stream().mapToLong(id -> id).toArray());
    executors.settle();
    executors.pass();

    assertThat(segmentsOnDisk()).isGreaterThanOrEqualTo(before).isGreaterThan(4);
    restart(small);
    story.checkReplay(31);
    executors.pass();
    assertThat(segmentsOnDisk()).isGreaterThanOrEqualTo(before);
  }

  @Test
  @Rule("I-11")
  void withoutItsFirstSegmentTheStartIsRefused() throws IOException {
    var small = settings().withSegmentBytes(5_000);
    start(small);
    for (var i = 0; i < 30; i++) {
      story.send(1_000);
      executors.settle();
    }
    story.journal().close();
    disk.delete(Segment.nameOf(1));
    var before = disk.names();

    assertThatThrownBy(() -> start(small))
        .hasMessageContaining("the log begins here, but the beginning is missing");
    assertThat(disk.names()).isEqualTo(before);
  }

  @Test
  void whatAReplayFindsDeadIsRemovedToo() throws IOException {
    start(settings());
    story.sendLarge(stageLarge(2_000_000));
    executors.settle();
    var stay = disk.copy();
    story.complete(1);
    executors.settle();
    assertThat(largeFiles()).isEmpty();

    // The same removal, found by a replay: the file is back, as after a crash before the unlink.
    for (var name : stay.list(LargeFormat.FOLDER)) {
      disk.put(LargeFormat.FOLDER + "/" + name, stay.content(LargeFormat.FOLDER + "/" + name));
    }
    restart(settings());
    assertThat(largeFiles()).isEmpty();
  }

  @Test
  void aBacklogIsReadInLargePieces() throws IOException {
    var little = settings().withResidentBytes(2 * BlockPool.BLOCK_BYTES);
    start(little);
    for (var i = 0; i < 40; i++) {
      story.send(times(100, 1_000));
      executors.settle();
    }
    var readsBefore = disk.reads();

    for (var first = 1L; first <= 4_000; first += 50) {
      var ids = LongStream.range(first, first + 50).boxed().toList();
      story.loaded.clear();
      var bodies = story.fetch(ids);
      executors.settle();
      story.check(bodies == null ? story.loaded.get(0) : bodies, ids);
    }

    assertThat(disk.reads() - readsBefore).isLessThan(4_000 / 200);
  }

  @Test
  void fetchesThatWaitTogetherAreAllAnswered() throws IOException {
    start(settings().withResidentBytes(0));
    for (var i = 0; i < 20; i++) {
      story.send(times(100, 1_000));
      executors.settle();
    }

    var wanted = new ArrayList<List<Long>>();
    for (var first = 1L; first < 1_500; first += 37) {
      var ids = List.of(first, first + 400, first + 1, first + 300);
      wanted.add(ids);
      assertThat(story.fetch(ids)).isNull();
    }
    story.complete(LongStream.rangeClosed(1, 2_000).toArray());
    executors.settle();

    assertThat(story.loaded).hasSize(wanted.size());
    for (var i = 0; i < wanted.size(); i++) {
      story.check(story.loaded.get(i), wanted.get(i));
    }
  }

  /** As receive-and-delete asks: what it takes is dead before the rest of it is read. */
  @Test
  void whatIsAskedForBeforeItIsDurableComesAlthoughItDiesMeanwhile() throws IOException {
    start(settings().withResidentBytes(0));
    story.send(500);
    executors.settle();
    var large = stageLarge(1_200_000);
    story.send(600, 700);
    story.sendLarge(large);
    story.send(800);
    var ids = List.of(1L, 2L, 3L, 4L, 5L);
    assertThat(story.fetch(ids)).as("the first is in its file only").isNull();

    story.complete(1, 2, 3, 4);
    executors.settleWithoutReads();
    assertThat(story.durable).isEqualTo(story.lastIndex);
    executors.settle();

    assertThat(story.unreadable).isEmpty();
    var come = story.loaded.get(0);
    assertThat(largeFiles()).as("the reader has it").hasSize(1);
    Objects.requireNonNull(come.large(3)).release();
    story.check(come, ids);
    executors.settle();
    assertThat(largeFiles()).isEmpty();
  }

  @Test
  @Rule("I-11")
  void aDamagedBodyIsNeverServedAndItsPlaceIsNamed() throws IOException {
    start(settings().withResidentBytes(0).withSegmentBytes(2_000));
    for (var i = 0; i < 10; i++) {
      story.send(500, 500);
      executors.settle();
    }
    var name = Segment.nameOf(1);
    var bytes = disk.content(name);
    var at = indexOf(bytes, Story.bytesOf(2, 500));
    bytes[at + 77] ^= 0x10;
    disk.put(name, bytes);
    story.journal().close();
    start(settings().withResidentBytes(0).withSegmentBytes(2_000));

    story.fetch(List.of(1L, 2L));
    story.fetch(List.of(1L, 3L, 20L));
    executors.settle();

    assertThat(story.unreadable).hasSize(1);
    assertThat(story.unreadable.get(0))
        .startsWith("2: ")
        .contains("/sim/" + name)
        .contains("offset " + (at - 4))
        .contains("checksum");
    story.check(story.loaded.get(0), List.of(1L, 3L, 20L));
    assertThat(story.failures).as("the log goes on").isEmpty();
  }

  private static int indexOf(byte[] in, byte[] what) {
    for (var i = 0; i + what.length <= in.length; i++) {
      if (Arrays.equals(in, i, i + what.length, what, 0, what.length)) {
        return i;
      }
    }
    throw new AssertionError("not there");
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
  @Rule("I-10")
  void afterAFailedSyncTheDiskIsLeftAlone() throws IOException {
    start(settings());
    story.send(10);
    executors.settle();
    disk.failOnce(disk.changes() + 2, "EIO");
    story.send(10);
    executors.settle();
    assertThat(story.failures).hasSize(1);
    var before = disk.changes();

    story.send(10);
    executors.settle();
    executors.pass();
    story.journal().close();

    assertThat(disk.changes()).isEqualTo(before);
    assertThat(story.durable).isEqualTo(1);
  }

  @Test
  @Rule("I-10")
  void theBodiesOfABatchBehindAFailureAreGivenBackAndUnreadable() throws IOException {
    start(settings());
    story.send(10);
    executors.settle();
    disk.failOnce(disk.changes() + 2, "EIO");
    story.send(10);
    executors.settle();
    var late = story.stage(times(70, 1_000_000));
    assertThat(story.arena().hasRoom()).isFalse();

    story.append(List.of(late), times(70, 1_000_000), new long[0]);
    story.fetch(List.of(3L));
    executors.settle();

    assertThat(story.arena().hasRoom()).isTrue();
    assertThat(story.unreadable).hasSize(1);
    assertThat(story.durable).isEqualTo(1);
  }

  @Test
  void stagedBytesAreBoundedForAllArenasTogether() throws IOException {
    start(settings());
    var staged = story.stage(times(70, 1_000_000));
    var other = story.journal().newArena();
    assertThat(other.hasRoom()).isFalse();

    staged.release();
    assertThat(other.hasRoom()).isTrue();
    story.send(times(70, 1_000_000));
    assertThat(other.hasRoom()).isTrue();
    assertThat(story.journal().backlogBytes()).isGreaterThan(70_000_000);
    executors.settle();
    assertThat(story.journal().backlogBytes()).isZero();
  }

  @Test
  void aSecondJournalOnTheFolderIsRefused() throws IOException {
    start(settings());

    assertThatThrownBy(() -> open(settings(), disk, new SimExecutors()))
        .hasMessageContaining("in use");
    story.journal().close();
    start(settings());
  }

  @Test
  void aNewerOrDamagedFormatIsRefused() throws IOException {
    start(settings());
    story.send(10);
    story.journal().close();

    disk.put("format", "peeklock journal format 2\n".getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> open(settings(), disk, executors))
        .hasMessageContaining("format 2")
        .hasMessageContaining("newer version");
    disk.put("format", "peekl".getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> open(settings(), disk, executors)).hasMessageContaining("damaged");
    disk.delete("format");
    assertThatThrownBy(() -> open(settings(), disk, executors)).hasMessageContaining("missing");
  }

  @Test
  void closingWritesTheWatermarkAndIdlingDoesItOnce() throws IOException {
    start(settings());
    story.send(10);
    executors.settle();
    var size = disk.content(Segment.nameOf(1)).length;

    executors.pass();
    assertThat(disk.content(Segment.nameOf(1))).hasSize(size + Frame.BYTES + Frame.CHECK_BYTES);
    executors.pass();
    executors.pass();
    story.journal().close();

    assertThat(disk.content(Segment.nameOf(1))).hasSize(size + Frame.BYTES + Frame.CHECK_BYTES);
  }
}
