package io.peeklock.kernel.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.columns.SharedBodies;
import org.junit.jupiter.api.Test;

class SharedBodiesTest {
  private final SharedBodies shared = new SharedBodies();

  @Test
  void onlyTheLastMessageTakesTheBodyAlong() {
    int slot = shared.add(3);
    assertThat(shared.drop(slot)).isFalse();
    assertThat(shared.drop(slot)).isFalse();
    assertThat(shared.drop(slot)).isTrue();
    assertThat(shared.add(1)).as("nothing to count").isZero();
    assertThat(shared.drop(0)).isTrue();
    assertThat(shared.add(2)).as("used again").isEqualTo(slot);
  }

  @Test
  void afterACheckpointSlotsThatNobodyHasAreUsedFirst() {
    for (int slot : new int[] {2, 5, 5, 40}) {
      shared.restore(slot);
    }
    assertThat(shared.drop(5)).isFalse();
    assertThat(shared.drop(5)).isTrue();

    assertThat(new int[] {shared.add(2), shared.add(2), shared.add(2), shared.add(2)})
        .containsExactly(1, 3, 4, 5);
    assertThat(shared.drop(3)).isFalse();
    assertThat(shared.drop(3)).isTrue();
    assertThat(shared.add(2)).isEqualTo(3);
    for (int slot = 6; slot < 40; slot++) {
      assertThat(shared.add(2)).isEqualTo(slot);
    }
    assertThat(shared.add(2)).isEqualTo(41);
  }
}
