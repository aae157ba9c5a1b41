package io.peeklock.kernel.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.machine.NaiveQueue.Message;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Queues are made, updated, closed, opened, emptied, left alone and deleted in no sensible order,
 * while messages come and go; a naive model of each says what is left.
 */
class EntityWalkTest {

  private static final int STEPS = 600;
  private static final List<String> PATHS = List.of("a", "b", "c/d");
  private static final Outcome GONE = new Outcome(new Refusal.EntityNotFound());
  private static final Outcome CLOSED = new Outcome(new Refusal.EntityDisabled());

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final List<NaiveEntity> entities = new ArrayList<>();
  private final List<QueueFixture> gone = new ArrayList<>();
  private final Asker asker = new Asker();
  private Chance chance = new Chance(0);

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, 16).boxed().toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Rule({
    "I-01", "I-09", "I-12", "I-17", "I-34", "I-37", "I-38", "S-071", "S-307", "S-411", "S-424"
  })
  void entitiesDoWhatNaiveOnesDo(long seed) {
    chance = new Chance(seed);
    for (int step = 0; step < STEPS; step++) {
      step();
      shard.tickWhileDue();
      entities.removeIf(each -> each.tick(shard.nowMillis, shard.monotonicMillis) && isGone(each));
      compare();
      if (chance.oneIn(150)) {
        shard.restart();
        entities.forEach(NaiveEntity::restart);
      }
    }
  }

  private boolean isGone(NaiveEntity entity) {
    return gone.add(entity.real);
  }

  private void step() {
    NaiveEntity some = entities.isEmpty() ? null : entities.get(chance.below(entities.size()));
    int what = chance.below(20);
    if (what >= 18) {
      passTime();
    } else if (some == null || what == 17) {
      create(PATHS.get(chance.below(PATHS.size())));
    } else {
      step(some, what);
    }
  }

  private void step(NaiveEntity some, int what) {
    boolean dead = chance.oneIn(4);
    switch (what) {
      case 0, 1, 2 -> send(some);
      case 3 -> schedule(some);
      case 4 -> cancel(some);
      case 5, 6, 7 -> receive(some, dead);
      case 8, 9, 10 -> settle(some, dead);
      case 11, 12 -> deleteMessages(some, dead);
      case 13, 14 -> update(some);
      case 15 -> askTheGone();
      default -> delete(some);
    }
  }

  private void passTime() {
    int most = chance.oneIn(4) ? 400_000 : chance.oneIn(3) ? 6_000 : 300;
    shard.passes(Duration.ofMillis(1 + chance.below(most)));
  }

  private QueueDefinition definition(String path) {
    return QueueDefinition.named(path)
        .with()
        .lockDurationMillis(1_000L * (1 + chance.below(6)))
        .maxDeliveryCount(1 + chance.below(4))
        .deadLetteringOnExpiration(chance.oneIn(2))
        .autoDeleteOnIdleMillis(
            chance.oneIn(2) ? QueueDefinition.FOREVER : 300_000L + chance.below(300_000))
        .status(
            chance.oneIn(2)
                ? EntityStatus.ACTIVE
                : List.of(EntityStatus.values()).get(chance.below(4)))
        .build();
  }

  private @Nullable NaiveEntity named(String path) {
    return entities.stream()
        .filter(each -> each.path().equalsIgnoreCase(path))
        .findAny()
        .orElse(null);
  }

  private void create(String path) {
    if (named(path) == null) {
      QueueDefinition wanted = definition(path);
      entities.add(new NaiveEntity(QueueFixture.of(shard, wanted), wanted, shard.nowMillis));
    }
  }

  private void update(NaiveEntity some) {
    QueueDefinition wanted = definition(some.path());
    some.changed(wanted, shard.nowMillis);

    Decision decision = shard.ask(new EntityRequest.UpdateQueue(asker, new Note(), wanted));

    assertThat(decision.effects().getLast()).isInstanceOf(Effect.QueueChanged.class);
  }

  private void delete(NaiveEntity some) {
    shard.ask(new EntityRequest.DeleteQueue(asker, new Note(), some.path()));
    entities.remove(some);
    isGone(some);
  }

  private void askTheGone() {
    if (!gone.isEmpty()) {
      QueueFixture old = gone.get(chance.below(gone.size()));
      assertThat(old.sendSized(1)).containsExactly(GONE);
      assertThat(old.peekRefused()).isTrue();
      assertThat(old.peekLock(1)).isEmpty();
    }
  }

  private void send(NaiveEntity some) {
    long life = chance.oneIn(3) ? chance.below(20_000) : QueueDefinition.FOREVER;
    int count = 1 + chance.below(4);
    long bodyId = shard.machine.nextBodyId();
    boolean open = some.status().takesSends();
    for (int i = 0; open && i < count; i++) {
      some.queue.send(shard.nowMillis, QueueFixture.SIZE, QueueFixture.HEADER, life, bodyId + i);
    }
    some.accessed(shard.nowMillis);

    Decision decision =
        some.real.send(
            QueueFixture.same(QueueFixture.SIZE, count), QueueFixture.HEADER, life, true);

    assertThat(QueueFixture.whole(decision)).isEqualTo(open ? Outcome.DONE : CLOSED);
  }

  private void schedule(NaiveEntity some) {
    if (some.status().takesSends()) {
      long dueAt = shard.nowMillis + 1 + chance.below(chance.oneIn(3) ? 900_000 : 5_000);
      some.schedule(dueAt, shard.machine.nextBodyId());
      some.accessed(shard.nowMillis);

      assertThat(some.real.schedule(dueAt)).containsExactly(some.queue.nextNumber - 1);
    }
  }

  private void cancel(NaiveEntity some) {
    if (!some.later.isEmpty()) {
      long number = some.later.remove(chance.below(some.later.size())).number();
      some.accessed(shard.nowMillis);

      assertThat(some.real.cancel(number)).isEqualTo(Outcome.DONE);
    }
  }

  private void receive(NaiveEntity some, boolean dead) {
    List<Message> free =
        some.queue.all(dead, m -> m.lockId == 0 && m.state == MessageState.ACTIVE).stream()
            .limit(some.status().letsReceive() ? 1 : 0)
            .toList();
    some.accessed(shard.nowMillis);

    List<Received> got = target(some, dead).peekLock(1);

    assertThat(QueueFixture.numbers(got)).isEqualTo(free.stream().map(m -> m.number).toList());
    for (Message message : free) {
      message.lockId = got.getFirst().lockId();
      message.deadline = shard.monotonicMillis + some.queue.definition.lockDurationMillis();
    }
  }

  private static QueueFixture target(NaiveEntity some, boolean dead) {
    return dead ? some.real.deadLetters() : some.real;
  }

  private void settle(NaiveEntity some, boolean dead) {
    List<Message> locked =
        some.queue.all(dead, m -> m.lockId != 0 && m.deadline > shard.monotonicMillis);
    if (!locked.isEmpty()) {
      Message message = locked.get(chance.below(locked.size()));
      Settlement how = List.of(Settlement.values()).get(chance.below(dead ? 2 : 5));
      how = dead && how == Settlement.DEAD_LETTER ? Settlement.COMPLETE : how;
      long lockId = message.lockId;
      some.queue.settle(dead, message, how, 0, 0, shard.nowMillis);
      some.accessed(shard.nowMillis);

      Decision decision = shard.ask(target(some, dead).settlement(how, false, null, lockId));

      assertThat(QueueFixture.whole(decision)).isEqualTo(Outcome.DONE);
    }
  }

  private void deleteMessages(NaiveEntity some, boolean dead) {
    int most = 1 + chance.below(5);
    long before = shard.nowMillis + 1 - (chance.oneIn(3) ? chance.below(2_000) : 0);
    boolean open = some.status().letsReceive();
    int deleted = open ? some.delete(dead, most, before) : 0;
    some.accessed(shard.nowMillis);

    Decision decision =
        shard.ask(
            new EntityRequest.DeleteMessages(
                asker, new Note(), target(some, dead).id, most, before, null, null));

    if (open) {
      assertThat(ShardFixture.only(decision, Effect.MessagesDeleted.class).count())
          .isEqualTo(deleted);
    } else {
      assertThat(QueueFixture.whole(decision)).isEqualTo(CLOSED);
    }
  }

  // ---- against the model

  private void compare() {
    assertThat(shard.machine.queues())
        .extracting(entry -> entry.definition())
        .containsExactlyInAnyOrderElementsOf(
            entities.stream().map(each -> each.queue.definition).toList());
    long alive = 0;
    for (NaiveEntity each : entities) {
      compare(each);
      alive += each.queue.messages.size() + each.queue.dead.size() + each.later.size();
    }
    assertThat(shard.deadBodies.size()).isEqualTo(shard.machine.nextBodyId() - 1 - alive);
  }

  private void compare(NaiveEntity naive) {
    assertThat(shown(naive.real))
        .isEqualTo(naive.queue.messages.stream().map(Message::shown).toList());
    assertThat(shown(naive.real.deadLetters()))
        .isEqualTo(naive.queue.dead.stream().map(Message::shown).toList());
    Decision decision =
        shard.machine.decide(
            shard.stamp(),
            new EntityRequest.CountMessages(asker, new Note(), List.of(naive.real.id)));
    assertThat(ShardFixture.only(decision, Effect.MessagesCounted.class).counts())
        .containsExactly(
            new EntityCounts(
                naive.queue.messages.size(),
                naive.queue.all(false, m -> m.state == MessageState.DEFERRED).size(),
                naive.queue.all(false, m -> m.lockId != 0).size(),
                naive.queue.dead.size(),
                naive.later.size(),
                0,
                0,
                naive.queue.bytes() + (long) QueueFixture.SIZE * naive.later.size(),
                naive.accessedAt(),
                0,
                0));
  }

  /** What peek shows of a queue, but for what waits for its time. */
  private List<Received> shown(QueueFixture queue) {
    Decision decision =
        shard.machine.decide(
            shard.stamp(), new Request.Peek(asker, new Note(), queue.id, 0, 512, Long.MAX_VALUE));
    return Received.of(ShardFixture.only(decision, Effect.Peeked.class).messages()).stream()
        .filter(message -> message.state() != MessageState.SCHEDULED)
        .toList();
  }
}
