package io.peeklock.journal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import io.peeklock.runtime.StagedBodies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Bodies that came one by one lie in few runs, and are found, die and give back as before. */
class JoinedRunsTest {
  private static final long BUDGET = 50_000;

  private final BlockPool pool = new BlockPool(0, 0);
  private final StagingBudget budget = new StagingBudget(BUDGET);
  private final List<Arena> arenas = List.of(newArena(), newArena());
  private final List<StagedBodies> staged = new ArrayList<>();
  private int bodies;

  private Arena newArena() {
    return new Arena(pool, budget, new MemoryLarges(pool, 0, new StagingBudget(0)));
  }

  private static byte[] body(int number, int size) {
    var bytes = new byte[size];
    for (var i = 0; i < size; i++) {
      bytes[i] = (byte) (number * 31 + i);
    }
    return bytes;
  }

  private void stage(Arena arena, int count, int size) {
    arena.begin();
    for (var i = 0; i < count; i++) {
      arena.reserve(size).put(body(bodies++, size));
      arena.commit();
    }
    staged.add(arena.end());
  }

  private List<BodyRun> join(ResidentBodies resident) {
    var runs = JoinedRuns.of(staged);
    var id = 0L;
    for (var run : runs) {
      run.appended(id, 1);
      id += run.count();
      resident.add(run);
    }
    assertThat(id).isEqualTo(bodies);
    return runs;
  }

  private static byte[] read(ResidentBodies resident, int number) {
    var run = Objects.requireNonNull(resident.find(number));
    var place = run.placeOf(number);
    var bytes = new byte[run.length(place)];
    run.block(place).bytes.get(run.start(place) + BodyRun.CHECK_BYTES, bytes);
    return bytes;
  }

  @Test
  @Rule({"I-01", "I-46"})
  void allAreFoundWhereverTheyLieAndGiveEverythingBackWhenTheyDie() {
    for (var i = 0; i < 300; i++) {
      stage(arenas.get(i % 7 == 0 ? 1 : 0), 1 + i % 3, 1 + i % 600);
      if (i == 150) {
        stage(arenas.get(0), 1, 200_000); // alone: it is more than is joined
      }
    }
    var resident = new ResidentBodies();
    var sizes = new ArrayList<Integer>();
    staged.forEach(run -> sizes.add(run.count()));
    assertThat(budget.hasRoom()).isFalse();

    var runs = join(resident);

    assertThat(runs.size()).isLessThan(sizes.size() / 25);
    assertThat(budget.hasRoom()).isTrue();
    for (var i = 0; i < bodies; i++) {
      var found = read(resident, i);
      assertThat(found).isEqualTo(body(i, found.length));
    }
    for (var i = 0; i < bodies; i++) {
      resident.died(i * 101L % bodies);
    }
    assertThat(resident.bytes()).isZero();
    assertThat(resident.heapBytes()).isZero();
    assertThat(pool.heldBytes())
        .as("the blocks that the arenas fill")
        .isEqualTo(2L * BlockPool.BLOCK_BYTES);
  }

  @Test
  @Rule("I-46")
  void neighboursInABlockAreWrittenInOnePiece() {
    for (var i = 0; i < 40; i++) {
      stage(arenas.get(0), 1, 100);
    }

    var runs = join(new ResidentBodies());

    assertThat(runs).hasSize(1);
    assertThat(runs.get(0).blocks()).hasSize(1);
    assertThat(runs.get(0).contiguousUntil(0)).isEqualTo(40);
  }

  @Test
  @Rule("I-46")
  void aRunStaysSmallSoThatOneBodyKeepsLittle() {
    for (var i = 0; i < 2_000; i++) {
      stage(arenas.get(0), 1, i < 1_000 ? 1 : 1_000);
    }

    for (var run : join(new ResidentBodies())) {
      assertThat(run.count()).isLessThanOrEqualTo(JoinedRuns.MOST_BODIES);
      assertThat(run.bytes()).isLessThanOrEqualTo(JoinedRuns.MOST_BYTES);
    }
  }

