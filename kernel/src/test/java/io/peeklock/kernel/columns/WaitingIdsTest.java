package io.peeklock.kernel.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WaitingIdsTest {
  private final StoredMemory all = new StoredMemory();
  private final WaitingIds ids = new WaitingIds(new HeldMemory(all));

  private static long[] some(int count, long seed) {
    return new Random(seed).longs(2L * count).toArray();
  }

  private long held(long[] hashes) {
    return LongStream.range(0, hashes.length / 2)
        .filter(i -> ids.mayHave(hashes[(int) (2 * i)], hashes[(int) (2 * i + 1)]))
        .count();
  }

  @Test
  @Rule({"I-01", "S-266"})
  void eachThatWaitsIsKnownAndFewOthersAreTakenForOne() {
    int each = 5_000;
    for (int turn = 0; turn < 20; turn++) {
      ids.came(some(each, turn), 1 + (long) turn * each);
    }

    for (int turn = 0; turn < 20; turn++) {
      assertThat(held(some(each, turn))).isEqualTo(each);
    }
    assertThat(held(some(100_000, 99))).isLessThan(10_000);
  }

  @Test
  @Rule("S-281")
  void whatHasNoIdIsNotAmongThem() {
    ids.came(new long[4], 1);

    assertThat(ids.mayHave(0, 0)).isFalse();
    ids.came(null, 1);
    assertThat(ids.mayHave(0, 0)).isFalse();
    assertThat(ids.mayHave(1, 2)).as("any may be").isTrue();
  }

  @Test
  @Rule({"I-01", "S-266"})
  void whatIsNotKnownAfterARestartIsSoUntilItHasLeft() {
    ids.unknown(100);
    ids.came(some(10, 1), 101);
    assertThat(held(some(10, 2))).isEqualTo(10);

    ids.left(100);
    assertThat(held(some(10, 2))).isEqualTo(10);
    ids.left(101);

    assertThat(held(some(10, 2))).isZero();
    assertThat(held(some(10, 1))).isEqualTo(10);
  }

  @Test
  @Rule("I-08")
  void whatLeftIsForgottenAndItsMemoryGivenBack() {
    int each = 1_000;
    long most = 0;
    for (int turn = 0; turn < 500; turn++) {
      ids.came(some(each, turn), 1 + (long) turn * each);
      ids.left(1 + (long) Math.max(0, turn - 3) * each); // four batches wait at a time
      most = Math.max(most, all.held());
    }

    assertThat(most).isBetween(1L, 40L * 4 * each);
    assertThat(held(some(each, 499))).isEqualTo(each);
    assertThat(held(some(each, 1))).isLessThan(each / 2);
    ids.clear();
    assertThat(all.held()).isZero();
    assertThat(held(some(each, 499))).isZero();
  }
}
