package io.peeklock.kernel.administration;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RulePage;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.transaction.TransactionFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A namespace that is emptied in one step. */
class EmptyNamespaceTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue(String path) {
    return QueueFixture.of(shard, QueueDefinition.named(path));
  }

  private QueueFixture subscription(String name) {
    return QueueFixture.of(
        shard,
        QueueDefinition.named("events/Subscriptions/" + name)
            .as(new QueueRole.Subscription("events", false)));
  }

  private Decision empty(boolean keepsEntities) {
    return shard.ask(new EntityRequest.EmptyNamespace(new Asker(), new Note(), keepsEntities));
  }

  /** The queue of this path as it is now. */
  private QueueFixture present(String path) {
    QueueEntry entry =
        shard.machine.queues().stream()
            .filter(each -> each.definition().path().equals(path))
            .findFirst()
            .orElseThrow();
    return new QueueFixture(shard, entry.queue(), entry.deadLetterQueue());
  }

  @Test
  void everyEntityGoesWithWhateverItHolds() {
    QueueFixture orders = queue("orders");
    orders.send(5);
    orders.schedule(shard.nowMillis + 60_000, shard.nowMillis + 90_000);
    orders.deadLetter(orders.peekLock());
    orders.defer(orders.peekLock());
    orders.peekLock();
    Consumer consumer = orders.consumer();
    QueueFixture.of(shard, QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    QueueFixture all = subscription("all");
    QueueFixture events = new QueueFixture(shard, new QueueId(3), new QueueId(4));
    events.send(3);
    Consumer ofTopic = all.consumer();

    Decision decision = empty(false);

    assertThat(decision.effects()).hasAtLeastOneElementOfType(Effect.QueueChanged.class);
    assertThat(decision.facts()).as("as many facts as entities").hasSize(3);
    assertThat(decision.facts()).hasOnlyElementsOfType(EntityFact.QueueDeleted.class);
    assertThat(shard.machine.queues()).isEmpty();
    assertThat(consumer.effects().getLast()).isInstanceOf(Effect.ReceiverEnded.class);
    assertThat(ofTopic.effects().getLast()).isInstanceOf(Effect.ReceiverEnded.class);
    shard.advance(Duration.ZERO);
    assertThat(shard.machine.state().deleted()).isEmpty();
    assertThat(shard.deadBodies).as("five, two and three").hasSize(10);
    assertThat(shard.machine.state().locks.room()).isEqualTo(1 << 24);
  }

  /** Ticks until nothing is left to do; how many entities the largest decision deleted. */
  private long deletesAtMost(Decision first) {
    long most = deletes(first);
    while (shard.machine.nextTickMillis(shard.stamp()) <= 0) {
      Decision decision = shard.machine.tick(shard.stamp(), null);
      most = Math.max(most, deletes(decision));
      shard.take(decision);
    }
    return most;
  }

  private static long deletes(Decision decision) {
    return decision.facts().stream()
        .filter(
            fact ->
                fact instanceof EntityFact.QueueDeleted
                    || fact instanceof EntityFact.QueueMadeAgain)
        .count();
  }

  @Test
  void manyEntitiesAreEmptiedSliceBySliceAndTheLastSliceAnswers() {
    shard.checkEveryStep = false;
    for (int i = 0; i < 2 * EmptyNamespaceHandler.SLICE + 1; i++) {
      queue("q" + i).send(1);
    }
    Asker asker = new Asker();
    Note note = new Note();
    List<String> before = paths();

    Decision decision = shard.ask(new EntityRequest.EmptyNamespace(asker, note, true));
    assertThat(shard.effectsFor(asker)).as("not before all are empty").isEmpty();
    QueueFixture late = queue("late");
    late.send(3);
    assertThat(deletesAtMost(decision)).isEqualTo(EmptyNamespaceHandler.SLICE);

    assertThat(shard.effectsFor(asker))
        .containsExactly(new Effect.QueueChanged(asker, shard.index + 1, note));
    assertThat(paths()).hasSize(before.size() + 1).containsAll(before);
    assertThat(late.counts().active()).as("made meanwhile").isEqualTo(3);
    assertThat(before).allSatisfy(path -> assertThat(present(path).counts().active()).isZero());
  }

  @Test
  void manyEntitiesGoSliceBySliceTheTopicsWhole() {
    shard.checkEveryStep = false;
    for (int i = 0; i < EmptyNamespaceHandler.SLICE - 1; i++) {
      queue("q" + i);
    }
    QueueFixture.of(shard, QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    queue("last");
    for (int i = 0; i < 10; i++) {
      subscription("s" + i);
    }

    Decision decision = shard.ask(new EntityRequest.EmptyNamespace(new Asker(), new Note(), false));
    assertThat(deletes(decision)).isEqualTo(EmptyNamespaceHandler.SLICE + 10);
    assertThat(paths()).containsExactly("last");
    deletesAtMost(decision);

    assertThat(paths()).isEmpty();
    assertThat(shard.machine.state().emptyings).isEmpty();
  }

  @Test
  void nothingMovesBetweenTwoSlicesIntoWhatIsEmptyAlready() {
    shard.checkEveryStep = false;
    queue("to");
    for (int i = 0; i < EmptyNamespaceHandler.SLICE; i++) {
      queue("q" + i);
    }
    QueueFixture from =
        QueueFixture.of(shard, QueueDefinition.named("from").with().forwardTo("to").build());
    shard.holdForwards(true);
    from.send(5);

    empty(true);
    shard.holdForwards(false);
    shard.tickWhileDue();

    assertThat(present("to").counts().active()).isZero();
    assertThat(present("from").counts().active()).isZero();
    assertThat(shard.deadBodies).containsExactly(1L, 2L, 3L, 4L, 5L);
    present("from").send(2);
    assertThat(present("to").counts().active()).isEqualTo(2);
  }

  @Test
  void nothingDiesBetweenTwoSlicesForWantOfWhatIsGoneAlready() {
    shard.checkEveryStep = false;
    queue("to");
    for (int i = 0; i < EmptyNamespaceHandler.SLICE; i++) {
      queue("q" + i);
    }
    QueueFixture from =
        QueueFixture.of(shard, QueueDefinition.named("from").with().forwardTo("to").build());
    shard.holdForwards(true);
    from.send(5);

    empty(false);
    shard.holdForwards(false);
    assertThat(from.counts())
        .extracting(QueueCounts::active, QueueCounts::deadLetters)
        .containsExactly(5L, 0L);
    shard.tickWhileDue();

    assertThat(paths()).isEmpty();
    assertThat(shard.log)
        .extracting(ShardFixture.Logged::fact)
        .doesNotHaveAnyElementsOfTypes(Fact.DeadLettered.class);
  }

  private List<String> paths() {
    return shard.machine.queues().stream().map(entry -> entry.definition().path()).toList();
  }

  @Test
  void nothingIsEmptiedTwice() {
    queue("orders");

    empty(false);

    assertThat(empty(false).facts()).isEmpty();
    assertThat(empty(true).facts()).isEmpty();
    assertThat(queue("orders").counts().active()).isZero();
  }

  @Test
  void entitiesThatStayAreAsTheyWere() {
    QueueFixture.of(
        shard,
        QueueDefinition.named("Orders")
            .with()
            .lockDurationMillis(5_000)
            .status(EntityStatus.SEND_DISABLED)
            .build());
    QueueFixture.of(shard, QueueDefinition.named("events").as(new QueueRole.Topic(false)));
    QueueId all = subscription("all").id;
    shard.ask(
        new Request.AddRule(
            new Asker(), new Note(), all, new Rule("more", new Filter.False(), null, 0)));
    QueueFixture.of(shard, QueueDefinition.named("copies").with().forwardTo("events").build());
    List<QueueEntry> before = shard.machine.queues();
    shard.advance(Duration.ofMinutes(1));

    empty(true);

    List<QueueEntry> after = shard.machine.queues();
    assertThat(after)
        .extracting(QueueEntry::definition)
        .containsExactlyElementsOf(before.stream().map(QueueEntry::definition).toList());
    assertThat(after)
        .extracting(QueueEntry::createdAtMillis)
        .containsExactlyElementsOf(before.stream().map(QueueEntry::createdAtMillis).toList());
    Decision listed =
        shard.ask(
            new Request.ListRules(
                new Asker(),
                new Note(),
                present("events/Subscriptions/all").id,
                RulePage.added(0, 10)));
    assertThat(ShardFixture.only(listed, Effect.RulesListed.class).rules())
        .extracting(rule -> rule.name())
        .containsExactly("$Default", "more");
    QueueFixture events = present("events");
    events.send(2);
    assertThat(present("events/Subscriptions/all").counts().active()).isEqualTo(2);
  }

  @Test
  void whatStaysBeginsAnew() {
    QueueFixture carts =
        QueueFixture.of(
            shard, QueueDefinition.named("carts").withSession(true).withDuplicateWindow(60_000));
    carts.sendTo("a", "b");
    Consumer holder = carts.accepts("a", Duration.ZERO).wants(1);
    shard.ask(new Request.SetSessionState(new Asker(), new Note(), carts.id, "a", holder.asker, 7));
    QueueFixture orders = queue("orders");
    orders.send(3);
    orders.schedule(shard.nowMillis + 60_000);
    orders.deadLetter(orders.peekLock());
    Consumer consumer = orders.consumer();

    empty(true);

    assertThat(holder.effects().getLast()).isInstanceOf(Effect.ReceiverEnded.class);
    assertThat(consumer.effects().getLast()).isInstanceOf(Effect.ReceiverEnded.class);
    QueueFixture now = present("orders");
    assertThat(now.counts().active() + now.deadLetters().counts().active()).isZero();
    now.send(1);
    assertThat(now.peekLock().number()).isEqualTo(1);
    shard.advance(Duration.ofMinutes(5));
    assertThat(now.counts().active()).as("what was scheduled never comes").isEqualTo(1);
    assertThat(shard.machine.state().deleted()).isEmpty();
  }

  @Test
  void entitiesThatStayAreNotIdleAtOnce() {
    QueueFixture.of(
        shard, QueueDefinition.named("brief").with().autoDeleteOnIdleMillis(300_000).build());
    shard.passes(Duration.ofMinutes(4));

    empty(true);
    shard.advance(Duration.ofMinutes(4));

    assertThat(shard.machine.queues()).hasSize(1);
    shard.advance(Duration.ofMinutes(2));
    assertThat(shard.machine.queues()).isEmpty();
  }

  @Test
  void placesWhereMessagesWaitForOthersAreNotMadeAgain() {
    QueueFixture via = queue("via");
    QueueFixture off =
        QueueFixture.of(
            shard, QueueDefinition.named("off").with().status(EntityStatus.SEND_DISABLED).build());
    SendBurst burst =
        new SendBurst(
            1,
            new int[] {QueueFixture.SIZE},
            new int[1],
            TransactionFixture.forever(QueueFixture.SIZE),
            new long[1],
            null,
            null);
    shard.ask(new Request.Send(new Asker(), new Note(), off.id, burst, false, false, via.id));
    assertThat(shard.log).anyMatch(one -> isForTransfers(one.fact()));
    int before = shard.log.size();

    empty(true);

    assertThat(shard.machine.queues())
        .extracting(entry -> entry.definition().path())
        .containsExactly("via", "off");
    assertThat(shard.log.subList(before, shard.log.size()))
        .noneMatch(one -> isForTransfers(one.fact()));
  }

  private static boolean isForTransfers(Fact fact) {
    return fact instanceof Fact.QueueCreated made
        && made.definition().role() instanceof QueueRole.Transfers;
  }
}
