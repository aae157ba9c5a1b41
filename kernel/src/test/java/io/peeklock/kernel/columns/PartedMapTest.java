package io.peeklock.kernel.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.machine.Chance;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.request.Origin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A map that grows in small parts. */
class PartedMapTest {

  @Test
  void holdsWhatWasPutAndNotTakenOut() {
    PartedMap<String, Integer> map = new PartedMap<>();
    assertThat(map.get("none")).isNull();
    assertThat(map.remove("none")).isNull();
    for (int i = 0; i < 1_000; i++) {
      map.put("session-" + i, i);
    }
    map.put("session-7", 1_007);

    assertThat(map.get("session-7")).isEqualTo(1_007);
    assertThat(map.remove("session-8")).isEqualTo(8);
    assertThat(map.get("session-8")).isNull();
    assertThat(map.values()).hasSize(999).contains(0, 999, 1_007).doesNotContain(7, 8);
  }

  @Test
  void growsInPartsOfAFewOfAHundred() {
    PartedMap<String, Integer> sessions = new PartedMap<>();
    PartedMap<Origin, Integer> receivers = new PartedMap<>();
    for (int i = 0; i < 100_000; i++) {
      sessions.put("session-" + i, i);
      receivers.put(new Asker(), i);
    }

    assertThat(sessions.largestPart()).isLessThan(2 * 100_000 / PartedMap.PARTS);
    assertThat(receivers.largestPart()).isLessThan(2 * 100_000 / PartedMap.PARTS);
  }

  /** Every method of the map against one of the JDK, with keys that come and go at random. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void holdsWhatAnyMapHolds(long seed) {
    Chance chance = new Chance(seed);
    PartedMap<String, Integer> map = new PartedMap<>();
    Map<String, Integer> wanted = new HashMap<>();
    for (int step = 0; step < 40; step++) {
      boolean adds = chance.below(2) == 0;
      for (int i = 0; i < 2_000; i++) {
        String key = chance.below(3) == 0 ? alike(chance.below(4_096)) : "s" + chance.below(9_000);
        hasTheSame(map.get(key), wanted.get(key));
        if (adds == (chance.below(9) == 0)) {
          hasTheSame(map.remove(key), wanted.remove(key));
        } else if (adds) {
          wanted.put(key, i);
          map.put(key, i);
        }
      }
      List<Integer> values = new ArrayList<>();
      map.values().forEach(values::add);
      assertThat(sorted(values)).isEqualTo(sorted(wanted.values()));
    }
  }

  /** Half a million times, so that what AssertJ makes for each would be most of the test. */
  private static void hasTheSame(@Nullable Integer value, @Nullable Integer wanted) {
    if (!Objects.equals(value, wanted)) {
      assertThat(value).isEqualTo(wanted);
    }
  }

  private static List<Integer> sorted(Collection<Integer> values) {
    return values.stream().sorted().toList();
  }

  /** Different strings of equal hashes. */
  private static String alike(int number) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 17; bit++) {
      text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.SECONDS) // where each is compared with all others: minutes
  void keysOfEqualHashesCostLittleMoreThanOthers() {
    PartedMap<String, Integer> map = new PartedMap<>();
    for (int i = 0; i < 100_000; i++) {
      map.put(alike(i), i);
    }
    assertThat(map.others()).isGreaterThan(99_000);
    for (int i = 0; i < 100_000; i++) {
      assertThat(map.get(alike(i))).isEqualTo(i);
      assertThat(map.remove(alike(i))).isEqualTo(i);
    }
    assertThat(map.values()).isEmpty();
  }

  @Test
  void hasFewEntriesBesideItsTablesAndFewPlacesWhenAllAreGone() {
    PartedMap<String, Integer> map = new PartedMap<>();
    for (int i = 0; i < 100_000; i++) {
      map.put("session-" + i, i);
    }
    assertThat(map.others()).isLessThan(10);
    assertThat(map.places()).isLessThan(400_000);
    for (int i = 0; i < 100_000; i++) {
      map.remove("session-" + i);
    }
    assertThat(map.places()).isLessThanOrEqualTo(16 * PartedMap.PARTS); // a walk passes them all
  }
}