  @Test
  @Rule("I-46")
  void whatWasTakenBackBeforeIsNoPartOfThem() {
    stage(arenas.get(0), 3, 10);
    stage(arenas.get(0), 2, 10);
    stage(arenas.get(0), 1, 10);
    staged.get(0).keepOnly(new boolean[] {true, false, true});
    staged.get(1).keepOnly(new boolean[] {false, false});

    var runs = JoinedRuns.of(staged);

    assertThat(runs).hasSize(1);
    var resident = new ResidentBodies();
    runs.get(0).appended(0, 1);
    resident.add(runs.get(0));
    assertThat(read(resident, 0)).isEqualTo(body(0, 10));
    assertThat(read(resident, 1)).isEqualTo(body(2, 10));
    assertThat(read(resident, 2)).isEqualTo(body(5, 10));
  }

  @Test
  @Rule("I-46")
  void ofRunsThatNeverHadOrNoLongerHaveABodyNothingStays() {
    stage(arenas.get(0), 3, 10);
    stage(arenas.get(0), 0, 10);
    stage(arenas.get(1), 2, 10);
    staged.get(0).keepOnly(new boolean[] {false, false, false});
    staged.get(2).keepOnly(new boolean[] {false, true});

    var runs = JoinedRuns.of(staged);

    assertThat(runs).hasSize(1);
    var resident = new ResidentBodies();
    runs.get(0).appended(0, 1);
    resident.add(runs.get(0));
    resident.died(0);
    assertThat(resident.bytes()).isZero();
    assertThat(budget.stagedBytes()).isZero();
    assertThat(blocksHeldButThoseThatAreFilled()).isZero();
  }

  @Test
  @Rule("I-46")
  void aBlockOfWhichEverythingWasTakenBackIsNotKeptByItsNeighbours() {
    stage(arenas.get(0), 2, 150_000); // a block each
    stage(arenas.get(0), 1, 10);
    stage(arenas.get(1), 1, 10);
    staged.get(0).keepOnly(new boolean[] {false, true});

    var runs = JoinedRuns.of(staged.subList(1, 3));
    var first = JoinedRuns.of(staged.subList(0, 1));

    assertThat(runs.get(0).blocks()).hasSize(2);
    assertThat(first).hasSize(1);
    staged.clear();
    stage(arenas.get(0), 2, 100_000);
    stage(arenas.get(1), 1, 10);
    stage(arenas.get(0), 2, 100_000);
    staged.get(0).keepOnly(new boolean[] {false, false});
    staged.get(2).keepOnly(new boolean[] {false, true});
    var joined = JoinedRuns.of(staged).get(0);
    var blocks = new HashSet<Block>();
    for (var i = 0; i < joined.count(); i++) {
      blocks.add(joined.block(i));
    }
    assertThat(joined.blocks()).containsExactlyInAnyOrderElementsOf(blocks);
  }

  /** What is held when no arena fills what it filled until now. */
  private long blocksHeldButThoseThatAreFilled() {
    for (var arena : arenas) {
      arena.begin();
      arena.reserve(BlockPool.BLOCK_BYTES - BodyRun.CHECK_BYTES).put((byte) 1);
      arena.commit();
      arena.drop();
    }
    return pool.heldBytes() - (long) arenas.size() * BlockPool.BLOCK_BYTES;
  }

  /**
   * One in each run keeps what the run takes of the heap, and after a move little more than itself.
   */
  @Test
  @Rule("I-46")
  void aSurvivorOfARunKeepsLittleOfTheHeap() {
    var resident = new ResidentBodies();
    for (var i = 0; i < 2_000; i++) {
      stage(arenas.get(0), 1, 100);
    }
    var runs = join(resident);
    for (var run : runs) {
      var first = run.firstBodyId();
      for (var id = first; id < first + run.count(); id++) {
        if (id != first + run.count() / 2) {
          resident.died(id);
        }
      }
    }
    assertThat(resident.heapBytes() / runs.size())
        .as("of the heap, a survivor")
        .isLessThanOrEqualTo(4 * ResidentBodies.RUN_BYTES);

    for (var run : runs) {
      var moved = run.movedTo(arenas.get(1));
      resident.remove(run);
      resident.add(moved);
      assertThat(moved.count()).isEqualTo(1);
      assertThat(read(resident, (int) moved.firstBodyId()))
          .isEqualTo(body((int) moved.firstBodyId(), 100));
    }
    assertThat(resident.heapBytes() / runs.size()).isEqualTo(ResidentBodies.RUN_BYTES);
  }
}
