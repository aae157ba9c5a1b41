package io.peeklock.kernel.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.request.DeliveryPortion;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What receivers that do not read hold in sum, and that nobody waits for ever because of them. */
class DeliveryBudgetTest {
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

  /** Receivers that do not read and hold 256 KiB each: of one queue, and those of the last part. */
  private List<Consumer> lazy(int count) {
    QueueFixture full = queue("full");
    List<Consumer> lazy = new ArrayList<>();
    int ofOne = BOUND / 4 * 3 / (256 * KIB);
    shard.machine.deliveries().bound(16 * BOUND); // at the end they have more than they could get
    for (int i = 0; i < ofOne; i++) {
      lazy.add(full.consumer().wants(1));
    }
    full.sendSized(sizes(ofOne, 256 * KIB));
    for (int i = ofOne; i < count; i++) {
      QueueFixture own = queue("full" + i);
      lazy.add(own.consumer().wants(1));
      own.sendSized(256 * KIB);
    }
    shard.machine.deliveries().bound(BOUND);
    assertThat(taken()).isEqualTo(count * 256L * KIB);
    return lazy;
  }

  @Test
  void receiversThatDoNotReadHoldNoMoreThanTheRoomWhateverTheyMayEach() {
    QueueFixture queue = queue("q");
    for (int i = 0; i < 100; i++) {
      queue.consumer().wants(1_000);
    }

    queue.sendSized(sizes(200, 256 * KIB));

    assertThat(taken()).isBetween(BOUND / 4L * 3, BOUND / 4 * 3 + 256L * KIB);
    assertThat(shard.machine.wantsDispatch()).isFalse();
    assertThat(shard.machine.deliveries().heldUp()).isPositive();
  }

  @Test
  @Rule("I-46")
  void receiversOfOneQueueThatDoNotReadLeaveSomethingToThoseOfOthers() {
    shard.checkEveryStep = false; // there are thousands
    QueueFixture full = queue("full");
    full.sendSized(sizes(5_000, KIB));
    for (int i = 0; i < 100; i++) {
      full.consumer().wants(1_000);
    }
    QueueFixture queue = queue("q");
    Consumer reader = queue.consumer().wants(1_000);

    queue.sendSized(sizes(200, KIB));

    int had = reader.gets().size();
    assertThat(had).isGreaterThan(50);
    reader.transferred((long) had * KIB);
    assertThat(reader.gets()).as("and goes on when it has read").isNotEmpty();
  }

  @Test
  @Rule("I-46")
  void receiversOfManyQueuesThatDoNotReadLeaveSomethingToo() {
    shard.checkEveryStep = false; // there are thousands
    for (int i = 0; i < 30; i++) {
      QueueFixture full = queue("full" + i);
      full.sendSized(sizes(1_500, KIB));
      for (int j = 0; j < 30; j++) {
        full.consumer().wants(1_000);
      }
    }
    QueueFixture queue = queue("q");
    Consumer reader = queue.consumer().wants(1_000);

    queue.sendSized(sizes(10, KIB));

    assertThat(reader.gets()).hasSizeGreaterThan(5);
    assertThat(taken()).isLessThan(BOUND);
  }

  @Test
  @Rule({"I-46", "I-45"})
  void aQueueThatHadAllItMayGoesOnWhenItsReceiversOrOthersHaveRead() {
    List<Consumer> lazy = lazy(14);
    QueueFixture full = lazy.getFirst().queue();
    full.sendSized(256 * KIB, 256 * KIB);
    Consumer next = full.consumer().wants(2);
    assertThat(next.gets()).isEmpty();

    lazy.get(12).transferred(256 * KIB);
    assertThat(next.gets()).isEmpty();
    lazy.get(13).transferred(256 * KIB);
    assertThat(next.gets()).as("three quarters are taken").isEmpty();

    lazy.get(1).transferred(256 * KIB);
    assertThat(next.gets()).hasSize(1);
    next.transferred(256 * KIB);
    assertThat(next.gets()).hasSize(1);
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
    List<Consumer> lazy = lazy(16);
    assertThat(taken()).isEqualTo(BOUND);
    List<Consumer> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      QueueFixture queue = queue("q" + i);
      waiting.add(queue.consumer().wants(1));
      queue.sendSized(32 * KIB);
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
    List<Consumer> lazy = lazy(16);
    List<Consumer> waiting = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      QueueFixture queue = queue("q" + i);
      waiting.add(queue.consumer().wants(1));
      queue.sendSized(100 * KIB);
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
    shard.machine.deliveries().bound(16 << 20);
    QueueFixture full = queue("full");
    full.sendSized(sizes(6, 2 << 20));
    for (int i = 0; i < 6; i++) {
      full.consumer().wants(1);
    }
    QueueFixture last = queue("last");
    Consumer lazy = last.consumer().wants(1);
    QueueFixture first = queue("first");
    Consumer one = first.consumer().wants(9);
    first.sendSized(70 * KIB); // with it one has more than its portion
    QueueFixture second = queue("second");
    Consumer other = second.consumer().wants(9);
    second.sendSized(70 * KIB);
    last.sendSized(2 << 20);
    QueueFixture rest = queue("rest");
    rest.consumer().wants(1);
    rest.sendSized(2 << 20); // all of the room
    first.sendSized(70 * KIB);
    second.sendSized(70 * KIB);
    Consumer light = first.consumer().wants(9); // so that the queue needs less for its turn
    assertThat(one.gets()).hasSize(1);
    assertThat(other.gets()).hasSize(1);

    lazy.transferred(2 << 20);

    assertThat(light.gets()).hasSize(1);
    assertThat(other.gets()).isEmpty();
  }

