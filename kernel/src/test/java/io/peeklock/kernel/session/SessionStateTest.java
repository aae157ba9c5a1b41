package io.peeklock.kernel.session;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.snapshot.Snapshot;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The states of message sessions, who may see them, and which sessions there are. */
public class SessionStateTest {
  private static final Outcome SESSION_LOST = new Outcome(new Refusal.SessionLockLost());

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue() {
    return QueueFixture.of(shard, Definitions.lockDuration(ofSeconds(30)).withSession(true));
  }

  @Test
  @Rule({"S-251", "S-258"})
  void onlyTheHolderRenewsAndReadsAndSets() {
    QueueFixture queue = queue();
    queue.sendTo("a");
    Consumer holder = queue.accepts("a", ZERO);

    for (Origin other : new @Nullable Origin[] {null, new Asker()}) {
      assertThat(QueueFixture.whole(shard.ask(renewal(queue, other, "a")))).isEqualTo(SESSION_LOST);
      assertThat(QueueFixture.whole(shard.ask(reading(queue, other, "a")))).isEqualTo(SESSION_LOST);
    }
    assertThat(QueueFixture.whole(shard.ask(renewal(queue, holder.asker, "b"))))
        .isEqualTo(SESSION_LOST);
  }

  @Test
  @Rule("S-254")
  void aStateMakesASessionWhereThereIsNothingElseOfIt() {
    QueueFixture queue = queue();
    queue.sendTo("has a message");
    Consumer consumer = queue.accepts("has a message", ZERO);
    Consumer alone = queue.accepts("has nothing", ZERO);

    assertThat(shard.machine.makesSession(setting(queue, alone.asker, "has nothing", 1))).isTrue();
    assertThat(shard.machine.makesSession(setting(queue, alone.asker, "has nothing", -1)))
        .isFalse();
    assertThat(shard.machine.makesSession(setting(queue, consumer.asker, "has a message", 1)))
        .isFalse();
    assertThat(shard.machine.makesSession(setting(queue, alone.asker, "not there", 1))).isFalse();
    setState(queue, alone, "has nothing", 1);
    assertThat(shard.machine.makesSession(setting(queue, alone.asker, "has nothing", 1))).isFalse();
    QueueFixture other =
        QueueFixture.of(
            shard, Definitions.lockDuration(ofSeconds(30)).with().path("plain").build());
    assertThat(shard.machine.makesSession(setting(other, alone.asker, "a", 1))).isFalse();
  }

  @Test
  @Rule({"S-253", "S-254", "S-255", "S-256", "I-25"})
  void aStateStaysUntilItIsClearedAlsoWithoutMessages() {
    QueueFixture queue = queue();
    Consumer consumer = queue.accepts("a", ZERO);
    assertThat(stateBody(queue, consumer, "a")).isZero();

    setState(queue, consumer, "a", 100);
    long first = stateBody(queue, consumer, "a");
    setState(queue, consumer, "a", 0);
    long second = stateBody(queue, consumer, "a");
    consumer.closes();
    Consumer later = queue.accepts("a", ZERO);

    assertThat(first).isEqualTo(1);
    assertThat(stateBody(queue, later, "a")).isEqualTo(second).isEqualTo(2);
    assertThat(shard.deadBodies).containsExactly(1L);
    setState(queue, later, "a", -1);
    assertThat(stateBody(queue, later, "a")).isZero();
    assertThat(shard.deadBodies).containsExactly(1L, 2L);
  }

