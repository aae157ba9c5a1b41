package io.peeklock.journal.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.runtime.BodyArena;
import org.junit.jupiter.api.Test;

/** What a run takes, and that giving it up leaves no trace. */
class ArenaTest {
  private static final int BODY = 100_000;

  private final BlockPool pool = new BlockPool(0, 0);
  private final StagingBudget budget = new StagingBudget(1);
  private final MemoryLarges noLarges = new MemoryLarges(pool, 0, new StagingBudget(0));
  private final Arena arena = new Arena(pool, budget, noLarges);

  private void stage(int bodies) {
    arena.begin();
    for (var i = 0; i < bodies; i++) {
      arena.reserve(BODY).put(new byte[BODY]);
      arena.commit();
    }
  }

  @Test
  void aRunThatIsGivenUpGivesEverythingBack() {
    stage(1);
    arena.end().release();
    var heldAtRest = pool.heldBytes(); // the block that is being filled stays

    stage(100);
    assertThat(budget.hasRoom()).isFalse();
    arena.reserve(BODY);
    arena.drop();

    assertThat(budget.hasRoom()).isTrue();
    assertThat(pool.heldBytes()).isEqualTo(heldAtRest);
    assertThatThrownBy(arena::commit).isInstanceOf(IllegalStateException.class);
    arena.drop();
    stage(3);
    var run = arena.end();
    assertThat(run.count()).isEqualTo(3);
    run.release();
    assertThat(budget.hasRoom()).isTrue();
  }

  @Test
  void whatWasReservedAndNotEndedIsNotInTheRun() {
    stage(1);
    arena.reserve(BODY).put(new byte[10]);
    arena.reserve(BodyArena.LARGE_BODY_BYTES).put(new byte[20]);
    arena.commit();

    var run = arena.end();

    assertThat(run.count()).isEqualTo(2);
    assertThat(run.bytes()).isEqualTo(BODY + 20);
    run.release();
    assertThat(budget.hasRoom()).isTrue();
  }
}
