package io.peeklock.amqp.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;

/** However greedy some are, who comes next and wants little finds room. */
class BudgetTest {
  private static final int MOST = 1_000_000;
  private static final int LITTLE = 10_000;
  private static final int FOR_LITTLE = 400_000;

  private final Budget budget = new Budget(MOST, LITTLE, FOR_LITTLE);

  @Test
  @Rule("I-46")
  void whoWantsMuchLeavesAPartToThoseWhoWantLittle() {
    for (var greedy = 0; greedy < 50; greedy++) {
      var held = 0;
      while (held < MOST && budget.takeFairly(held, LITTLE + 1)) {
        held += LITTLE + 1;
      }
    }
    assertThat(budget.taken())
        .isBetween((long) MOST - FOR_LITTLE - LITTLE, (long) MOST - FOR_LITTLE);
    assertThat(budget.refused()).isEqualTo(50);

    for (var modest = 0; modest < FOR_LITTLE / LITTLE; modest++) {
      assertThat(budget.takeFairly(LITTLE - 1, 1)).isTrue();
      assertThat(budget.takeFairly(0, LITTLE - 1)).isTrue();
    }
    assertThat(budget.takeFairly(LITTLE, 1)).as("it holds little no more").isFalse();
  }

  @Test
  @Rule("I-46")
  void whatIsTakenAnywayCountsAndTellsWhetherThereWasRoom() {
    assertThat(budget.takeAnyway(0, MOST - FOR_LITTLE)).isTrue();
    assertThat(budget.takeAnyway(MOST / 2, 1)).as("that is for others").isFalse();
    assertThat(budget.takeAnyway(0, LITTLE)).isTrue();
    assertThat(budget.taken()).isEqualTo(MOST - FOR_LITTLE + LITTLE + 1);
    assertThat(budget.takeFairlyBelow(MOST / 2, 0, 1)).as("beyond the mark").isFalse();
    budget.give(MOST - FOR_LITTLE + LITTLE + 1);
    assertThat(budget.taken()).isZero();
  }
}