  @Test
  @Rule({"I-46", "S-087"})
  void drainsOfSessionsEndWithoutRoomWhetherOrNotThereIsSomethingForThem() {
    List<Consumer> lazy = lazy(16);
    QueueFixture carts = QueueFixture.of(shard, QueueDefinition.named("carts").withSession(true));
    Consumer waits = carts.accepts("a", Duration.ZERO);
    carts.sendTo("a");
    waits.drains(5);
    assertThat(waits.drainsEnded()).isEqualTo(1);
    assertThat(waits.gets()).isEmpty();

    Consumer idle = carts.accepts("b", Duration.ZERO);
    idle.drains(5);
    assertThat(idle.drainsEnded()).isEqualTo(1);

    lazy.get(0).closes();
    assertThat(waits.wants(1).gets()).hasSize(1);
  }

  @Test
  void aReceiverThatGoesLeavesItsRoomToOthers() {
    List<Consumer> lazy = lazy(16);
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
  @Rule({"I-46", "S-087"})
  void aDrainEndsWhereOthersHoldAllThatMayBeUnderWay() {
    List<Consumer> lazy = lazy(16);
    QueueFixture other = queue("other");
    other.sendSized(100);

    Consumer drained = other.consumer().drains(5);
    assertThat(drained.drainsEnded()).isEqualTo(1);
    assertThat(drained.gets()).isEmpty();

    lazy.get(0).closes();
    assertThat(drained.wants(1).gets()).hasSize(1);
  }

  @Test
  @Rule({"I-46", "S-087"})
  void aDrainThatWaitsEndsWhenNothingIsLeftForIt() {
    QueueFixture other = queue("other");
    Consumer draining = other.consumer();
    QueueFixture full = queue("full");
    full.sendSized(sizes(4, 1 << 20));
    for (int i = 0; i < 4; i++) {
      full.consumer().wants(1);
    }
    other.sendSized(100);
    shard.machine.deliveries().bound(taken());

    draining.drains(1);
    assertThat(draining.drainsEnded()).isEqualTo(1);
  }

  @Test
  @Rule({"I-46", "S-087"})
  void aDrainEndsWhereItsOwnQueueHasAllThatItMay() {
    QueueFixture full = queue("all");
    full.sendSized(sizes(13, 256 * KIB));
    for (int i = 0; i < 12; i++) {
      full.consumer().wants(1);
    }
    assertThat(taken()).isEqualTo(BOUND / 4 * 3);

    assertThat(full.consumer().drains(1).drainsEnded()).isEqualTo(1);
  }

  @Test
  @Rule("I-46")
  void largeMessagesOfManyQueuesLeaveSomethingToSmallOnes() {
    List<Consumer> lazy = lazy(12);
    List<Consumer> many = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      QueueFixture next = queue("large" + i);
      next.sendSized(128 * KIB);
      many.add(next.consumer().wants(1));
    }
    QueueFixture small = queue("small");
    small.sendSized(100);

    assertThat(taken()).isLessThan(BOUND - 256 * KIB);
    assertThat(small.consumer().wants(1).gets()).hasSize(1);
    assertThat(many.get(29).gets()).isEmpty();

    lazy.forEach(Consumer::closes);
    for (Consumer each : many) {
      each.closes();
    }
    assertThat(taken()).isLessThan(KIB);
  }

  @Test
  @Rule({"I-46", "S-246"})
  void aLargeMessageOfASessionHoldsUpThatSessionAlone() {
    QueueFixture queue =
        QueueFixture.of(shard, QueueDefinition.named("sessions").withSession(true));
    Consumer large = queue.accepts("large", Duration.ZERO);
    Consumer small = queue.accepts("small", Duration.ZERO);
    List<Consumer> lazy = lazy(12);
    queue.sendTo("large", 512 * KIB);
    queue.sendTo("small", 100);

    large.wants(1);
    small.wants(1);

    assertThat(small.gets()).hasSize(1);
    assertThat(large.gets()).isEmpty();
    lazy.forEach(Consumer::closes);
    assertThat(large.gets()).hasSize(1);
  }

  @Test
  @Rule({"I-46", "I-45"})
  void aLargeMessageIsDeliveredWhenThereIsRoomForIt() {
    List<Consumer> lazy = lazy(13);
    QueueFixture large = queue("large");
    large.sendSized(512 * KIB);
    Consumer waiting = large.consumer().wants(1);
    assertThat(waiting.gets()).isEmpty();

    lazy.get(0).closes();
    lazy.get(1).closes();

    assertThat(waiting.gets()).hasSize(1);
  }

  @Test
  void aDrainOfAnEmptyQueueEndsWithoutRoom() {
    lazy(16);
    Consumer reader = queue("q").consumer();

    reader.drains(5);

    assertThat(reader.drainsEnded()).isEqualTo(1);
  }

  @Test
  void aQueueThatWaitsForRoomIsForgottenWhenItIsDeleted() {
    List<Consumer> lazy = lazy(16);
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

    assertThat(taken()).isEqualTo(BOUND / 4 * 3);
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
