package io.peeklock.kernel.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.MachineChecker;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whoever locks and settles nothing leaves locks to the receivers of all other queues. */
class LockShareTest {
  private static final int LOCKS = 3_200;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final List<QueueFixture> queues = new ArrayList<>();

  private QueueFixture queue(String name) {
    var queue = QueueFixture.of(shard, QueueDefinition.named(name));
    queues.add(queue);
    return queue;
  }

  private void limitLocks() {
    limitLocks(LOCKS);
  }

  /** From now on there are few locks; the entities are there already. */
  private void limitLocks(int most) {
    Machine small = new Machine(most);
    shard.checkEveryStep = false; // it replays into a machine with more
    shard.log.forEach(logged -> small.apply(logged.index(), logged.fact()));
    shard.machine = small;
  }

  private void check() {
    new MachineChecker(LOCKS).check(shard.machine);
  }

  @AfterEach
  void beAsAfterAReplay() {
    shard.machine = shard.replayed();
    shard.machine.takeDeadBodies();
  }

  @Test
  @Rule("I-46")
  void oneQueueTakesSevenEighthsAtMost() {
    var greedy = queue("greedy");
    var other = queue("other");
    limitLocks();
    greedy.send(LOCKS);
    other.send(1);

    assertThat(greedy.consumer().wants(LOCKS).gets()).hasSize(LOCKS / 8 * 7);
    check();

    assertThat(other.peekLock(1)).hasSize(1);
    check();
  }

  @Test
  @Rule("I-46")
  void eachOfManyLeavesRoom() {
    for (var i = 0; i < 10; i++) {
      queue("greedy" + i);
    }
    var other = queue("other");
    limitLocks();
    for (var greedy : queues) {
      greedy.send(LOCKS);
      if (greedy != other) {
        greedy.consumer().wants(LOCKS);
      }
    }

    assertThat(other.peekLock(5)).hasSize(5);
    check();
  }

  @Test
  @Rule({"I-46", "I-45"})
  void whoHasAllItMayGoesOnWhenItSettles() {
    var greedy = queue("greedy");
    limitLocks();
    greedy.send(LOCKS);
    var consumer = greedy.consumer().wants(LOCKS);
    var locked = consumer.gets();

    greedy.complete(locked.getFirst());

    assertThat(consumer.gets()).hasSize(1);
    check();
  }

  @Test
  @Rule({"I-46", "I-45"})
  void whoHasAllItMayGoesOnWhenAnotherSettles() {
    var greedy = queue("greedy");
    var other = queue("other");
    limitLocks();
    greedy.send(LOCKS);
    other.send(LOCKS / 2);
    var all = other.consumer().wants(LOCKS / 2).gets();
    var consumer = greedy.consumer().wants(LOCKS);
    assertThat(consumer.gets()).hasSize(LOCKS / 8 * 7 - LOCKS / 2);

    other.complete(all.get(0));
    other.complete(all.get(1));
    check();
    for (Received each : all.subList(2, all.size())) {
      other.complete(each);
    }

    assertThat(consumer.gets()).hasSize(LOCKS / 2);
    assertThat(greedy.counts().locked()).isEqualTo(LOCKS / 8 * 7);
    check();
  }

  @Test
  @Rule({"I-46", "I-45"})
  void whoHasAllItMayGoesOnWhenLocksLapse() {
    var greedy = queue("greedy");
    limitLocks();
    greedy.send(LOCKS);
    greedy.consumer().wants(LOCKS).gets();
    var next = greedy.consumer().wants(1);
    assertThat(next.gets()).isEmpty();

    shard.advance(Duration.ofMinutes(2));

    assertThat(next.gets()).hasSize(1);
    check();
  }

  @Test
  @Rule({"I-46", "S-087"})
  void whoReceivesAndDeletesNeedsNoLocks() {
    var greedy = queue("greedy");
    limitLocks();
    greedy.send(LOCKS);
    greedy.consumer().wants(LOCKS).gets();

    assertThat(greedy.receiveAndDelete(10)).hasSize(10);
    var next = greedy.consumer(ReceiveMode.RECEIVE_AND_DELETE).wants(10);
    assertThat(next.gets()).hasSize(10);
    check();
  }

  @Test
  @Rule({"I-46", "I-45"})
  void aDrainEndsWhereThereAreMessagesButNoLocks() {
    var greedy = queue("greedy");
    limitLocks();
    greedy.send(LOCKS);
    greedy.consumer().wants(LOCKS).gets();
    var before = greedy.consumer().wants(1);

    var drain = greedy.consumer().drains(5);

    assertThat(drain.drainsEnded()).isEqualTo(1);
    assertThat(drain.gets()).isEmpty();
    assertThat(before.gets()).isEmpty();
    check();
  }

