package io.peeklock.kernel.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.columns.DeadlineHeap;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What lapses first, among many with deadlines in any order. */
class DeadlineTest {

  private final QueueId queue = new QueueId(1);

  /** Deadlines that count how often somebody looks at one. */
  private static final class Counted implements DeadlineHeap.Slots {
    final long[] deadlines;
    final int[] places;
    int looks;

    Counted(int slots) {
      deadlines = new long[slots];
      places = new int[slots];
    }

    @Override
    public long deadline(int slot) {
      looks++;
      return deadlines[slot];
    }

    @Override
    public void moved(int slot, int place) {
      places[slot] = place;
    }
  }

  @Test
  void eachOfAHundredThousandIsPutInMovedAndTakenOutWithFewLooksAtOthers() {
    int count = 100_000; // 17 levels, three looks at each, and its own
    Counted slots = new Counted(count);
    DeadlineHeap heap = new DeadlineHeap(slots);
    int most = 0;

    for (int slot = 0; slot < count; slot++) {
      slots.deadlines[slot] = (long) count - slot;
      slots.looks = 0;
      heap.add(slot);
      most = Math.max(most, slots.looks);
    }
    for (int slot = 0; slot < count; slot++) {
      slots.deadlines[slot] = (slot * 31L) % count;
      slots.looks = 0;
      heap.changed(slots.places[slot]);
      most = Math.max(most, slots.looks);
    }
    for (int slot = 0; slot < count; slot += 2) {
      slots.looks = 0;
      heap.remove(slots.places[slot]);
      most = Math.max(most, slots.looks);
    }
    long before = -1;
    while (heap.size() > 0) {
      long deadline = slots.deadlines[heap.at(0)];
      assertThat(deadline).isGreaterThanOrEqualTo(before);
      before = deadline;
      slots.looks = 0;
      heap.remove(0);
      most = Math.max(most, slots.looks);
    }

    assertThat(most).isLessThan(60);
  }

  @Test
  @Rule({"S-033", "S-121"})
  @Timeout(value = 5, unit = TimeUnit.SECONDS) // with a walk along the others: a minute
  void locksThatEndBeforeManyOthersDoNotLookAtAllOfThem() {
    int longer = 200_000;
    LockTable table = new LockTable(2 * longer, new StoredMemory());
    DeadlineList list = new DeadlineList();
    long[] ids = table.reserve().ids(2 * longer);
    for (int i = 0; i < longer; i++) {
      table.link(table.take(ids[i], queue, i, 300_000 + i), list);
    }

    for (int i = longer; i < ids.length; i++) {
      table.link(table.take(ids[i], queue, i, 5_000 + i), list);
    }

    assertThat(table.firstDeadline(list)).isEqualTo(5_000 + longer);
    assertThat(list.count()).isEqualTo(ids.length);
    for (long id : ids) {
      table.release(id, list);
    }
    assertThat(table.firstDeadline(list)).isEqualTo(Long.MAX_VALUE);
    assertThat(list.count()).isZero();
  }

  @Test
  @Rule({"S-033", "S-121"})
  void locksOfAllDeadlinesAreInOrderWhateverBecomesOfThem() {
    LockTable table = new LockTable(1_000, new StoredMemory());
    DeadlineList list = new DeadlineList();
    Random chance = new Random(4);
    List<Long> held = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      long deadline = chance.nextInt(20);
      int which = held.isEmpty() ? 0 : chance.nextInt(held.size());
      if (held.size() < 30 && chance.nextBoolean()) {
        long id = table.reserve().ids(1)[0];
        table.link(table.take(id, queue, step, deadline), list);
        held.add(id);
      } else if (!held.isEmpty() && chance.nextBoolean()) {
        table.release(held.remove(which), list);
      } else if (!held.isEmpty()) {
        table.extend(held.get(which), list, deadline);
      }

      List<Long> inOrder = new ArrayList<>();
      List<Long> found = new ArrayList<>();
      held.forEach(id -> inOrder.add(table.deadline(LockTable.slotOf(id))));
      inOrder.sort(Comparator.naturalOrder());
      LocksInOrder walk = new LocksInOrder(table, list);
      for (int slot = walk.next(); slot != LockTable.NONE; slot = walk.next()) {
        assertThat(held).contains(table.id(slot));
        found.add(table.deadline(slot));
      }
      assertThat(found).isEqualTo(inOrder);
      assertThat(table.firstDeadline(list))
          .isEqualTo(found.isEmpty() ? Long.MAX_VALUE : found.getFirst());
    }
  }
}
