package io.peeklock.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Where bodies lie is known as long as they live, and takes room for those that live alone. */
class BodyLocationsTest {
  private static final int MANY = 5 * BodyLocations.CHUNK_BODIES;

  private final BodyLocations locations = new BodyLocations();
  private final TreeMap<Long, Long> expected = new TreeMap<>();

  private void put(long id) {
    locations.put(id, BodyLocations.at(id, 7));
    expected.put(id, BodyLocations.at(id, 7));
  }

  private void remove(long id) {
    var before = expected.remove(id);
    assertThat(locations.remove(id)).isEqualTo(before == null ? BodyLocations.NONE : before);
  }

  private void check() {
    for (var id = 1L; id <= MANY; id++) {
      assertThat(locations.get(id)).isEqualTo(expected.getOrDefault(id, BodyLocations.NONE));
    }
    for (var number : locations.chunkNumbers()) {
      var all = locations.chunkNumbered(number);
      for (var i = 0; all != null && i < all.length; i++) {
        var id = number * BodyLocations.CHUNK_BODIES + i;
        assertThat(all[i]).isEqualTo(expected.getOrDefault(id, BodyLocations.NONE));
      }
    }
  }

  @Test
  @Rule("I-46")
  void oneOfThousandsThatStaysKeepsNoRoomForTheOthers() {
    for (var id = 1L; id <= MANY; id++) {
      put(id);
    }
    for (var id = 1L; id <= MANY; id++) {
      if (id % BodyLocations.CHUNK_BODIES != 77) {
        remove(id);
      }
    }

    check();
    assertThat(locations.room())
        .as("the newest chunk is still being filled")
        .isLessThan(BodyLocations.CHUNK_BODIES + 5 * BodyLocations.CHUNK_BODIES / 16);
  }

  @Test
  @Rule("I-46")
  void whateverComesGoesAndMovesIsWhereItIs() {
    var chance = new Random(7);
    for (var id = 1L; id <= MANY; id++) {
      put(id);
    }
    for (var round = 0; round < 4 * MANY; round++) {
      var id = 1L + chance.nextInt(MANY);
      remove(id);
      remove(id);
    }
    expected.forEach(
        (id, from) -> {
          var to = BodyLocations.cold(3, id, 7);
          assertThat(locations.move(id, to, from)).isFalse();
          assertThat(locations.move(id, from, to)).isTrue();
        });
    expected.replaceAll((id, from) -> BodyLocations.cold(3, id, 7));
    check();

    for (var id = 2L; id <= MANY; id += 997) {
      if (!expected.containsKey(id)) {
        put(id); // a recovery finds what was moved after what was not
      }
    }
    check();
  }
}
