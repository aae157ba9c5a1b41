package io.peeklock.kernel.session;

import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.state.SessionTable;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of the messages and states of a session when their stories are longer. */
class SessionRulesTest {
  private static final Outcome SESSION_LOST = new Outcome(new Refusal.SessionLockLost());
  private static final Outcome MESSAGE_LOST = new Outcome(new Refusal.MessageLockLost());

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue() {
    return QueueFixture.of(shard, Definitions.lockDuration(ofSeconds(30)).withSession(true));
  }

  @Test
  @Rule({"S-129", "S-130", "S-248"})
  void howeverOftenAReceiverGoesItsMessagesDoNotCount() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(2).withSession(true));
    queue.sendTo("a", "a");

    for (int i = 0; i < 5; i++) {
      Consumer consumer = queue.accepts(null, ZERO).wants(2);
      assertThat(consumer.gets())
          .extracting(Received::number, Received::deliveryCount)
          .containsExactly(tuple(1L, 0), tuple(2L, 0));
      consumer.closes();
    }

    assertThat(queue.counts().deadLetters()).isZero();
  }

  @Test
  @Rule({"S-131", "S-120", "S-126"})
  void anAbandonedMessageCountsAndItsReceiverGoesOnWhenItIsDeadLettered() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(2).withSession(true));
    queue.sendTo("a", "a");
    Consumer consumer = queue.accepts("a", ZERO).wants(1);
    queue.abandon(consumer.gets().getFirst());
    Received again = consumer.wants(1).gets().getFirst();

    queue.abandon(again);

    assertThat(again.deliveryCount()).isEqualTo(1);
    assertThat(queue.deadLetters().peek())
        .extracting(Received::number, Received::deliveryCount)
        .containsExactly(tuple(1L, 2));
    Received next = consumer.wants(1).gets().getFirst();
    assertThat(next.number()).isEqualTo(2);
    assertThat(queue.complete(next)).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-180", "S-256"})
  void aStateOutlivesEveryTimeToLive() {
    QueueFixture queue =
        QueueFixture.of(shard, Definitions.timeToLive(ofSeconds(20), false).withSession(true));
    queue.sendTo("a");
    Consumer holder = queue.accepts("a", ZERO);
    setState(queue, holder, "a");
    holder.closes();

    shard.advance(ofDays(400));

    assertThat(queue.counts().active()).isZero();
    Consumer later = queue.accepts("a", ZERO);
    Decision read =
        shard.ask(new Request.GetSessionState(new Asker(), new Note(), queue.id, "a", later.asker));
    assertThat(ShardFixture.only(read, Effect.SessionStateRead.class).bodyId()).isEqualTo(2);
  }

  @Test
  @Rule("S-203")
  void whatIsDeferredAmongTheDeadLettersOfSessionsIsOutOfReach() {
    QueueFixture queue = queue();
    queue.sendTo("a", "a");
    Consumer holder = queue.accepts("a", ZERO).wants(1);
    queue.deadLetter(holder.gets().getFirst());
    QueueFixture dead = queue.deadLetters();
    dead.defer(dead.peekLock());

    assertThat(dead.refusedDeferred(1)).isEqualTo(SESSION_LOST);
    Request.ReceiveDeferred asHolder =
        new Request.ReceiveDeferred(
            new Asker(),
            new Note(),
            dead.id,
            new long[] {1},
            ReceiveMode.PEEK_LOCK,
            holder.asker,
            Long.MAX_VALUE);
    assertThat(QueueFixture.whole(shard.ask(asHolder))).isEqualTo(SESSION_LOST);
    assertThat(numbers(dead.peek())).containsExactly(1L);
  }

  @Test
  @Rule({"S-216", "S-207"})
  void aDeferredMessageIsForWhoHoldsItsSessionNow() {
    QueueFixture queue = queue();
    queue.sendTo("a");
    Consumer first = queue.accepts("a", ZERO).wants(1);
    queue.defer(first.gets().getFirst());
    assertThat(queue.refusedDeferred(1)).isEqualTo(SESSION_LOST);

    shard.passes(ofSeconds(30));

    assertThat(QueueFixture.whole(shard.ask(deferred(queue, first)))).isEqualTo(SESSION_LOST);
    shard.tickWhileDue();
    Consumer second = queue.accepts("a", ZERO);
    Decision got = shard.ask(deferred(queue, second));
    assertThat(ShardFixture.only(got, Effect.DeferredReceived.class).messages().count()).isOne();
  }

  /** Else a processor gives up the whole session for one message that it settled twice. */
  @Test
  @Rule({"S-037", "S-502", "S-251"})
  void aTokenThatIsUsedUpIsLostWithoutItsSession() {
    QueueFixture queue = queue();
    queue.sendTo("a", "a");
    Consumer a = queue.accepts("a", ZERO).wants(2);
    List<Received> messages = a.gets();
    assertThat(settle(queue, messages.getFirst(), a.asker)).isEqualTo(DONE);

    assertThat(settle(queue, messages.getFirst(), a.asker)).isEqualTo(MESSAGE_LOST);
    assertThat(settleOnLink(queue, messages.getFirst(), a.asker)).isEqualTo(MESSAGE_LOST);

    assertThat(settle(queue, messages.getLast(), a.asker)).isEqualTo(DONE);
    a.closes();
    assertThat(settleOnLink(queue, messages.getFirst(), a.asker)).isEqualTo(SESSION_LOST);
  }

  @Test
  @Rule("S-111")
  void aTokenIsGoodOnlyWithTheSessionOfItsMessage() {
    QueueFixture queue = queue();
    queue.sendTo("a", "b");
    Consumer a = queue.accepts("a", ZERO).wants(1);
    Consumer b = queue.accepts("b", ZERO).wants(1);
    Received message = a.gets().getFirst();

    assertThat(settle(queue, message, b.asker)).isEqualTo(SESSION_LOST);
    assertThat(settle(queue, message, new Asker())).isEqualTo(SESSION_LOST);
    assertThat(queue.counts().active()).isEqualTo(2);
    assertThat(settle(queue, message, a.asker)).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-227", "S-228"})
  void peekNeedsNoSessionLockAndTakesNone() {
    QueueFixture queue = queue();
    queue.sendTo("a", "b", "a");
    Consumer holder = queue.accepts("a", ZERO).wants(1);

    assertThat(numbers(queue.peek())).containsExactly(1L, 2L, 3L);
    assertThat(peek(queue, "b")).containsExactly(2L);
    assertThat(peek(queue, "a")).containsExactly(1L, 3L);

    assertThat(queue.accepts("b", ZERO).sessionId()).isEqualTo("b");
    assertThat(queue.accepts("a", ZERO).refusal())
        .isEqualTo(new Refusal.SessionCannotBeLocked("a"));
    assertThat(queue.complete(holder.gets().getFirst())).isEqualTo(DONE);
  }

  @Test
  @LongProof
  @Rule({"S-257", "S-442"})
  void aMillionSessionsHaveAStateAndOneMoreDoesNot() {
    shard.checkEveryStep = false;
    QueueFixture queue = queue();
    haveStates(queue, SessionTable.MOST_STATES);
    Consumer known = queue.accepts("s0", ZERO);
    Consumer fresh = queue.accepts("fresh", ZERO);

    Decision refused = shard.ask(setting(queue, fresh, "fresh", 1));

    assertThat(SessionTable.MOST_STATES).isEqualTo(1_000_000);
    assertThat(QueueFixture.whole(refused).refusal())
        .isEqualTo(new Refusal.TooManySessionStates(1_000_000));
    assertThat(refused.keptBodies()).containsExactly(false);
    setState(queue, known, "s0");
    shard.ask(setting(queue, fresh, "fresh", -1));
    shard.ask(setting(queue, known, "s0", -1));
    setState(queue, fresh, "fresh");
    Decision full = shard.ask(setting(queue, known, "s0", 1));
    assertThat(QueueFixture.whole(full).refusal()).isInstanceOf(Refusal.TooManySessionStates.class);
  }

  @Test
  @Rule({"S-264", "S-147"})
  void aDeadLetterThatIsSentAgainComesLastInItsSession() {
    QueueFixture queue = queue();
    queue.sendTo("a", "a");
    Consumer holder = queue.accepts("a", ZERO).wants(1);
    queue.deadLetter(holder.gets().getFirst());
    QueueFixture dead = queue.deadLetters();

    queue.sendTo("a"); // a copy of it
    dead.complete(dead.peekLock());

    assertThat(numbers(holder.wants(5).gets())).containsExactly(2L, 3L);
  }

  @Test
  @Rule("S-265")
  void aReplyIsForWhoAcceptsItsSessionUnlessSomebodyTakesAny() {
    QueueFixture replies = queue();
    Consumer requester = replies.accepts("reply-1", ZERO).wants(1);
    Consumer any = replies.accepts(null, ofMinutes(1)).wants(1);

    replies.sendTo("reply-1");

    assertThat(numbers(requester.gets())).containsExactly(1L);
    assertThat(any.session()).isNull();
    replies.sendTo("reply-2"); // whose requester comes too late
    assertThat(any.sessionId()).isEqualTo("reply-2");
    assertThat(replies.accepts("reply-2", ZERO).refusal())
        .isEqualTo(new Refusal.SessionCannotBeLocked("reply-2"));
  }

  // ---- requests

  private static Request.ReceiveDeferred deferred(QueueFixture queue, Consumer holder) {
    return new Request.ReceiveDeferred(
        new Asker(),
        new Note(),
        queue.id,
        new long[] {1},
        ReceiveMode.PEEK_LOCK,
        holder.asker,
        Long.MAX_VALUE);
  }

  private Outcome settle(QueueFixture queue, Received message, @Nullable Origin holder) {
    return settle(queue, message, new Asker(), holder);
  }

  private Outcome settleOnLink(QueueFixture queue, Received message, Asker link) {
    return settle(queue, message, link, null);
  }

  private Outcome settle(QueueFixture queue, Received message, Asker by, @Nullable Origin holder) {
    long[] locks = {message.lockId()};
    return QueueFixture.whole(
        shard.ask(
            new Request.Settle(
                by, new Note(), queue.id, Settlement.COMPLETE, locks, 1, true, null, holder)));
  }

  private List<Long> peek(QueueFixture queue, String session) {
    Decision decision =
        shard.ask(new Request.Peek(new Asker(), new Note(), queue.id, 0, 9, 9_999, session));
    return numbers(Received.of(ShardFixture.only(decision, Effect.Peeked.class).messages()));
  }

  private static Request.SetSessionState setting(
      QueueFixture queue, Consumer holder, String id, int bytes) {
    return new Request.SetSessionState(new Asker(), new Note(), queue.id, id, holder.asker, bytes);
  }

  private void setState(QueueFixture queue, Consumer holder, String id) {
    Decision decision = shard.ask(setting(queue, holder, id, 1));
    ShardFixture.only(decision, Effect.SessionStateStored.class);
  }

  /** As a checkpoint has them. */
  private void haveStates(QueueFixture queue, int count) {
    String[] ids = new String[count];
    Arrays.setAll(ids, i -> "s" + i);
    long[] bodyIds = new long[count];
    Arrays.setAll(bodyIds, i -> -1L - i); // stored before the log began
    shard.take(
        new DecisionBuilder()
            .add(
                new Fact.SessionStatesRestored(
                    queue.id, ids, bodyIds, new int[count], new long[count]))
            .build());
  }
}
