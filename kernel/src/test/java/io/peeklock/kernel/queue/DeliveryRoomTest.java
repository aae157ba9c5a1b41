package io.peeklock.kernel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.DeliveryPortion;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.SendBurst;
import io.peeklock.kernel.queue.QueueFixture.Consumer;
import io.peeklock.kernel.queue.QueueFixture.Received;
import io.peeklock.kernel.queue.ShardFixture.Asker;
import io.peeklock.kernel.queue.ShardFixture.Note;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What receivers that do not read hold in sum, and that nobody waits for ever because of them. */
class DeliveryRoomTest {
  private static final int KIB = 1 << 10;
  private static final int BOUND = 4 << 20;
  private static final int PORTION = (int) DeliveryPortion.BYTES;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  @BeforeEach
  void bound() {
    shard.machine.deliveries().bound(BOUND);
  }

  private QueueFixture queue(String name) {
    return QueueFixture.of(shard, QueueDefinition.named(name));
  }

  private static int[] sizes(int count, int size) {
    int[] sizes = new int[count];
    Arrays.fill(sizes, size);
    return sizes;
  }

  private long taken() {
    return shard.machine.deliveries().taken();
  }

  private static long bytes(List<Received> messages) {
    return messages.stream().mapToLong(Received::size).sum();
  }

  @Test
  void receiversThatDoNotReadHoldNoMoreThanTheRoomWhateverTheyMayEach() {
    QueueFixture queue = queue("q");
    for (int i = 0; i < 100; i++) {
      queue.consumer().wants(1_000);
    }

    queue.sendSized(sizes(200, 256 * KIB));

    assertThat(taken()).isBetween((long) BOUND, BOUND + 256L * KIB);
    assertThat(shard.machine.wantsDispatch()).isFalse();
    assertThat(shard.machine.deliveries().heldUp()).isPositive();
  }

  @Test
  void whoHasLittleUnderWayIsServedThoughOthersHoldHalfOfTheRoom() {
    QueueFixture full = queue("full");
    full.consumer().wants(1_000);
    full.consumer().wants(1_000);
    full.sendSized(sizes(100, 64 * KIB));
    QueueFixture queue = queue("q");
    Consumer reader = queue.consumer().wants(1_000);

    queue.sendSized(sizes(50, 16 * KIB));

    assertThat(taken()).isGreaterThanOrEqualTo(BOUND / 2);
    assertThat(bytes(reader.gets())).isEqualTo(PORTION);
    for (int i = 1; i < 13; i++) {
      reader.transferred(PORTION);
    }
    assertThat(reader.gets()).hasSize(46);
  }

