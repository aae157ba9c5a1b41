package io.peeklock.journal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Where bodies lie is known as long as they live, and takes room for those that live alone. */
class BodyLocationsTest {
  private static final int TABLES = 20;
  private static final int MANY = TABLES * BodyLocations.CHUNK_BODIES;

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

  /** Four times eight bytes for each that lives, and a table. */
  private void checkRoom() {
    assertThat(locations.roomBytes())
        .isLessThanOrEqualTo(32L * expected.size() + 8 * BodyLocations.CHUNK_BODIES);
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
    checkRoom();
  }

  @Test
  @Rule("I-46")
  void oneThatStaysKeepsNoRoomThoughTheOthersDieBeforeAnythingNewerComes() {
    for (var id = 1L; id <= MANY; id++) {
      put(id);
      if ((id + 1) % BodyLocations.CHUNK_BODIES == 0) {
        for (var dead = id + 1 - BodyLocations.CHUNK_BODIES; dead < id; dead++) {
          remove(dead);
        }
      }
      checkRoom();
    }

    check();
  }

  @Test
  @Rule("I-46")
  void oneThatStaysKeepsNoRoomThoughTheOthersDieAsTheyCome() {
    for (var id = 1L; id <= MANY; id++) {
      put(id);
      if (id % BodyLocations.CHUNK_BODIES != 77) {
        remove(id);
      }
      checkRoom();
    }

    check();
  }

  /** A checkpoint names bodies by queue, so that their ids come in any order. */
  @Test
  @Rule("I-46")
  void whatAloneIsFoundOfThousandsKeepsNoRoomForThem() {
    var order = new ArrayList<Long>();
    for (var id = 77L; id <= MANY; id += BodyLocations.CHUNK_BODIES) {
      order.add(id);
    }
    Collections.shuffle(order, new Random(3));

    for (var id : order) {
      put(id);
      checkRoom();
    }

    check();
  }

  @Test
  @Rule("I-46")
  void whatIsFoundInAnyOrderAndDiesKeepsNoRoom() {
    var chance = new Random(5);
    var order = new ArrayList<Long>();
    for (var id = 1L; id <= MANY; id++) {
      order.add(id);
    }
    Collections.shuffle(order, chance);
    for (var id : order) {
      put(id);
      checkRoom();
    }
    check();
    Collections.shuffle(order, chance);

    for (var id : order) {
      if (id % BodyLocations.CHUNK_BODIES != 77) {
        remove(id);
      }
      checkRoom();
    }

    check();
  }

  @Test
  @Rule("I-46")
  void whatOneAloneTakesIsCountedAndAllOfItIsGivenBack() {
    for (var id = 77L; id <= MANY; id += BodyLocations.CHUNK_BODIES) {
      put(id);
    }
    assertThat(locations.heapBytes())
        .as("beside the eight bytes that are counted with its message")
        .isBetween(150L * TABLES, 200L * TABLES);

    for (var id = 1L; id <= MANY; id++) {
      if (!expected.containsKey(id)) {
        put(id);
      }
    }
    assertThat(locations.heapBytes()).as("full tables").isBetween(0L, 200L * TABLES);

    for (var id = 1L; id <= MANY; id++) {
      remove(id);
    }
    assertThat(locations.heapBytes()).isZero();
    assertThat(locations.roomBytes()).isZero();
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