  /** One at a time is let back: it must be one that can go on. */
  @Test
  @Rule({"I-46", "I-45"})
  void whoNeedsLittleRoomIsNotHeldUpByThoseThatNeedMore() {
    var heavy = new ArrayList<QueueFixture.Consumer>();
    for (var i = 0; i < 3; i++) {
      queue("heavy" + i);
    }
    var light = queue("light");
    var all = queue("all");
    limitLocks(256);
    queues.subList(0, 3).forEach(each -> heavy.add(each.consumer()));
    var reader = light.consumer();
    shard.machine.deliveries().bound(1 << 20);
    for (var each : heavy) {
      each.queue().sendSized(200_000, 200_000);
      each.wants(1);
    }
    reader.queue().sendSized(1, 1);
    reader.wants(1);
    var keptNone = 256 / 8 * 7 - 4;
    all.sendSized(new int[keptNone]);
    var held = all.consumer().wants(keptNone).gets();
    for (var each : heavy) {
      each.wants(1);
    }
    reader.wants(1);
    assertThat(reader.gets()).as("each has what it may").hasSize(1);

    all.complete(held.getFirst());

    assertThat(reader.gets()).hasSize(1);
    assertThat(heavy).allMatch(each -> each.gets().size() == 1);
  }

  @Test
  @Rule({"I-46", "S-242"})
  void sessionsOfOneQueueLeaveRoomToo() {
    var greedy = QueueFixture.of(shard, QueueDefinition.named("greedy").withSession(true));
    var other = queue("other");
    limitLocks();
    for (var i = 0; i < LOCKS; i++) {
      greedy.sendTo("s");
    }
    other.send(3);
    greedy.sendTo("next");

    var first = greedy.accepts("s", Duration.ZERO).wants(LOCKS);
    assertThat(first.gets()).hasSize(LOCKS / 8 * 7);
    var next = greedy.accepts(null, Duration.ZERO);
    assertThat(next.sessionId()).as("a session needs no lock of this kind").isEqualTo("next");
    next.drains(1);
    assertThat(next.gets()).isEmpty();
    assertThat(next.drainsEnded()).as("nobody can say when there will be a lock").isEqualTo(1);
    check();

    assertThat(other.peekLock(3)).hasSize(3);
    check();
  }

  @Test
  @Rule({"I-46", "S-207"})
  void whatIsReceivedByNumberIsOneOfThem() {
    var greedy = queue("greedy");
    var other = queue("other");
    greedy.send(1);
    other.send(1);
    var numbers = new long[] {greedy.peekLock().number(), other.peekLock().number()};
    shard.advance(Duration.ofMinutes(2));
    limitLocks();
    greedy.defer(greedy.peekLock());
    other.defer(other.peekLock());
    greedy.send(LOCKS);
    greedy.consumer().wants(LOCKS).gets();

    assertThat(greedy.refusedDeferred(numbers[0]))
        .isEqualTo(new Outcome(new Refusal.TooManyLocked(0)));
    assertThat(other.receiveDeferred(numbers[1])).hasSize(1);
    check();
  }

  @Test
  @Rule({"I-46", "I-45"})
  void veryManyForWhomNoLocksAreLeftStandAsideSomeAtATime() {
    shard.checkEveryStep = false;
    for (var i = 0; i < 3_000; i++) {
      queue("q" + i);
    }
    limitLocks(400);
    shard.machine.deliveries().bound(1); // so they stand in line
    var waiting = new ArrayList<Consumer>();
    for (var queue : queues) {
      queue.send(1);
      waiting.add(queue.consumer().wants(1));
    }

    shard.machine.deliveries().bound(Long.MAX_VALUE);
    var found = 0;
    for (; shard.machine.wantsDispatch(); found++) {
      shard.take(shard.machine.dispatch(shard.stamp()));
    }

    var locked = completeWhatCame(waiting);
    assertThat(locked).isBetween(350, 400);
    var moved = found - (locked - 1); // one was delivered before
    assertThat(moved).as("slices that moved some aside").isBetween(1, 2);
    while (locked > 0) {
      locked = completeWhatCame(waiting);
    }
    queues.forEach(queue -> assertThat(queue.counts().active()).isZero());
  }

  /** One consumer for each queue; how many messages it were. */
  private int completeWhatCame(List<Consumer> consumers) {
    var came = consumers.stream().map(Consumer::gets).toList(); // before others get what is free
    for (var i = 0; i < came.size(); i++) {
      came.get(i).forEach(queues.get(i)::complete);
    }
    return came.stream().mapToInt(List::size).sum();
  }

  /** Nothing was delivered, and the queue was asked again without end. */
  @Test
  @Rule({"I-46", "S-246"})
  void aSessionWhoseMessageHasNoRoomTakesNoLockFromTheNext() {
    var full = queue("full");
    var sessions = QueueFixture.of(shard, QueueDefinition.named("sessions").withSession(true));
    limitLocks(1);
    shard.machine.deliveries().bound(4 << 20);
    int[] sizes = new int[12];
    Arrays.fill(sizes, 256 << 10);
    full.sendSized(sizes);
    for (int i = 0; i < sizes.length; i++) {
      full.consumer(ReceiveMode.RECEIVE_AND_DELETE).wants(1);
    }
    var large = sessions.accepts("large", Duration.ZERO);
    var small = sessions.accepts("small", Duration.ZERO);
    sessions.sendTo("large", 512 << 10);
    sessions.sendTo("small", 100);

    large.wants(1);
    small.wants(1);

    assertThat(small.gets()).hasSize(1);
    assertThat(large.gets()).isEmpty();
    assertThat(shard.machine.wantsDispatch()).isFalse();
  }
}
