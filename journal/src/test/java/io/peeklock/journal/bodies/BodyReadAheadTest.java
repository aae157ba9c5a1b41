package io.peeklock.journal.bodies;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.blocks.BlockPool;
import org.junit.jupiter.api.Test;

/** How far to read beyond what was asked for. */
final class BodyReadAheadTest {
  private final BodyReadAhead ahead = new BodyReadAhead(64 << 20);

  private int blocksReadAfterMiss(long bodyId) {
    ahead.missed(bodyId);
    ahead.read(bodyId + 250);
    var blocks = 0;
    while (ahead.isWanted()) {
      ahead.read(ahead.next() + 250);
      blocks++;
    }
    return blocks;
  }

  @Test
  void aLonelyMissReadsNothingAhead() {
    assertThat(blocksReadAfterMiss(10_000)).isZero();
  }

  @Test
  void aDrainReadsTwiceAsFarWithEachMissUpToSixteenBlocks() {
    var next = 10_000L;

    var read = new int[7];
    for (var i = 0; i < read.length; i++) {
      read[i] = blocksReadAfterMiss(next);
      next += 250L * (read[i] + 1);
    }

    assertThat(read).containsExactly(0, 1, 2, 4, 8, 16, 16);
  }

  @Test
  void aSmallBoundIsNotFilledByGuesses() {
    var careful = new BodyReadAhead(8 * BlockPool.BLOCK_BYTES);
    careful.missed(1);
    careful.read(251);
    careful.missed(251);
    careful.read(501);
    careful.missed(501);

    assertThat(careful.isWanted()).isTrue();
    careful.read(careful.next() + 250);
    careful.read(careful.next() + 250);
    assertThat(careful.isWanted()).isFalse();
  }

  @Test
  void aMissSomewhereElseStartsOver() {
    blocksReadAfterMiss(10_000);
    assertThat(blocksReadAfterMiss(10_250)).isEqualTo(1);

    assertThat(blocksReadAfterMiss(500)).isZero();
  }

  @Test
  void readingOnStopsWhereNothingLies() {
    blocksReadAfterMiss(10_000);
    ahead.missed(10_250);

    ahead.end();

    assertThat(ahead.isWanted()).isFalse();
  }
}