  @Test
  void thoseWhoWaitGoOnInTurnWhenSomebodyHasRead() {
    QueueFixture full = queue("full");
    List<Consumer> lazy = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      lazy.add(full.consumer().wants(2));
    }
    full.sendSized(sizes(16, 256 * KIB));
    assertThat(taken()).isEqualTo(BOUND);
    List<Consumer> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      QueueFixture queue = queue("q" + i);
      waiting.add(queue.consumer().wants(1));
      queue.sendSized(256 * KIB);
    }
    assertThat(waiting).allMatch(one -> one.gets().isEmpty());

    for (int i = 0; i < 4; i++) {
      lazy.get(i).transferred(256 * KIB);
    }

    assertThat(waiting).allMatch(one -> one.gets().size() == 1);
  }

  @Test
  void whenThereIsSomeRoomOnlyThoseAreLookedAtWhoGetIt() {
    shard.checkEveryStep = false;
    QueueFixture full = queue("full");
    List<Consumer> lazy = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      lazy.add(full.consumer().wants(1));
    }
    full.sendSized(sizes(16, 256 * KIB));
    List<Consumer> waiting = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      QueueFixture queue = queue("q" + i);
      waiting.add(queue.consumer().wants(1));
      queue.sendSized(256 * KIB);
    }
    long before = shard.machine.deliveries().heldUp();

    lazy.getFirst().transferred(256 * KIB);
    lazy.get(1).transferred(256 * KIB);

    assertThat(waiting).filteredOn(one -> !one.gets().isEmpty()).hasSize(2);
    assertThat(shard.machine.deliveries().heldUp() - before)
        .as("not those that wait on")
        .isLessThanOrEqualTo(2);
  }

  @Test
  void aQueueKeepsItsTurnWhenItNeedsMoreOrLessRoom() {
    QueueFixture full = queue("full");
    List<Consumer> lazy = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      lazy.add(full.consumer().wants(1));
    }
    full.sendSized(sizes(15, 256 * KIB));
    QueueFixture first = queue("first");
    Consumer one = first.consumer().wants(9);
    first.sendSized(256 * KIB); // the last of the room, and with it one has more than its portion
    QueueFixture second = queue("second");
    Consumer other = second.consumer().wants(9);
    first.sendSized(256 * KIB);
    second.sendSized(256 * KIB);
    Consumer light = first.consumer().wants(9); // so that the queue needs less for its turn
    assertThat(one.gets()).hasSize(1);

    lazy.getFirst().transferred(256 * KIB);

    assertThat(light.gets()).hasSize(1);
    assertThat(other.gets()).isEmpty();
  }

  @Test
  void drainsOfSessionsEndWithoutRoomAndOthersAreNotLookedAtForIt() {
    QueueFixture full = queue("full");
    for (int i = 0; i < 16; i++) {
      full.consumer().wants(1);
    }
    full.sendSized(sizes(16, 256 * KIB));
    QueueFixture carts = QueueFixture.of(shard, QueueDefinition.named("carts").withSession(true));
    Consumer waits = carts.accepts("a", Duration.ZERO);
    carts.sendTo("a");
    waits.drains(5);
    assertThat(waits.drainsEnded()).as("there is something for it").isZero();

    Consumer idle = carts.accepts("b", Duration.ZERO);
    idle.drains(5);

    assertThat(idle.drainsEnded()).isEqualTo(1);
    assertThat(waits.drainsEnded()).isZero();
    waits.wantsInAll(0);
    waits.drains(-5);
    assertThat(waits.drainsEnded()).as("it wants nothing any more").isEqualTo(1);
  }

  @Test
  void aReceiverThatGoesLeavesItsRoomToOthers() {
    QueueFixture full = queue("full");
    List<Consumer> lazy = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      lazy.add(full.consumer().wants(1));
    }
    full.sendSized(sizes(16, 256 * KIB));
    QueueFixture queue = queue("q");
    Consumer reader = queue.consumer().wants(1);
    queue.send(1);
    assertThat(reader.gets()).isEmpty();

    lazy.getFirst().closes();

    assertThat(reader.gets()).hasSize(1);
  }

  @Test
  void messagesThatComeBackUndeliveredLeaveTheirRoom() {
    QueueFixture queue = queue("q");
    Consumer one = queue.consumer().wants(1);
    queue.sendSized(256 * KIB);

    one.wantsInAll(0);
    one.undelivered(one.gets().toArray(Received[]::new));

    assertThat(taken()).isZero();
  }

  @Test
  void aLargeMessageCountsForNoMoreThanPassesAtATime() {
    QueueFixture queue = queue("q");
    Consumer one = queue.consumer().wants(1);

    queue.sendSized(100 << 20);

    assertThat(taken()).isEqualTo(2 << 20);
    one.transferred(100 << 20);
    assertThat(taken()).isZero();
  }

  @Test
  void aDrainOfAnEmptyQueueEndsWithoutRoom() {
    QueueFixture full = queue("full");
    for (int i = 0; i < 16; i++) {
      full.consumer().wants(1);
    }
    full.sendSized(sizes(16, 256 * KIB));
    Consumer reader = queue("q").consumer();

    reader.drains(5);

    assertThat(reader.drainsEnded()).isEqualTo(1);
  }

  @Test
  void aQueueThatWaitsForRoomIsForgottenWhenItIsDeleted() {
    QueueFixture full = queue("full");
    List<Consumer> lazy = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      lazy.add(full.consumer().wants(1));
    }
    full.sendSized(sizes(16, 256 * KIB));
    QueueFixture queue = queue("q");
    Consumer waits = queue.consumer().wants(1);
    queue.send(1);

    waits.closes();
    lazy.getFirst().transferred(256 * KIB);

    assertThat(waits.gets()).isEmpty();
    assertThat(shard.machine.wantsDispatch()).isFalse();
  }

  @Test
  void holdersOfSessionsShareTheRoomToo() {
    QueueFixture queue =
        QueueFixture.of(shard, QueueDefinition.named("sessions").withSession(true));
    List<Consumer> holders = new ArrayList<>();
    String[] ids = new String[40];
    for (int i = 0; i < 20; i++) {
      holders.add(queue.accepts("s" + i, Duration.ZERO).wants(9));
      ids[2 * i] = "s" + i;
      ids[2 * i + 1] = "s" + i;
    }

    send(queue, sizes(40, 256 * KIB), ids);

    assertThat(taken()).isEqualTo(BOUND);
    assertThat(shard.machine.wantsDispatch()).isFalse();
    long served = holders.stream().filter(holder -> !holder.gets().isEmpty()).count();
    for (Consumer holder : holders) {
      holder.transferred(512 * KIB);
    }
    assertThat(served).isBetween(8L, 16L);
    long left = shard.effects.stream().filter(Effect.Delivered.class::isInstance).count();
    assertThat(left).isPositive();
    for (Consumer holder : holders) {
      holder.transferred(512 * KIB);
    }
    assertThat(queue.counts().locked()).isEqualTo(40);
  }

  private void send(QueueFixture queue, int[] sizes, String[] ids) {
    long[] forever = new long[ids.length];
    Arrays.fill(forever, QueueDefinition.FOREVER);
    shard.ask(
        new Request.Send(
            new Asker(),
            new Note(),
            queue.id,
            new SendBurst(ids.length, sizes, new int[ids.length], forever, null, null, ids),
            false));
  }
}
