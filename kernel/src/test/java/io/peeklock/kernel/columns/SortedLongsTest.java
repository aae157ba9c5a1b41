package io.peeklock.kernel.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.machine.Chance;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Numbers in order, few and many. */
class SortedLongsTest {

  private static List<Long> all(SortedLongs line) {
    List<Long> all = new ArrayList<>();
    for (long number = line.first(); number != SortedLongs.NONE; number = line.from(number + 1)) {
      all.add(number);
    }
    return all;
  }

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, 20).boxed().toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void itHoldsWhatASortedSetHolds(long seed) {
    Chance chance = new Chance(seed);
    SortedLongs line = new SortedLongs();
    TreeSet<Long> wanted = new TreeSet<>();
    long next = 1_000_000;
    for (int step = 0; step < 60; step++) {
      int count = chance.below(1_500);
      int kind = chance.below(6);
      for (int i = 0; i < count; i++) {
        if (kind < 2) {
          next += 1 + chance.below(9);
          line.add(next);
          wanted.add(next);
        } else if (kind == 2) {
          long number = chance.below((int) next + 1);
          if (wanted.add(number)) {
            line.add(number);
          }
        } else if (!wanted.isEmpty()) {
          long number = picked(chance, wanted, kind);
          line.remove(number);
          wanted.remove(number);
        }
      }
      assertSame(line, wanted, chance);
    }
    for (long number : List.copyOf(wanted)) {
      line.remove(number);
    }
    assertThat(line.isEmpty()).isTrue();
    line.add(3);
    assertThat(all(line)).containsExactly(3L);
  }

  private static long picked(Chance chance, NavigableSet<Long> from, int kind) {
    if (kind == 3) {
      return from.first();
    }
    long around = chance.below((int) (from.last() + 1));
    Long at = kind == 4 ? from.floor(around) : from.ceiling(around);
    return at == null ? from.first() : at;
  }

  private static void assertSame(SortedLongs line, NavigableSet<Long> wanted, Chance chance) {
    assertThat(all(line)).isEqualTo(new ArrayList<>(wanted));
    assertThat(line.size()).isEqualTo(wanted.size());
    assertThat(line.isEmpty()).isEqualTo(wanted.isEmpty());
    for (int i = 0; i < 50; i++) {
      long number = chance.below(2_000_000);
      Long at = wanted.ceiling(number);
      assertThat(line.from(number)).isEqualTo(at == null ? SortedLongs.NONE : at);
    }
    assertThat(line.from(Long.MIN_VALUE)).isEqualTo(line.first());
    assertThat(line.from(Long.MAX_VALUE)).isEqualTo(SortedLongs.NONE);
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.SECONDS) // where all behind each are moved: minutes
  void whereANumberComesOrGoesCostsNoMoreWhereThereAreMillions() {
    int count = 2_000_000;
    SortedLongs line = new SortedLongs();
    for (long number = 1; number <= count; number++) {
      line.add(2 * number);
    }

    for (long number = 0; number < 200_000; number++) {
      line.add(2 * number + 1); // before all others, each behind the one before
    }
    for (long number = 0; number < 200_000; number++) {
      line.remove(2 * number + 1);
    }

    assertThat(line.size()).isEqualTo(count);
    assertThat(line.first()).isEqualTo(2);
  }
}
