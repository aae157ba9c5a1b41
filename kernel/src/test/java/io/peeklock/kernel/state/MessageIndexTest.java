package io.peeklock.kernel.state;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.columns.RowFlags;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Chance;
import io.peeklock.kernel.settle.RepeatedNumbers;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The columns, as they grow, shrink, part and join. */
class MessageIndexTest {

  private static final long NOW = 1_767_225_600_000L;
  private static final long YEAR = 366L * 24 * 3_600_000;

  private long nextNumber = 1;
  private long nextBody = 1;

  private void append(MessageIndex index, long enqueuedAt, long expiresAt, int count) {
    int[] sizes = new int[count];
    long[] expiries = new long[count];
    Arrays.fill(sizes, 10);
    Arrays.fill(expiries, expiresAt);
    index.append(
        new Fact.Enqueued(
            new QueueId(1), nextNumber, nextBody, enqueuedAt, sizes, new int[count], expiries),
        1);
    nextNumber += count;
    nextBody += count;
  }

  private static void move(MessageIndex from, long number, MessageIndex to) {
    to.addDeadLetter(from, from.find(number), DeadLetterCause.RECEIVER, 1);
    from.remove(from.find(number));
    from.readyIndex().advance();
    to.readyIndex().advance();
  }

  private static List<Long> numbers(MessageIndex index) {
    List<Long> numbers = new ArrayList<>();
    for (long place = index.firstFrom(0); place != Place.NONE; place = index.next(place)) {
      numbers.add(index.number(place));
    }
    return numbers;
  }

