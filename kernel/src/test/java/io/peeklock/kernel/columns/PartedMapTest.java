package io.peeklock.kernel.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.request.Origin;
import org.junit.jupiter.api.Test;

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
}
