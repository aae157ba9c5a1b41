package io.peeklock.journal.bodies;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.CommitNotifier;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.BodyCheck;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.blocks.StagingBudget;
import io.peeklock.journal.disk.DiskSpace;
import io.peeklock.journal.large.LargeFiles;
import io.peeklock.journal.log.ColdHead;
import io.peeklock.journal.log.SegmentHead;
import io.peeklock.journal.segment.BodyFile;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What one read brings, by where the bodies lie: all that is near in its file, and nothing else.
 */
class ReadPlanTest implements BodyStorage.LoadListener {
  private static final int BODY_BYTES = 100;
  private static final int BODIES = 10;

  /** Lonely: nothing is read ahead of the first miss. */
  private static final long FIRST = 10_001;

  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final JournalSettings with = settings();
  private final BodyStore bodies;
  private final Fetches fetches;
  private final List<Bodies> came = new ArrayList<>();

  ReadPlanTest() {
    var outcome = new CommitNotifier();
    var pool = new BlockPool(4, 0);
    var reads = new ColdReads(disk, executors, pool);
    var space = new DiskSpace(disk, executors, outcome, with);
    var larges =
        new LargeFiles(
            disk,
            executors,
            pool,
            outcome,
            new StagingBudget(0),
            new StagingBudget(0),
            space,
            () -> 1);
    bodies = new BodyStore(with, outcome, reads, larges);
    fetches = new Fetches(bodies, executors.shardExecutor(), reads, with.residentBytes());
  }

  /** The open one from here on. */
  private Segment segment(long number, long firstBodyId) {
    var segment = new Segment(number, firstBodyId, firstBodyId);
    bodies.recovered(segment);
    return segment;
  }

  private ColdSegment cold(int slot) {
    var segment = new ColdSegment(slot + 1, 7, slot);
    bodies.cold().add(segment);
    return segment;
  }

  /** These lie in a file, one behind the other from an offset on. */
  private void lie(BodyFile file, int from, long... ids) {
    var content =
        ByteBuffer.allocate(from + ids.length * (BodyRun.CHECK_BYTES + BODY_BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    var offset = from;
    for (var id : ids) {
      var bytes = Story.bytesOf(id, BODY_BYTES);
      content.putInt(offset, BodyCheck.of(new CRC32C(), id, ByteBuffer.wrap(bytes)));
      content.put(offset + BodyRun.CHECK_BYTES, bytes);
      if (file instanceof ColdSegment cold) {
        bodies.recovered(id, BodyLocations.cold(cold.slot, offset, BODY_BYTES), cold);
      } else {
        bodies.recovered(id, BodyLocations.at(offset, BODY_BYTES), (Segment) file);
      }
      offset += BodyRun.CHECK_BYTES + BODY_BYTES;
    }
    disk.put(file.name, content.array());
  }

  /** So many ids, each so far from the one before. */
  private static long[] ids(long first, int step) {
    return LongStream.range(0, BODIES).map(i -> first + i * step).toArray();
  }

  private @Nullable Bodies fetch(long... ids) {
    return fetches.fetch(ids, this);
  }

  private static void check(Bodies come, long... ids) {
    for (var i = 0; i < ids.length; i++) {
      var bytes = new byte[come.length(i)];
      come.buffer(i).get(come.offset(i), bytes);
      assertThat(bytes).isEqualTo(Story.bytesOf(ids[i], BODY_BYTES));
    }
    come.release();
  }

  /** These come with one read. */
  private void checkOneRead(long... ids) {
    var before = disk.reads();
    assertThat(fetch(ids)).isNull();
    executors.settle();
    check(came.remove(0), ids);
    assertThat(disk.reads() - before).isEqualTo(1);
  }

  @Test
  void theNeighboursInAColdSegmentComeAlthoughThoseBetweenLieInAnother() throws IOException {
    var these = ids(FIRST, 2);
    lie(cold(0), ColdHead.BYTES, these);
    lie(cold(1), 5_000, ids(FIRST + 1, 2));

    checkOneRead(these);
  }

  @Test
  void theNeighboursInASegmentComeAlthoughThoseBetweenWereMoved() throws IOException {
    var these = ids(FIRST, 2);
    lie(segment(1, FIRST), SegmentHead.BYTES, these);
    lie(cold(0), 5_000, ids(FIRST + 1, 2));

    checkOneRead(these);
  }

  @Test
  void theNeighboursOfAMovedOneComeAlthoughThoseBetweenStayed() throws IOException {
    var these = ids(FIRST, 2);
    lie(segment(1, FIRST), 5_000, ids(FIRST + 1, 2));
    lie(cold(0), ColdHead.BYTES, these);

    checkOneRead(these);
  }

  @Test
  void whoDrainsABacklogIsReadAheadForAcrossTheEndOfASegment() throws IOException {
    var first = ids(FIRST, 1);
    var second = ids(FIRST + BODIES, 1);
    var third = ids(FIRST + 2 * BODIES, 1);
    lie(segment(1, first[0]), 1_000, first);
    lie(segment(2, second[0]), 5_000, second);
    lie(segment(3, third[0]), 9_000, third);

    checkOneRead(first);
    fetch(second);
    executors.settle();
    check(came.remove(0), second);

    check(Objects.requireNonNull(fetch(third), "nothing was read ahead"), third);
  }

  @Override
  public void loaded(Bodies come) {
    came.add(come);
  }

  @Override
  public void unreadable(long bodyId, IOException cause) {
    throw new AssertionError("body " + bodyId, cause);
  }
}