  private static List<Long> available(MessageIndex index) {
    List<Long> numbers = new ArrayList<>();
    for (long place = index.firstAvailable();
        place != Place.NONE;
        place = index.nextAvailable(place)) {
      numbers.add(index.number(place));
    }
    return numbers;
  }

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, 12).boxed().toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void itHoldsWhatASortedMapHolds(long seed) {
    Chance chance = new Chance(seed);
    MessageIndex index = new MessageIndex(true, null, new HeldMemory(new StoredMemory()));
    MessageIndex dead = new MessageIndex(false, null, new HeldMemory(new StoredMemory()));
    TreeMap<Long, Long> bodies = new TreeMap<>();
    TreeMap<Long, Long> deadBodies = new TreeMap<>();
    int bias = 2 + chance.below(4);

    for (int step = 0; step < 300; step++) {
      int count = 1 + chance.below(300);
      switch (chance.below(4)) {
        case 0 -> {
          for (int i = 0; i < count; i++) {
            bodies.put(nextNumber + i, nextBody + i);
          }
          append(index, NOW + step, FOREVER, count);
        }
        case 1 -> {
          for (int i = 0; i < count && !bodies.isEmpty(); i++) {
            long number = pick(chance, bodies);
            index.remove(index.find(number));
            bodies.remove(number);
          }
        }
        case 2 -> {
          for (int i = 0; i < count * bias && !bodies.isEmpty(); i++) {
            long number = pick(chance, bodies);
            deadBodies.put(number, bodies.remove(number));
            move(index, number, dead);
          }
        }
        default -> {
          for (int i = 0; i < count * bias && !deadBodies.isEmpty(); i++) {
            long number = pick(chance, deadBodies);
            dead.remove(dead.find(number));
            deadBodies.remove(number);
          }
        }
      }
      index.readyIndex().advance();
      dead.readyIndex().advance();
      assertSame(index, bodies);
      assertSame(dead, deadBodies);
    }
  }

  private static long pick(Chance chance, NavigableMap<Long, Long> from) {
    if (chance.oneIn(2)) {
      return from.firstKey();
    }
    long first = from.firstKey();
    long around = first + chance.below((int) (from.lastKey() - first + 1));
    Long floor = from.floorKey(around);
    return floor == null ? first : floor;
  }

  private static void assertSame(MessageIndex index, Map<Long, Long> bodies) {
    assertThat(numbers(index)).isEqualTo(new ArrayList<>(bodies.keySet()));
    assertThat(available(index)).isEqualTo(new ArrayList<>(bodies.keySet()));
    assertThat(index.active()).isEqualTo(bodies.size());
    for (Map.Entry<Long, Long> entry : bodies.entrySet()) {
      long place = index.find(entry.getKey());
      assertThat(index.chunk(place).bodyId(Place.row(place))).isEqualTo(entry.getValue());
    }
  }

  @Test
  void whatIsNotThereIsNotFound() {
    MessageIndex index = new MessageIndex(true, null, new HeldMemory(new StoredMemory()));
    assertThat(index.find(1)).isEqualTo(Place.NONE);
    assertThat(index.firstFrom(1)).isEqualTo(Place.NONE);
    assertThat(index.firstAvailable()).isEqualTo(Place.NONE);
    index.readyIndex().renewExpiryBound(1);

    append(index, NOW, FOREVER, 20);
    index.remove(index.find(7));

    for (long number : new long[] {7, 0, -1, 21, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThat(index.find(number)).isEqualTo(Place.NONE);
    }
  }

  @Test
  void timesFarApartAreKeptExactly() {
    MessageIndex index = new MessageIndex(true, null, new HeldMemory(new StoredMemory()));
    long[] times = {NOW, NOW + 5, NOW + YEAR, NOW + 2 * YEAR, NOW + 3 * YEAR};
    for (long time : times) {
      append(index, time, time + YEAR, 1);
      append(index, time, FOREVER, 1);
    }

    for (int i = 0; i < times.length; i++) {
      long place = index.find(2 * i + 1);
      Chunk chunk = index.chunk(place);
      assertThat(chunk.enqueuedAtMillis(Place.row(place))).isEqualTo(times[i]);
      assertThat(chunk.expiresAtMillis(Place.row(place))).isEqualTo(times[i] + YEAR);
      assertThat(chunk.expiresAtMillis(Place.row(place) + 1)).isEqualTo(FOREVER);
    }
    append(index, NOW + 4 * YEAR, NOW, 600);
    long place = index.find(11);
    assertThat(index.chunk(place).expiresAtMillis(Place.row(place))).isEqualTo(NOW);
  }

  @Test
  void aTailThatEmptiesIsUsedAgain() {
    MessageIndex index = new MessageIndex(true, null, new HeldMemory(new StoredMemory()));
    for (int round = 0; round < 200; round++) {
      append(index, NOW + round * YEAR, NOW + round * YEAR + 1, 8);
      for (long number = nextNumber - 8; number < nextNumber; number++) {
        long place = index.find(number);
        assertThat(index.chunk(place).enqueuedAtMillis(Place.row(place)))
            .isEqualTo(NOW + round * YEAR);
        index.remove(place);
      }
      index.readyIndex().advance();
    }

    assertThat(index.chunks().size()).isEqualTo(1);
    assertThat(index.chunks().chunk(0).capacity()).isEqualTo(Chunk.MIN_ROWS);
  }

  @Test
  @Rule("I-46")
  void manyThatGetTheSameMessagesDoNotMakeRoomAtOnce() {
    StoredMemory memory = new StoredMemory();
    MessageIndex[] subscriptions = new MessageIndex[1_000];
    Arrays.setAll(subscriptions, each -> new MessageIndex(true, null, new HeldMemory(memory)));
    long most = 0;
    for (int number = 1; number <= 4 * Chunk.MAX_ROWS; number++) {
      long before = memory.taken();
      for (MessageIndex each : subscriptions) {
        nextNumber = number;
        append(each, NOW, FOREVER, 1);
      }
      most = Math.max(most, memory.taken() - before);
    }

    long roomEach = most / StoredMemory.ROW_BYTES / subscriptions.length;
    assertThat(roomEach).as("rows for each, as many as small ones take").isLessThan(40);
  }

  @Test
  void aFewMessagesThatStayDoNotHoldOnToMuchRoom() {
    MessageIndex index = new MessageIndex(true, null, new HeldMemory(new StoredMemory()));
    for (int i = 0; i < 200; i++) {
      append(index, NOW, FOREVER, Chunk.MAX_ROWS);
    }
    for (long number = 1; number < nextNumber; number++) {
      if (number % 128 != 0) {
        index.remove(index.find(number));
      }
    }

    int rows = 0;
    for (int i = 0; i < index.chunks().size() - 1; i++) {
      rows += index.chunks().chunk(i).capacity();
    }
    assertThat(index.active()).isEqualTo(800);
    assertThat(rows).isLessThan(4 * 800);
  }

  @Test
  void numbersTooFarApartForOneChunkGetTheirOwn() {
    MessageIndex source = new MessageIndex(true, null, new HeldMemory(new StoredMemory()));
    MessageIndex dead = new MessageIndex(false, null, new HeldMemory(new StoredMemory()));
    long far = 1L << 31;
    List<Long> expected = new ArrayList<>();
    for (long base : new long[] {3 * far, 1, 2 * far, 5 * far, far}) {
      nextNumber = base;
      MessageIndex one = new MessageIndex(true, null, new HeldMemory(new StoredMemory()));
      append(one, NOW, FOREVER, 3);
      for (long number = base; number < base + 3; number++) {
        move(one, number, dead);
        expected.add(number);
      }
    }
    nextNumber = 6 * far;
    append(source, NOW, FOREVER, 2);
    nextNumber = 9 * far;
    append(source, NOW, FOREVER, 2);

    expected.sort(null);
    assertThat(numbers(dead)).isEqualTo(expected);
    assertThat(dead.chunks().size()).isEqualTo(5);
    assertThat(numbers(source)).containsExactly(6 * far, 6 * far + 1, 9 * far, 9 * far + 1);
  }

  @Test
  void aNumberFarBelowWhatIsLeftOfAChunkGoesBeforeIt() {
    long far = 1L << 29;
    MessageIndex source = new MessageIndex(true, null, new HeldMemory(new StoredMemory()));
    MessageIndex dead = new MessageIndex(false, null, new HeldMemory(new StoredMemory()));
    nextNumber = 1;
    append(source, NOW, FOREVER, 1);
    nextNumber = 3 * far;
    append(source, NOW, FOREVER, 600);
    for (long number = 3 * far; number < 3 * far + 600; number++) {
      move(source, number, dead);
    }

    move(source, 1, dead);

    assertThat(numbers(dead)).hasSize(601).isSorted().startsWith(1L);
    assertThat(dead.find(1)).isNotEqualTo(Place.NONE);
    assertThat(dead.find(3 * far)).isNotEqualTo(Place.NONE);
  }

  @Test
  void fullChunksPartWhereANumberComesBetween() {
    MessageIndex source = new MessageIndex(true, null, new HeldMemory(new StoredMemory()));
    MessageIndex dead = new MessageIndex(false, null, new HeldMemory(new StoredMemory()));
    append(source, NOW, NOW + 1, 3_000);
    for (long number = 1; number <= 3_000; number += 2) {
      move(source, number, dead);
    }
    for (long number = 3_000; number > 0; number -= 2) {
      move(source, number, dead);
    }

    assertThat(numbers(dead)).hasSize(3_000).isSorted();
    assertThat(available(dead)).hasSize(3_000);
    assertThat(source.active()).isZero();
  }

  @Test
  void headersAreRoundedUpAndNeverOverflow() {
    assertThat(RowFlags.headerBytes(RowFlags.fresh(0))).isZero();
    assertThat(RowFlags.headerBytes(RowFlags.fresh(1))).isEqualTo(RowFlags.HEADER_UNIT);
    assertThat(RowFlags.headerBytes(RowFlags.fresh(65_536))).isEqualTo(65_536);
    assertThat(RowFlags.headerBytes(RowFlags.fresh(Integer.MAX_VALUE))).isGreaterThan(1 << 30);
    for (DeadLetterCause cause : DeadLetterCause.values()) {
      int flags = RowFlags.deadLettered(RowFlags.deferred(RowFlags.fresh(300)), cause);
      assertThat(RowFlags.cause(flags)).isEqualTo(cause);
      assertThat(RowFlags.isDeferred(flags)).isFalse();
    }
  }

  @Test
  void repeatsAreFoundWhereverTheyAre() {
    assertThat(RepeatedNumbers.in(new long[] {1, 2, 9}, 3)).isNull();
    assertThat(RepeatedNumbers.in(new long[] {9, 2, 5, 5}, 3)).isNull();
    assertThat(RepeatedNumbers.in(new long[] {5, 2, 5, 9, 2, 5}, 6))
        .containsExactly(false, false, true, false, true, true);
  }
}
