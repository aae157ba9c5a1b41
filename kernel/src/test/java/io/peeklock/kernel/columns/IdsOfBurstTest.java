package io.peeklock.kernel.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdsOfBurstTest {

  private static final int MESSAGES = 4_500;

  /** As a map from ids to the message that came last, of those that count or follow one. */
  @ParameterizedTest
  @ValueSource(longs = {1, 7, 64, 4_000, Long.MAX_VALUE})
  @Rule("S-278")
  void itSaysWhichCameLastWithTheSameId(long ids) {
    Random random = new Random(ids);
    long[] hashes = new long[2 * MESSAGES + 2];
    for (int i = 0; i < MESSAGES; i++) {
      long id = random.nextLong(ids);
      hashes[2 * i] = id * 31;
      hashes[2 * i + 1] = id;
    }
    IdsOfBurst burst = new IdsOfBurst(hashes);
    Map<List<Long>, Integer> last = new LinkedHashMap<>();
    for (int i = 0; i < MESSAGES; i++) {
      boolean counts = random.nextBoolean();
      List<Long> id = List.of(hashes[2 * i], hashes[2 * i + 1]);

      Integer earlier = counts ? last.put(id, i) : last.replace(id, i);

      assertThat(burst.add(i, counts)).isEqualTo(earlier == null ? IdsOfBurst.NONE : earlier);
    }
  }

  /** A client that chose ids with one first place would hold up all for as many looks, squared. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1_023})
  @Rule("S-278")
  void idsWhoseFirstPlacesAreTheSameOrSideBySidePart(int spread) {
    Random random = new Random(spread);
    long[] hashes = new long[2 * MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
      hashes[2 * i] = random.nextLong();
      hashes[2 * i + 1] = (random.nextLong() << Integer.SIZE) | random.nextInt(spread + 1);
    }
    IdsOfBurst burst = new IdsOfBurst(hashes);
    for (int i = 0; i < MESSAGES; i++) {
      burst.add(i, true);
    }

    assertThat(burst.looks()).isLessThan(10L * MESSAGES);
  }
}
