package io.peeklock.amqp.engine.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of unsettled deliveries against a plain map. */
class UnsettledTableTest {
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void itAgreesWithAMapHoweverDeliveriesComeAndGo(long seed) {
    var random = new Random(seed);
    var link = new Holder();
    var table = new UnsettledTable<Holder>();
    var model = new TreeMap<Integer, Long>();
    int next = -5_000;
    for (int step = 0; step < 100_000; step++) {
      if (random.nextInt(100) < 51) {
        table.add(next, 2L * next, link);
        model.put(next, 2L * next);
        next++;
      } else {
        int id = random.nextInt(4) == 0 ? next - random.nextInt(3_000) : oldest(model, next);
        int slot = table.find(id);
        assertThat(slot != UnsettledTable.NOT_FOUND).isEqualTo(model.containsKey(id));
        if (slot != UnsettledTable.NOT_FOUND) {
          assertThat(table.context(slot)).isEqualTo(model.remove(id));
          table.remove(slot);
        }
      }
      assertThat(table.size()).isEqualTo(model.size());
    }
    List<Integer> all = new ArrayList<>();
    for (int id : table.idsWithin(-6_000, 200_000, true)) {
      all.add(id);
    }
    assertThat(all).isEqualTo(List.copyOf(model.keySet()));
  }

  @Test
  void aBlockOfOldDeliveriesIsNoWallForNewOnes() {
    var link = new Holder();
    var table = new UnsettledTable<Holder>();
    for (int id = 0; id < 50_000; id++) {
      table.add(id, id, link);
    }

    for (int id = 50_000; id < 2_000_000; id++) {
      table.add(id, id, link);
      table.remove(table.find(id)); // quadratic with a plain ring: this would take minutes
    }

    assertThat(table.size()).isEqualTo(50_000);
  }

  @Test
  void deliveriesOfALinkThatIsGoneAreSweptOut() {
    var gone = new Holder();
    var stays = new Holder();
    var table = new UnsettledTable<Holder>();
    for (int id = 0; id < 1000; id++) {
      table.add(id, id, id % 4 == 0 ? stays : gone);
    }
    gone.attached = false;

    table.forget(750);

    assertThat(table.size()).isEqualTo(250);
    assertThat(table.find(1)).isEqualTo(UnsettledTable.NOT_FOUND);
    assertThat(table.find(996)).isNotNegative();
    assertThat(table.idsWithin(0, 1_000_000, true)).hasSize(250);
  }

  @Test
  void whatTheClientHasSpokenOfIsNotLookedForAgain() {
    var link = new Holder();
    var table = new UnsettledTable<Holder>();
    for (int id = 0; id < 1000; id++) {
      table.add(id, id, link);
    }
    for (int id = 0; id < 1000; id++) {
      if (id % 100 != 7) {
        table.setReported(table.find(id), true);
        table.setReported(table.find(id), true);
      }
    }

    assertThat(table.unreported()).isEqualTo(10);
    assertThat(table.idsWithin(0, 500, false)).containsExactly(7, 107, 207, 307, 407);
    assertThat(table.idsWithin(0, 500, true)).hasSize(501);

    table.remove(table.find(7));
    table.remove(table.find(8));
    assertThat(table.unreported()).isEqualTo(9);
    table.setReported(table.find(9), false); // it was answered, and is not settled
    assertThat(table.unreported()).isEqualTo(10);
    for (int id = 1000; id < 5000; id++) {
      table.add(id, id, link); // the table grows
    }
    assertThat(table.unreported()).isEqualTo(4010);
  }

  private static int oldest(NavigableMap<Integer, Long> model, int otherwise) {
    return model.isEmpty() ? otherwise : model.firstKey();
  }

  private static final class Holder implements DeliveryHolder {
    private boolean attached = true;

    @Override
    public boolean isAttached() {
      return attached;
    }
  }
}
