package io.peeklock.kernel.columns;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that are empty nearly everywhere. */
class RareColumnsTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL, 1L << 32, Long.MAX_VALUE})
  void aNumberFirstGivenElsewhereIsKeptWholeWhereverItsRowGoes(long number) {
    var columns = new RareColumns();
    columns.setEnqueuedNumber(1, number, 2);

    columns.grow(4);
    columns.shift(1, 3, 1);
    var other = new RareColumns();
    other.copy(0, columns, 3, 1);

    assertThat(columns.enqueuedNumber(0)).isZero();
    assertThat(columns.enqueuedNumber(3)).isEqualTo(number);
    assertThat(other.enqueuedNumber(0)).isEqualTo(number);

    other.clear(0, 1);
    assertThat(other.enqueuedNumber(0)).isZero();
  }
}
