package io.peeklock.journal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.blocks.Arena;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.blocks.MemoryLarges;
import io.peeklock.journal.blocks.ResidentBodies;
import io.peeklock.journal.blocks.StagingBudget;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.LargeBody;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What moves in memory, and what does not. */
class MemoryCompactionTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  private final BlockPool pool = new BlockPool(0, 0, this::memory);
  private final StagingBudget budget = new StagingBudget(64L * MIB);
  private final MemoryLarges larges = new MemoryLarges(pool, 1L << 30, budget);
  private final ResidentBodies resident = new ResidentBodies();
  private final Arena fast = new Arena(pool, budget, larges);
  private final Arena slow = new Arena(pool, budget, larges);
  private long nextId = 1;
  private boolean full;

  private ByteBuffer memory(int bytes) {
    if (full) {
      throw new OutOfMemoryError("no direct memory, on purpose");
    }
    return ByteBuffer.allocate(bytes);
  }

  private Compaction compaction(long boundBytes) {
    return new Compaction(resident, pool, new Arena(pool, budget, larges), boundBytes);
  }

  private BodyRun stage(Arena arena, int bodies, int bytes) {
    arena.begin();
    for (var i = 0; i < bodies; i++) {
      arena.reserve(bytes).put(new byte[bytes]);
      arena.commit();
    }
    return (BodyRun) arena.end();
  }

  private BodyRun add(BodyRun run) {
    run.appended(nextId, nextId);
    nextId += run.count();
    resident.add(run);
    return run;
  }

  /** Dead before anything else is looked at. */
  private void letSomethingDie() {
    var run = add(stage(fast, 100, 4 * KIB));
    killFrom(run, 0);
  }

  private void killFrom(BodyRun run, int place) {
    var first = run.firstBodyId();
    for (var i = place; i < run.count(); i++) {
      resident.died(first + i);
    }
  }

  private static int stepsOf(Compaction compaction) {
    var steps = 1;
    for (; compaction.step(); steps++) {
      assertThat(steps).isLessThan(1_000);
    }
    return steps;
  }

  @Test
  @Rule("I-46")
  void denseBodiesStayWhereABlockIsNearlyEmpty() {
    letSomethingDie();
    slow.begin();
    slow.reserve(1).put((byte) 1);
    slow.commit();
    slow.drop(); // the block begins here
    var begun = add(stage(slow, 64, 4 * KIB)); // one of which lies in a block that is begun
    var left = add(stage(fast, 64, 4 * KIB));
    var next = add(stage(fast, 1, 255 * KIB)); // which the one before has left nearly empty

    stepsOf(compaction(MIB));

    assertThat(List.of(begun.resident, left.resident, next.resident)).containsOnly(true);
  }

  @Test
  @Rule("I-46")
  void aRunThatIsDenseInSumStaysAlsoWhereABlockOfItIsNearlyEmpty() {
    letSomethingDie();
    var both = List.of(stage(fast, 60, 4 * KIB), stage(slow, 1, 4 * KIB));
    var run = add(BodyRun.joined(both, 61));
    killFrom(add(stage(slow, 63, 4 * KIB)), 0); // so nothing else lives in the block of the last
    add(stage(fast, 1, 255 * KIB));

    stepsOf(compaction(MIB));

    assertThat(run.resident).isTrue();
  }

  @Test
  @Rule("I-46")
  void aDenseBlockDoesNotKeepTheEmptyOnesThatItsRunsHaveToo() {
    var runs = new ArrayList<BodyRun>();
    for (var i = 0; i < 40; i++) {
      var both = List.of(stage(fast, 60, 4 * KIB), stage(slow, 1, 4 * KIB));
      runs.add(add(BodyRun.joined(both, 61)));
    }
    for (var run : runs) {
      var first = run.firstBodyId();
      for (var id = first + 1; id < first + 60; id++) {
        resident.died(id);
      }
    }
    assertThat(resident.bytes()).isGreaterThan(40L * 240 * KIB);

    stepsOf(compaction(64L * MIB));

    assertThat(resident.bytes()).isLessThan(4L * resident.liveBytes() + MIB);
  }

  @Test
  @Rule("I-46")
  void whereThereIsNoMemoryToMoveToAllStaysAndItIsTriedAgainWhenMoreHasDied() {
    var runs = new ArrayList<BodyRun>();
    for (var i = 0; i < 40; i++) {
      runs.add(add(stage(fast, 64, 4 * KIB)));
      killFrom(runs.get(i), 1);
    }
    var compaction = compaction(64L * MIB);
    var stagedBefore = budget.stagedBytes();

    full = true;
    assertThat(compaction.step()).isFalse();
    assertThat(runs).allMatch(run -> run.resident);
    assertThat(budget.stagedBytes()).isEqualTo(stagedBefore);
    full = false;
    assertThat(compaction.step()).as("before more has died").isFalse();
    var next = add(stage(fast, 64 * 4, 4 * KIB));
    killFrom(next, 0);
    stepsOf(compaction);

    assertThat(resident.bytes()).isLessThan(4L * resident.liveBytes() + 4 * MIB);
    assertThat(runs).noneMatch(run -> run.resident);
  }

  @Test
  @Rule("I-46")
  void largeBodiesDoNotMoveAndSoDoNotCount() {
    var runs = new ArrayList<BodyRun>();
    for (var i = 0; i < 20; i++) {
      fast.begin();
      for (var body = 0; body < 62; body++) {
        fast.reserve(4 * KIB).put(new byte[4 * KIB]);
        fast.commit();
      }
      fast.commit(large());
      runs.add(add((BodyRun) fast.end()));
    }
    for (var run : runs) {
      for (var id = run.firstBodyId() + 1; id < run.firstBodyId() + 62; id++) {
        resident.died(id);
      }
    }

    compaction(8L * MIB).step();

    assertThat(resident.bytes()).isLessThanOrEqualTo(2L * BlockPool.BLOCK_BYTES);
    for (var run : runs) {
      var moved = Objects.requireNonNull(resident.find(run.firstBodyId() + 62));
      assertThat(moved.large(moved.placeOf(run.firstBodyId() + 62)).length()).isEqualTo(MIB);
    }
  }

  private LargeBody.Staged large() {
    var writer = fast.openLarge(MIB);
    writer.write(ByteBuffer.allocate(MIB));
    var stored = new ArrayList<LargeBody.Staged>();
    writer.finish(Story.endpoint(), stored::add);
    return Objects.requireNonNull(stored.getFirst());
  }

  @Test
  @Rule("I-46")
  void aStepCopiesLittle() {
    var runs = new ArrayList<BodyRun>();
    for (var i = 0; i < 63; i++) {
      runs.add(add(stage(fast, 8, 250 * KIB)));
    }
    runs.forEach(run -> killFrom(run, 1));
    for (var run : runs) {
      assertThat(run.live()).isEqualTo(1);
    }
    var compaction = compaction(8L * MIB);
    assertThat(resident.bytes()).isGreaterThan(63L * 2 * MIB - MIB);

    assertThat(compaction.step()).isTrue();

    assertThat(runs.stream().filter(run -> !run.resident).count()).isBetween(4L, 6L);
  }

  @Test
  @Rule("I-46")
  void whereNothingCanBeGainedItRestsUntilSomethingDied() {
    for (var i = 0; i < 4; i++) {
      letSomethingDie();
    }
    var dense = new ArrayList<BodyRun>();
    for (var i = 0; i < 300; i++) {
      dense.add(add(stage(fast, 1, 60 * KIB)));
    }
    var compaction = compaction(8L * MIB);

    assertThat(stepsOf(compaction)).as("a round").isBetween(5, 6);
    assertThat(stepsOf(compaction)).isEqualTo(1);
    killFrom(dense.get(0), 0);
    assertThat(stepsOf(compaction)).as("too little died").isEqualTo(1);
    dense.subList(1, 100).forEach(run -> killFrom(run, 0));
    assertThat(stepsOf(compaction)).as("another round").isGreaterThan(2);
  }
}
