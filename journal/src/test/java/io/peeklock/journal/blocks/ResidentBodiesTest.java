package io.peeklock.journal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What resident bodies take beside themselves is counted and bounded. */
class ResidentBodiesTest {
  private static final int MIB = 1 << 20;

  private final BlockPool pool = new BlockPool(0, 0);
  private final Arena arena =
      new Arena(pool, new StagingBudget(MIB), new MemoryLarges(pool, 0, new StagingBudget(0)));
  private final ResidentBodies resident = new ResidentBodies();

  private void addAlone(long bodyId) {
    arena.begin();
    arena.reserve(10).put(new byte[10]);
    arena.commit();
    var run = (BodyRun) arena.end();
    run.appended(bodyId, bodyId);
    resident.add(run);
  }

  @Test
  @Rule("I-46")
  void bodiesThatCameAloneAreBoundedByWhatTheyTakeOfTheHeap() {
    for (var id = 1; id <= 5_000; id++) {
      addAlone(id);
    }
    assertThat(resident.heapBytes()).isEqualTo(5_000 * ResidentBodies.RUN_BYTES);

    resident.evict(MIB, 4_500);
    assertThat(resident.heapBytes()).isEqualTo(1_024 * ResidentBodies.RUN_BYTES);
    assertThat(resident.find(5_000)).isNotNull();
    assertThat(resident.find(3_976)).isNull();

    resident.died(5_000);
    assertThat(resident.heapBytes()).isEqualTo(1_023 * ResidentBodies.RUN_BYTES);
    resident.evict(0, 4_000);
    assertThat(resident.find(4_001)).as("it is in no file yet").isNotNull();
  }

  @Test
  @Tag("slow")
  @Rule("I-46")
  void aRunTakesNoMoreThanIsCounted() {
    addAlone(0); // what is loaded and pooled for the first run is not the run's
    var before = usedBytes();
    for (var id = 1; id <= 200_000; id++) {
      addAlone(id);
    }

    assertThat((usedBytes() - before) / 200_000).isLessThanOrEqualTo(ResidentBodies.RUN_BYTES);
    assertThat(resident.find(1)).isNotNull();
  }

  @Test
  @Tag("slow")
  @Rule("I-46")
  void smallBodiesOfBatchesAreBoundedByWhatTheyTakeOfTheHeapToo() {
    addBatch(1);
    var before = usedBytes();
    for (var batch = 1; batch <= 200; batch++) {
      addBatch(1 + batch * 4_096L);
    }

    var withBlocks = resident.heapBytes() * 21 / 20; // they are objects too, a few hundred bytes
    assertThat(usedBytes() - before).isLessThanOrEqualTo(withBlocks);
    resident.evict(MIB, Long.MAX_VALUE);
    assertThat(resident.heapBytes()).isBetween(200_000L, 262_144L);
  }

  private void addBatch(long firstBodyId) {
    arena.begin();
    for (var body = 0; body < 4_096; body++) {
      arena.reserve(1).put((byte) 1);
      arena.commit();
    }
    var run = (BodyRun) arena.end();
    run.appended(firstBodyId, firstBodyId);
    resident.add(run);
  }

  private static long usedBytes() {
    for (var i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