  @Test
  @Rule("S-256")
  void statesFillTheQueue() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxSize(250).withSession(true));
    Consumer consumer = queue.accepts("a", ZERO);
    setState(queue, consumer, "a", 200);

    Decision tooMuch = shard.ask(setting(queue, consumer.asker, "a", 251));

    assertThat(QueueFixture.whole(tooMuch).refusal()).isInstanceOf(Refusal.QuotaExceeded.class);
    assertThat(tooMuch.keptBodies()).containsExactly(false);
    assertThat(queue.counts().bytes()).isEqualTo(200);
  }

  @Test
  @Rule({"S-259", "S-260"})
  void sessionsAreListed() {
    QueueFixture queue = queue();
    queue.sendTo("a", "b");
    Consumer consumer = queue.accepts("c", ZERO);
    shard.advance(ofSeconds(1));
    setState(queue, consumer, "c", 5);

    assertThat(listed(queue, Long.MAX_VALUE, 0, 10)).containsExactly("a", "b", "c");
    assertThat(listed(queue, Long.MAX_VALUE, 1, 1)).containsExactly("b");
    assertThat(listed(queue, shard.stamp().nowMillis() - 1, 0, 10)).containsExactly("c");
    assertThat(listed(queue, shard.stamp().nowMillis(), 0, 10)).isEmpty();
  }

  @Test
  @Rule("S-259")
  void thoseSetLatelyAreListedAlsoWhereTheClockWasAheadOnce() {
    shard.aheadMillis = 3_600_000;
    QueueFixture queue = queue();
    setState(queue, queue.accepts("early", ZERO), "early", 1);
    shard.passes(java.time.Duration.ofSeconds(20));
    setState(queue, queue.accepts("late", ZERO), "late", 1);

    assertThat(listed(queue, shard.stamp().wallMillis() - 10_000, 0, 9)).containsExactly("late");
    assertThat(listed(queue, shard.stamp().wallMillis(), 0, 9)).isEmpty();
  }

  @Test
  @Rule({"S-259", "S-260"})
  void oneDecisionLooksAtAPartOfVeryManySessions() {
    QueueFixture queue = queue();
    int many = 2 * SessionStateHandler.MOST_LOOKED_AT + 10;
    String[] ids = new String[many];
    Arrays.setAll(ids, i -> "s" + i);
    for (int sent = 0; sent < many; sent += 4_096) {
      queue.sendTo(Arrays.copyOfRange(ids, sent, Math.min(many, sent + 4_096)));
    }

    Effect.SessionsListed first = page(queue, Long.MAX_VALUE, many - 5, 9, 0);
    Effect.SessionsListed second =
        page(queue, Long.MAX_VALUE, many - 5 - first.skipped(), 9, first.next());
    int left = many - 5 - first.skipped() - second.skipped();
    Effect.SessionsListed third = page(queue, Long.MAX_VALUE, left, 9, second.next());

    assertThat(first.sessionIds()).isEmpty();
    assertThat(first.skipped()).isEqualTo(SessionStateHandler.MOST_LOOKED_AT);
    assertThat(second.skipped()).isEqualTo(SessionStateHandler.MOST_LOOKED_AT);
    assertThat(third.sessionIds()).containsExactly(Arrays.copyOfRange(ids, many - 5, many));
    assertThat(third.next()).isZero();
    assertThat(page(queue, Long.MAX_VALUE - 1, 0, 9, 0).next()).isPositive();
    assertThat(page(queue, Long.MAX_VALUE, 0, 9, Integer.MAX_VALUE).sessionIds()).isEmpty();
  }

  @Test
  @Rule({"I-25", "I-42", "S-256"})
  void aSnapshotHasMessagesAndStatesAsTheyWere() {
    QueueFixture queue = queue();
    queue.sendTo("a", "b", "a");
    Consumer holder = queue.accepts("c", ZERO);
    setState(queue, holder, "c", 7);
    long hash = shard.machine.stateHash();
    List<Fact> written = new ArrayList<>();

    Snapshot snapshot = shard.machine.beginSnapshot();
    setState(queue, holder, "c", 9);
    Consumer fresh = queue.accepts("new", ZERO);
    setState(queue, fresh, "new", 1);
    queue.sendTo("b", "d");
    queue.complete(queue.accepts("a", ZERO).wants(1).gets().getFirst());
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      written.addAll(part);
    }
    snapshot.end();

    Machine rebuilt = new Machine();
    written.forEach(fact -> rebuilt.apply(0, fact));
    assertThat(rebuilt.stateHash()).isEqualTo(hash);
  }

  @Test
  @Rule({"S-062", "S-234"})
  void whereThereAreNoSessionsNothingIsHeld() {
    QueueFixture plain = QueueFixture.of(shard, Definitions.defaults());
    for (QueueFixture queue : List.of(plain, plain.deadLetters())) {
      assertThat(queue.accepts("a", ZERO).refusal()).isEqualTo(new Refusal.EntityNotFound());
      Asker asker = new Asker();
      assertThat(QueueFixture.whole(shard.ask(renewal(queue, asker, "a")))).isEqualTo(SESSION_LOST);
      assertThat(QueueFixture.whole(shard.ask(reading(queue, asker, "a")))).isEqualTo(SESSION_LOST);
      assertThat(QueueFixture.whole(shard.ask(setting(queue, asker, "a", 1))))
          .isEqualTo(SESSION_LOST);
      assertThat(listed(queue, Long.MAX_VALUE, 0, 9)).isEmpty();
    }
    QueueId nowhere = new QueueId(99);
    Asker asker = new Asker();
    shard.ask(new Request.AcceptSession(asker, new Note(), nowhere, "a", ReceiveMode.PEEK_LOCK, 0));
    shard.ask(new Request.RenewSession(asker, new Note(), nowhere, "a", asker));
    shard.ask(new Request.GetSessionState(asker, new Note(), nowhere, "a", asker));
    shard.ask(new Request.SetSessionState(asker, new Note(), nowhere, "a", asker, -1));
    assertThat(shard.effectsFor(asker)).hasSize(4).allMatch(Effect.Refused.class::isInstance);
    Decision none =
        shard.ask(new Request.ListSessions(asker, new Note(), nowhere, Long.MAX_VALUE, 0, 9, 0));
    assertThat(ShardFixture.only(none, Effect.SessionsListed.class).sessionIds()).isEmpty();
  }

  @Test
  @Rule("S-256")
  void clearingAStateThatIsNotThereWritesNothing() {
    QueueFixture queue = queue();
    Consumer consumer = queue.accepts("a", ZERO);

    Decision decision = shard.ask(setting(queue, consumer.asker, "a", -1));

    assertThat(decision.facts()).isEmpty();
    assertThat(decision.effects()).hasOnlyElementsOfType(Effect.SessionStateStored.class);
  }

  @Test
  @Rule({"I-25", "I-42", "S-256"})
  void thousandsOfStatesAreInASnapshotAsTheyWere() {
    QueueFixture queue = queue();
    shard.checkEveryStep = false;
    Consumer last = queue.accepts("last", ZERO);
    for (int i = 0; i < 5_000; i++) {
      Consumer consumer = queue.accepts("s" + i, ZERO);
      setState(queue, consumer, "s" + i, i % 3);
      consumer.closes();
    }
    setState(queue, last, "last", 5);
    long hash = shard.machine.stateHash();
    Machine rebuilt = new Machine();

    Snapshot snapshot = shard.machine.beginSnapshot();
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      part.forEach(fact -> rebuilt.apply(0, fact));
      setState(queue, last, "last", 6);
      setState(queue, last, "last", -1);
    }
    snapshot.end();

    assertThat(rebuilt.stateHash()).isEqualTo(hash);
  }

  // ---- requests

  private static Request.RenewSession renewal(
      QueueFixture queue, @Nullable Origin holder, String id) {
    return new Request.RenewSession(new Asker(), new Note(), queue.id, id, holder);
  }

  private static Request.GetSessionState reading(
      QueueFixture queue, @Nullable Origin holder, String id) {
    return new Request.GetSessionState(new Asker(), new Note(), queue.id, id, holder);
  }

  public static Request.SetSessionState setting(
      QueueFixture queue, @Nullable Origin holder, String id, int bytes) {
    return new Request.SetSessionState(new Asker(), new Note(), queue.id, id, holder, bytes);
  }

  private long stateBody(QueueFixture queue, Consumer holder, String id) {
    Decision decision = shard.ask(reading(queue, holder.asker, id));
    return ShardFixture.only(decision, Effect.SessionStateRead.class).bodyId();
  }

  private void setState(QueueFixture queue, Consumer holder, String id, int bytes) {
    Decision decision = shard.ask(setting(queue, holder.asker, id, bytes));
    ShardFixture.only(decision, Effect.SessionStateStored.class);
  }

  private List<String> listed(QueueFixture queue, long after, int skip, int most) {
    Effect.SessionsListed page = page(queue, after, skip, most, 0);
    assertThat(page.next()).isZero();
    return page.sessionIds();
  }

  private Effect.SessionsListed page(QueueFixture queue, long after, int skip, int most, int from) {
    return ShardFixture.only(
        shard.ask(
            new Request.ListSessions(new Asker(), new Note(), queue.id, after, skip, most, from)),
        Effect.SessionsListed.class);
  }
}
