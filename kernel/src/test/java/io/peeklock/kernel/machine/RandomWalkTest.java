package io.peeklock.kernel.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.machine.NaiveQueue.Message;
import io.peeklock.kernel.machine.NaiveQueue.Waiting;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Thousands of requests in no sensible order against the machine and a naive model of it, compared
 * after each; the checkers run after each decision, and the log is replayed at the end.
 */
class RandomWalkTest {

  private static final int STEPS = 800;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final Asker asker = new Asker();
  private final Map<Waiting, Consumer> consumers = new LinkedHashMap<>();
  private final List<Long> oldLocks = new ArrayList<>(List.of(0L, 7L));
  private Chance chance = new Chance(0);

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, 16).boxed().toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Rule({
    "I-01", "I-02", "I-05", "I-09", "I-12", "I-14", "I-16", "I-17", "I-20", "I-21", "I-42", "S-204"
  })
  void theMachineDoesWhatANaiveQueueDoes(long seed) {
    chance = new Chance(seed);
    QueueDefinition definition =
        new QueueDefinition(
            "walk",
            5_000,
            1 + chance.below(4),
            chance.oneIn(2) ? 20_000 : QueueDefinition.FOREVER,
            chance.oneIn(2),
            1 << 20,
            chance.oneIn(2) ? 4_000 : QueueDefinition.FOREVER);
    QueueFixture queue = QueueFixture.of(shard, definition);
    NaiveQueue model = new NaiveQueue(definition);

    for (int step = 0; step < STEPS; step++) {
      step(queue, model);
      shard.tickWhileDue();
      model.tick(shard.nowMillis, shard.monotonicMillis);
      model.dispatch(shard.nowMillis, shard.monotonicMillis);
      compare(queue, model);
      if (chance.oneIn(200)) {
        restart(model);
      }
    }
  }

  private void step(QueueFixture real, NaiveQueue naive) {
    boolean dead = chance.oneIn(4);
    switch (chance.below(12)) {
      case 0, 1, 2 -> send(real, naive);
      case 3, 4 -> flow(real, naive);
      case 5, 6, 7 -> settle(real, naive, dead);
      case 8 -> receiveDeferred(real, naive, dead);
      case 9 -> renew(real, naive, dead);
      case 10 -> lockADeadLetter(real, naive);
      default -> passTime();
    }
    if (!consumers.isEmpty() && chance.oneIn(6)) {
      compareDeliveries(naive);
      comeAndGo(naive);
    }
  }

  private void passTime() {
    shard.passes(Duration.ofMillis(chance.below(chance.oneIn(10) ? 6_000 : 400)));
  }

  private void send(QueueFixture real, NaiveQueue naive) {
    int count = 1 + chance.below(6);
    int[] sizes = new int[count];
    int[] headers = new int[count];
    long[] ttl = new long[count];
    for (int i = 0; i < count; i++) {
      sizes[i] = 1 + chance.below(chance.oneIn(30) ? 700_000 : 200);
      headers[i] = chance.below(chance.oneIn(5) ? 65_536 : 300);
      ttl[i] = chance.oneIn(3) ? chance.below(15_000) : QueueDefinition.FOREVER;
    }
    boolean atomic = chance.oneIn(3);
    long bodyId = shard.machine.nextBodyId();
    long max = naive.definition.maxSizeBytes();
    List<Boolean> fits = new ArrayList<>();
    long bytes = naive.bytes();
    for (int i = 0; i < count; i++) {
      boolean fit = bytes + sizes[i] <= max;
      fits.add(fit);
      bytes += fit ? sizes[i] : 0;
    }
    boolean none = atomic && fits.contains(false);
    for (int i = 0; i < count; i++) {
      if (!none && fits.get(i)) {
        naive.send(shard.nowMillis, sizes[i], headers[i], ttl[i], bodyId++);
      }
    }
    SendBurst burst = new SendBurst(count, sizes, headers, ttl);
    naive.dispatch(shard.nowMillis, shard.monotonicMillis);

    Decision decision = shard.ask(new Request.Send(asker, new Note(), real.id, burst, atomic));

    if (none) {
      assertThat(QueueFixture.whole(decision).refusal()).isInstanceOf(Refusal.QuotaExceeded.class);
      return;
    }
    var refusals = ShardFixture.only(decision, Effect.SendAnswered.class).refusals();
    for (int i = 0; i < count; i++) {
      assertThat(refusals == null || refusals[i] == null).isEqualTo(fits.get(i));
    }
  }

  private void flow(QueueFixture real, NaiveQueue naive) {
    if (consumers.size() < 3 || chance.oneIn(10)) {
      boolean deletes = chance.oneIn(3);
      Waiting waiting = new Waiting(deletes);
      naive.receivers.add(waiting);
      consumers.put(
          waiting, real.consumer(deletes ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK));
    }
    Waiting waiting = someone();
    long limit = Math.max(0, waiting.limit + chance.below(8) - 2);
    boolean drain = chance.oneIn(4);
    naive.flow(waiting, limit, drain);
    naive.dispatch(shard.nowMillis, shard.monotonicMillis);
    shard.ask(new Request.Flow(consumerOf(waiting).asker, limit, drain));
  }

  private Waiting someone() {
    List<Waiting> all = new ArrayList<>(consumers.keySet());
    return all.get(chance.below(all.size()));
  }

  private Consumer consumerOf(Waiting waiting) {
    Consumer consumer = consumers.get(waiting);
    return Objects.requireNonNull(consumer);
  }

  /** Bytes reach the socket, deliveries come back, receivers leave. */
  private void comeAndGo(NaiveQueue naive) {
    Waiting waiting = someone();
    Consumer consumer = consumerOf(waiting);
    switch (chance.below(4)) {
      case 0 -> {
        consumer.closes();
        naive.line.removeIf(one -> one == waiting);
        naive.receivers.remove(waiting);
        consumers.remove(waiting);
      }
      case 1 -> {
        List<Message> locked =
            naive.all(false, m -> m.lockId > 0 && m.deadline > shard.monotonicMillis);
        if (!waiting.deletes && !locked.isEmpty()) {
          Message message = locked.get(chance.below(locked.size()));
          long lockId = message.lockId;
          naive.letGo(false, message, false, shard.nowMillis);
          waiting.delivered = Math.max(0, waiting.delivered - 1);
          waiting.unsent = Math.max(0, waiting.unsent - message.size);
          naive.fillLine(waiting);
          naive.dispatch(shard.nowMillis, shard.monotonicMillis);
          oldLocks.add(lockId);
          shard.ask(new Request.Undelivered(consumer.asker, new long[] {lockId}, 1, message.size));
        }
      }
      default -> {
        waiting.unsent = 0;
        naive.dispatch(shard.nowMillis, shard.monotonicMillis);
        consumer.transferred(1L << 40);
      }
    }
  }

  private QueueId target(QueueFixture real, boolean dead) {
    return dead ? real.deadLetters().id : real.id;
  }

  /** Locks of this queue, now and then one that is lost, of the other queue, or named twice. */
  private List<Long> someLocks(NaiveQueue naive, boolean dead) {
    List<Long> ids = new ArrayList<>();
    List<Message> locked = naive.all(chance.oneIn(10) != dead, m -> m.lockId != 0);
    for (int i = chance.below(4); i >= 0; i--) {
      boolean old = locked.isEmpty() || chance.oneIn(8);
      ids.add(
          old
              ? oldLocks.get(chance.below(oldLocks.size()))
              : locked.get(chance.below(locked.size())).lockId);
    }
    return ids;
  }

  private void settle(QueueFixture real, NaiveQueue naive, boolean dead) {
    Settlement how = List.of(Settlement.values()).get(chance.below(5));
    List<Long> ids = someLocks(naive, dead);
    boolean atomic = chance.oneIn(4);
    int overlayBytes = chance.oneIn(3) ? 1 + chance.below(chance.oneIn(4) ? 65_536 : 500) : 0;
    if (overlayBytes > 0) {
      ids = ids.subList(0, 1);
    }
    List<Message> good = new ArrayList<>();
    List<Boolean> done = new ArrayList<>();
    for (long id : ids) {
      List<Message> held = naive.held(dead, id, shard.monotonicMillis);
      boolean fine =
          !held.isEmpty()
              && !good.contains(held.getFirst())
              && !(dead && how == Settlement.DEAD_LETTER);
      done.add(fine);
      if (fine) {
        good.add(held.getFirst());
      }
    }
    boolean none = atomic && done.contains(false);
    long merged = good.isEmpty() ? 0 : good.getFirst().overlayId;
    boolean stored = false;
    if (!none) {
      for (Message message : good) {
        oldLocks.add(message.lockId);
        stored |=
            naive.settle(
                dead, message, how, overlayBytes, shard.machine.nextBodyId(), shard.nowMillis);
      }
    }
    naive.dispatch(shard.nowMillis, shard.monotonicMillis);

    Decision decision =
        shard.ask(
            new Request.Settle(
                asker,
                new Note(),
                target(real, dead),
                how,
                ids.stream().mapToLong(Long::longValue).toArray(),
                ids.size(),
                atomic,
                overlayBytes == 0 ? null : new Overlay(overlayBytes, merged)));

    if (overlayBytes > 0) {
      assertThat(decision.keptBodies() == null).isEqualTo(stored);
    }
    if (none) {
      assertThat(QueueFixture.whole(decision).refusal()).isNotNull();
      assertThat(decision.facts()).isEmpty();
      return;
    }
    var refusals = ShardFixture.only(decision, Effect.SettleAnswered.class).refusals();
    for (int i = 0; i < ids.size(); i++) {
      assertThat(refusals == null || refusals[i] == null).isEqualTo(done.get(i));
    }
  }

  private void renew(QueueFixture real, NaiveQueue naive, boolean dead) {
    List<Long> ids = someLocks(naive, dead);
    List<Message> good = new ArrayList<>();
    for (long id : ids) {
      good.addAll(naive.held(dead, id, shard.monotonicMillis));
    }
    boolean all = good.size() == ids.size();
    if (all) {
      good.forEach(m -> m.deadline = shard.monotonicMillis + 5_000);
    }

    Decision decision =
        shard.ask(
            new Request.Renew(
                asker,
                new Note(),
                target(real, dead),
                ids.stream().mapToLong(Long::longValue).toArray()));

    assertThat(QueueFixture.whole(decision).refusal() == null).isEqualTo(all);
  }

  private void receiveDeferred(QueueFixture real, NaiveQueue naive, boolean dead) {
    List<Message> deferred = naive.all(dead, m -> m.state == MessageState.DEFERRED);
    List<Long> numbers = new ArrayList<>();
    for (int i = chance.below(3); i >= 0; i--) {
      numbers.add(
          deferred.isEmpty() || chance.oneIn(10)
              ? 1 + chance.below((int) naive.nextNumber)
              : deferred.get(chance.below(deferred.size())).number);
    }
    List<Message> good = new ArrayList<>();
    List<Message> expired = new ArrayList<>();
    boolean missing = false;
    for (long number : numbers) {
      List<Message> found =
          naive.all(
              dead, m -> m.number == number && m.state == MessageState.DEFERRED && m.lockId == 0);
      boolean again = found.isEmpty() || good.contains(found.getFirst());
      boolean old = !again && !dead && found.getFirst().expiresAt <= shard.nowMillis;
      missing |= again || old;
      if (old && !expired.contains(found.getFirst())) {
        expired.add(found.getFirst());
      } else if (!again && !old) {
        good.add(found.getFirst());
      }
    }
    expired.forEach(naive::expire);
    boolean deletes = chance.oneIn(4);
    ReceiveMode mode = deletes ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;

    Decision decision =
        shard.ask(
            new Request.ReceiveDeferred(
                asker,
                new Note(),
                target(real, dead),
                numbers.stream().mapToLong(Long::longValue).toArray(),
                mode,
                null,
                Long.MAX_VALUE));

    if (missing) {
      assertThat(QueueFixture.whole(decision).refusal())
          .isInstanceOf(Refusal.MessageNotFound.class);
      return;
    }
    MessageBurst burst = ShardFixture.only(decision, Effect.DeferredReceived.class).messages();
    assertThat(QueueFixture.numbers(Received.of(burst))).isEqualTo(numbers);
    for (int i = 0; i < good.size(); i++) {
      if (deletes) {
        (dead ? naive.dead : naive.messages).remove(good.get(i));
      } else {
        good.get(i).lockId = Received.of(burst).get(i).lockId();
        good.get(i).deadline = shard.monotonicMillis + 5_000;
      }
    }
  }

  private void lockADeadLetter(QueueFixture real, NaiveQueue naive) {
    List<Message> free = naive.all(true, m -> m.lockId == 0 && m.state == MessageState.ACTIVE);

    List<Received> messages = real.deadLetters().peekLock(1);

    assertThat(QueueFixture.numbers(messages))
        .isEqualTo(free.stream().limit(1).map(m -> m.number).toList());
    if (!free.isEmpty()) {
      free.getFirst().lockId = messages.getFirst().lockId();
      free.getFirst().deadline = shard.monotonicMillis + 5_000;
    }
  }

  /** Everything that can be seen of the machine, against the model. */
  private void compare(QueueFixture real, NaiveQueue naive) {
    compareDeliveries(naive);
    assertThat(shown(real.id)).isEqualTo(naive.messages.stream().map(Message::shown).toList());
    assertThat(shown(real.deadLetters().id))
        .isEqualTo(naive.dead.stream().map(Message::shown).toList());
    assertThat(real.counts().bytes()).isEqualTo(naive.bytes());
    assertThat(real.counts().locked()).isEqualTo(naive.all(false, m -> m.lockId != 0).size());
    assertThat(real.deadLetters().counts().locked())
        .isEqualTo(naive.all(true, m -> m.lockId != 0).size());
  }

  /** Who got what, and under which locks. */
  private void compareDeliveries(NaiveQueue naive) {
    for (Map.Entry<Waiting, Consumer> entry : consumers.entrySet()) {
      List<Received> got = entry.getValue().gets();
      assertThat(QueueFixture.numbers(got)).isEqualTo(entry.getKey().expected);
      entry.getKey().expected.clear();
      for (Received message : got) {
        naive
            .all(false, m -> m.number == message.number() && m.lockId == -1)
            .forEach(m -> m.lockId = message.lockId());
      }
      assertThat(entry.getValue().drainsEnded()).isEqualTo(entry.getKey().drained);
    }
  }

  private List<Received> shown(QueueId id) {
    List<Received> all = new ArrayList<>();
    long from = 0;
    while (true) {
      Decision decision =
          shard.machine.decide(
              shard.stamp(), new Request.Peek(asker, new Note(), id, from, 512, Long.MAX_VALUE));
      List<Received> some =
          Received.of(ShardFixture.only(decision, Effect.Peeked.class).messages());
      if (some.isEmpty()) {
        return all;
      }
      all.addAll(some);
      from = some.getLast().number() + 1;
    }
  }

  /** Locks, receivers and credit are gone, everything else stays. */
  private void restart(NaiveQueue naive) {
    shard.restart();
    oldLocks.subList(2, oldLocks.size()).clear(); // lock ids mean nothing beyond their process
    naive.all(false, m -> true).forEach(m -> m.lockId = 0);
    naive.all(true, m -> true).forEach(m -> m.lockId = 0);
    naive.line.clear();
    naive.receivers.clear();
    consumers.clear();
  }
}
