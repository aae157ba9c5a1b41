package io.peeklock.kernel.session;

import static io.peeklock.kernel.machine.QueueFixture.Outcome.DONE;
import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
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
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.turn.TickHandler;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Message sessions: one holder, in order, released without a count, lapsed with one. */
class SessionTest {
  private static final Duration LONG = ofMinutes(1);
  private static final Refusal TIMEOUT = new Refusal.Timeout();
  private static final Outcome SESSION_LOST = new Outcome(new Refusal.SessionLockLost());

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue() {
    return QueueFixture.of(shard, Definitions.lockDuration(ofSeconds(30)).withSession(true));
  }

  @Test
  @Rule({"S-231", "S-236", "S-243", "S-246", "I-24", "I-26"})
  void theHolderOfASessionGetsItsMessagesInOrderAndNoOthers() {
    QueueFixture queue = queue();
    queue.sendTo("a", "b", "a", "b", "a");

    Consumer consumer = queue.accepts("a", ZERO).wants(9);

    assertThat(consumer.sessionId()).isEqualTo("a");
    assertThat(consumer.lockedUntil()).isEqualTo(shard.stamp().nowMillis() + 30_000);
    List<Received> messages = consumer.gets();
    assertThat(numbers(messages)).containsExactly(1L, 3L, 5L);
    assertThat(messages.getFirst().lockedUntil()).isEqualTo(consumer.lockedUntil());
    queue.sendTo("b", "a");
    assertThat(numbers(consumer.gets())).containsExactly(7L);
  }

  @Test
  @Rule("S-243")
  void untilWhenItIsHeldIsToldByTheClockAlsoWhereShardTimeIsAheadOfIt() {
    shard.aheadMillis = 86_400_000;
    QueueFixture queue = queue();
    queue.sendTo("a");
    long untilByTheClock = shard.stamp().wallMillis() + 30_000;

    Consumer consumer = queue.accepts("a", ZERO).wants(1);

    assertThat(consumer.lockedUntil()).isEqualTo(untilByTheClock);
    assertThat(consumer.gets().getFirst().lockedUntil()).isEqualTo(untilByTheClock);
    assertThat(renew(queue, consumer, "a").lockedUntilMillis()).isEqualTo(untilByTheClock);
  }

  @Test
  @Rule({"S-237", "I-23"})
  void aHeldSessionCannotBeAcceptedByAnother() {
    QueueFixture queue = queue();
    queue.sendTo("a");
    Consumer first = queue.accepts("a", ZERO);

    Consumer second = queue.accepts("a", ZERO);

    assertThat(second.refusal()).isEqualTo(new Refusal.SessionCannotBeLocked("a"));
    first.closes();
    assertThat(queue.accepts("a", ZERO).sessionId()).isEqualTo("a");
  }

  @Test
  @Rule({"S-232", "S-231"})
  void aMessageWithoutSessionIsRefused() {
    QueueFixture queue = queue();

    assertThat(queue.sendSized(100).getFirst().refusal()).isEqualTo(new Refusal.SessionIdMissing());
    assertThat(queue.counts().active()).isZero();
  }

  @Test
  @Rule({"S-235", "S-236"})
  void aSessionNeedsNoMessageToBeAccepted() {
    QueueFixture queue = queue();

    Consumer consumer = queue.accepts("", ZERO).wants(1);

    assertThat(consumer.sessionId()).isEmpty();
    queue.sendTo("");
    assertThat(numbers(consumer.gets())).containsExactly(1L);
  }

  @Test
  @Rule({"S-238", "S-242"})
  void theNextSessionIsTheOneWhoseMessageWaitsLongest() {
    QueueFixture queue = queue();
    queue.sendTo("c", "a", "b", "a");
    queue.accepts("a", ZERO);

    assertThat(queue.accepts(null, ZERO).sessionId()).isEqualTo("c");
    assertThat(queue.accepts(null, ZERO).sessionId()).isEqualTo("b");
    assertThat(queue.accepts(null, LONG).session()).isNull();
  }

  @Test
  @Rule({"S-239", "S-241"})
  void whoWaitsForAnyGetsTheFirstThatComesOrATimeout() {
    QueueFixture queue = queue();
    Consumer early = queue.accepts(null, ofSeconds(5));
    Consumer late = queue.accepts(null, ofSeconds(9));
    Consumer later = queue.accepts(null, LONG);

    shard.advance(ofSeconds(5));
    assertThat(early.refusal()).isEqualTo(new Refusal.Timeout());
    queue.sendTo("x", "y");

    assertThat(late.sessionId()).isEqualTo("x");
    assertThat(later.sessionId()).isEqualTo("y");
    assertThat(early.session()).isNull();
  }

  @Test
  @Rule({"S-239", "S-241"})
  void manyWhoWaitedEnoughAreToldSliceBySlice() {
    QueueFixture queue = queue();
    shard.checkEveryStep = false;
    List<Consumer> waiting = new ArrayList<>();
    for (int i = 0; i < TickHandler.SLICE + 5; i++) {
      waiting.add(queue.accepts(null, ofSeconds(5)));
    }

    shard.passes(ofSeconds(5));
    assertThat(shard.machine.tick(shard.stamp(), FetchedBodies.NONE).effects())
        .hasSize(TickHandler.SLICE);
    shard.tickWhileDue();

    assertThat(waiting).allSatisfy(each -> assertThat(each.refusal()).isEqualTo(TIMEOUT));
  }

  @Test
  @Rule("S-239")
  void whoLeavesWaitsNoMore() {
    QueueFixture queue = queue();
    Consumer gone = queue.accepts(null, LONG);
    gone.closes();

    queue.sendTo("x");

    assertThat(gone.session()).isNull();
    assertThat(queue.accepts(null, ZERO).sessionId()).isEqualTo("x");
  }

  @Test
  @Rule("S-241")
  void sessionsWithoutAnAvailableMessageAreNotOffered() {
    QueueFixture queue = queue();
    queue.sendTo("deferred", "dead", "done", "state");
    for (String id : List.of("deferred", "dead", "done", "state")) {
      Consumer consumer = queue.accepts(id, ZERO).wants(1);
      Received message = consumer.gets().getFirst();
      switch (id) {
        case "deferred" -> queue.defer(message);
        case "dead" -> queue.deadLetter(message);
        default -> queue.complete(message);
      }
      if (id.equals("state")) {
        setState(queue, consumer, "state", 3);
      }
      consumer.closes();
    }

    assertThat(queue.accepts(null, LONG).session()).isNull();
  }

  @Test
  @Rule({"S-248", "S-110"})
  void aReceiverThatClosesGivesItsMessagesBackAtOnceAndWithoutACount() {
    QueueFixture queue = queue();
    queue.sendTo("a", "a");
    Consumer first = queue.accepts("a", ZERO).wants(2);
    List<Received> messages = first.gets();

    first.closes();

    Consumer second = queue.accepts(null, ZERO).wants(2);
    assertThat(second.gets()).extracting(Received::deliveryCount).containsExactly(0, 0);
    assertThat(queue.complete(messages.getFirst())).isEqualTo(SESSION_LOST);
  }

  @Test
  @Rule({"S-128", "S-250", "S-251", "S-252", "I-20"})
  void aSessionWhoseLockRunsOutIsLostAndItsMessagesCount() {
    QueueFixture queue = queue();
    queue.sendTo("a", "a", "a");
    Consumer consumer = queue.accepts("a", ZERO).wants(2);
    List<Received> messages = consumer.gets();

    shard.advance(ofMillis(29_999));
    assertThat(consumer.lostItsSession()).isFalse();
    shard.passes(ofMillis(1));
    assertThat(queue.complete(messages.getFirst())).isEqualTo(SESSION_LOST);
    shard.tickWhileDue();

    assertThat(consumer.lostItsSession()).isTrue();
    Consumer again = queue.accepts("a", ZERO).wants(3);
    assertThat(again.gets()).extracting(Received::deliveryCount).containsExactly(1, 1, 0);
    assertThat(queue.complete(messages.getFirst())).isEqualTo(SESSION_LOST);
  }

  @Test
  @Rule({"S-128", "S-126"})
  void theLastAttemptOfAMessageInASessionDeadLettersIt() {
    QueueFixture queue = QueueFixture.of(shard, Definitions.maxDeliveryCount(1).withSession(true));
    queue.sendTo("a", "a");
    queue.accepts("a", ZERO).wants(1);

    shard.advance(ofSeconds(60));

    assertThat(queue.counts().deadLetters()).isEqualTo(1);
    assertThat(numbers(queue.deadLetters().peekLock(5))).containsExactly(1L);
    assertThat(numbers(queue.accepts(null, ZERO).wants(5).gets())).containsExactly(2L);
  }

  @Test
  @Rule({"S-244", "S-245", "I-19"})
  void aRenewedSessionKeepsItsMessagesLocked() {
    QueueFixture queue = queue();
    queue.sendTo("a");
    Consumer consumer = queue.accepts("a", ZERO).wants(1);
    Received message = consumer.gets().getFirst();
    shard.advance(ofSeconds(20));

    Effect.Renewed renewed = renew(queue, consumer, "a");
    assertThat(renewed.lockedUntilMillis()).isEqualTo(shard.stamp().nowMillis() + 30_000);
    shard.advance(ofSeconds(29));

    assertThat(queue.complete(message)).isEqualTo(DONE);
    shard.advance(ofSeconds(1));
    assertThat(consumer.lostItsSession()).isTrue();
  }

  @Test
  @Rule({"S-247", "S-246"})
  void anAbandonedMessageComesBeforeLaterOnes() {
    QueueFixture queue = queue();
    queue.sendTo("a", "a", "a");
    Consumer consumer = queue.accepts("a", ZERO).wants(2);
    Received first = consumer.gets().getFirst();

    queue.abandon(first);
    consumer.wants(2);

    assertThat(consumer.gets())
        .extracting(Received::number, Received::deliveryCount)
        .containsExactly(tuple(1L, 1), tuple(3L, 0));
  }

  @Test
  @Rule({"S-262", "I-07"})
  void receiveAndDeleteTakesInOrder() {
    QueueFixture queue = queue();
    queue.sendTo("a", "b", "a");

    Consumer consumer = queue.accepts("a", ZERO, ReceiveMode.RECEIVE_AND_DELETE).wants(9);

    assertThat(numbers(consumer.gets())).containsExactly(1L, 3L);
    assertThat(queue.counts().active()).isEqualTo(1);
  }

  @Test
  @Rule({"S-263", "S-241"})
  void aScheduledMessageDoesNotBlockItsSession() {
    QueueFixture queue = queue();
    long later = shard.stamp().nowMillis() + 10_000;
    queue.scheduled(
        new SendBurst(
            1,
            new int[] {1},
            new int[] {1},
            new long[] {QueueDefinition.FOREVER},
            new long[] {later},
            null,
            new String[] {"a"}));
    Consumer any = queue.accepts(null, LONG);
    assertThat(any.session()).isNull();
    any.closes();
    queue.sendTo("a");
    Consumer consumer = queue.accepts("a", ZERO).wants(9);
    assertThat(numbers(consumer.gets())).containsExactly(2L);

    shard.advance(ofSeconds(10));

    assertThat(numbers(consumer.gets())).containsExactly(3L);
  }

  @Test
  @Rule({"S-207", "S-245"})
  void aDeferredMessageIsReceivedByTheHolderOfItsSession() {
    QueueFixture queue = queue();
    queue.sendTo("a", "b");
    Consumer consumer = queue.accepts("a", ZERO).wants(1);
    queue.defer(consumer.gets().getFirst());

    Decision got = shard.ask(deferred(queue, consumer.asker, 1));
    Received message =
        Received.of(ShardFixture.only(got, Effect.DeferredReceived.class).messages()).getFirst();

    assertThat(Instant.ofEpochMilli(message.lockedUntil())).isEqualTo("9999-12-31T23:59:59Z");
    assertThat(QueueFixture.whole(shard.ask(deferred(queue, null, 1)))).isEqualTo(SESSION_LOST);
    Consumer other = queue.accepts("b", ZERO);
    assertThat(QueueFixture.whole(shard.ask(deferred(queue, other.asker, 1))).refusal())
        .isEqualTo(new Refusal.MessageNotFound(1));
    assertThat(queue.complete(message)).isEqualTo(DONE);
  }

  @Test
  @Rule({"S-261", "S-086"})
  void aDrainEndsWhenTheSessionHasNothingLeft() {
    QueueFixture queue = queue();
    queue.sendTo("a", "b");
    Consumer consumer = queue.accepts("a", ZERO).drains(5);

    assertThat(consumer.gets()).hasSize(1);
    assertThat(consumer.drainsEnded()).isEqualTo(1);
    queue.sendTo("a");
    assertThat(consumer.gets()).isEmpty();
  }

  /** It had waited to the end of the backlog of others. */
  @Test
  @Rule({"S-261", "I-46"})
  void aDrainOfAnEmptySessionEndsBesideWhatOthersAreGiven() {
    QueueFixture queue = queue();
    Consumer empty = queue.accepts("a", ZERO);
    Consumer other = queue.accepts("b", ZERO);
    String[] ids = new String[200];
    Arrays.fill(ids, "b");
    queue.sendTo(ids);
    shard.take(shard.decide(new Request.Flow(other.asker, 200, false)));
    shard.take(shard.decide(new Request.Flow(empty.asker, 1, true)));

    shard.take(shard.machine.dispatch(shard.stamp()));

    assertThat(empty.drainsEnded()).isEqualTo(1);
    assertThat(other.gets()).isNotEmpty();
  }

  @Test
  @Rule({"S-242", "S-238"})
  void aHundredThousandSessionsAreServedWithoutLookingAtAll() {
    QueueFixture queue = queue();
    shard.checkEveryStep = false;
    for (int i = 0; i < 100; i++) {
      int from = i * 1_000;
      queue.sendTo(
          IntStream.range(from, from + 1_000).mapToObj(n -> "s" + n).toArray(String[]::new));
    }

    for (int i = 0; i < 1_000; i++) {
      assertThat(queue.accepts(null, ZERO).sessionId()).isEqualTo("s" + i);
    }
  }

  @Test
  @Rule({"S-167", "S-241", "S-246"})
  void expiredMessagesAreNeitherOfferedNorDelivered() {
    QueueFixture queue =
        QueueFixture.of(shard, Definitions.timeToLive(ofSeconds(20), true).withSession(true));
    queue.sendTo("old", "both");
    shard.passes(ofSeconds(20));
    queue.sendTo("both", "new");

    Consumer first = queue.accepts(null, LONG).wants(9);
    Consumer second = queue.accepts(null, LONG).wants(9);

    assertThat(List.of(first.sessionId(), second.sessionId())).containsExactly("both", "new");
    assertThat(numbers(first.gets())).containsExactly(3L);
    assertThat(queue.counts().deadLetters()).isEqualTo(2);
    first.wantsInAll(1);
    queue.sendTo("both");
    shard.passes(ofSeconds(20));
    first.wants(5);
    assertThat(first.gets()).isEmpty();
    assertThat(queue.counts().deadLetters()).isEqualTo(3);
  }

  @Test
  @Rule({"S-086", "S-261"})
  void aReceiverIsGivenNoMoreThanItsBudgetAndSessionsTakeTurns() {
    QueueFixture queue = queue();
    shard.checkEveryStep = false;
    String[] ids = new String[3_000];
    Arrays.setAll(ids, i -> i % 2 == 0 ? "a" : "b");
    queue.sendTo(ids);

    Consumer a = queue.accepts("a", ZERO).wants(2_000);
    Consumer b = queue.accepts("b", ZERO).wants(2_000);

    assertThat(a.gets()).hasSize(1_500);
    assertThat(b.gets()).hasSize(1_500);
    a.drains(1);
    assertThat(a.drainsEnded()).isEqualTo(1);
    b.wantsInAll(0).drains(0);
    assertThat(b.drainsEnded()).isEqualTo(1);
  }

  @Test
  @Rule({"S-245", "S-106"})
  void aMessageOfASessionIsNotRenewedByItself() {
    QueueFixture queue = queue();
    queue.sendTo("a");
    Received message = queue.accepts("a", ZERO).wants(1).gets().getFirst();

    assertThat(queue.renew(message)).isEqualTo(SESSION_LOST);
  }

  @Test
  @Rule({"S-218", "S-219"})
  void peekShowsOneSession() {
    QueueFixture queue = queue();
    long later = shard.stamp().nowMillis() + 1_000;
    queue.scheduled(
        new SendBurst(
            3,
            new int[] {1, 1, 1},
            new int[] {1, 1, 1},
            new long[] {QueueDefinition.FOREVER, QueueDefinition.FOREVER, QueueDefinition.FOREVER},
            new long[] {later, 0, later},
            null,
            new String[] {"a", "b", "b"}));

    Decision decision =
        shard.ask(new Request.Peek(new Asker(), new Note(), queue.id, 0, 9, 100, "b"));

    List<Received> seen = Received.of(ShardFixture.only(decision, Effect.Peeked.class).messages());
    assertThat(numbers(seen)).containsExactly(2L, 3L);
  }

  // ---- requests

  private static Request.RenewSession renewal(
      QueueFixture queue, @Nullable Origin holder, String id) {
    return new Request.RenewSession(new Asker(), new Note(), queue.id, id, holder);
  }

  private static Request.SetSessionState setting(
      QueueFixture queue, @Nullable Origin holder, String id, int bytes) {
    return new Request.SetSessionState(new Asker(), new Note(), queue.id, id, holder, bytes);
  }

  private static Request.ReceiveDeferred deferred(
      QueueFixture queue, @Nullable Origin holder, long number) {
    return new Request.ReceiveDeferred(
        new Asker(),
        new Note(),
        queue.id,
        new long[] {number},
        ReceiveMode.PEEK_LOCK,
        holder,
        Long.MAX_VALUE);
  }

  private Effect.Renewed renew(QueueFixture queue, Consumer holder, String id) {
    return ShardFixture.only(shard.ask(renewal(queue, holder.asker, id)), Effect.Renewed.class);
  }

  private void setState(QueueFixture queue, Consumer holder, String id, int bytes) {
    Decision decision = shard.ask(setting(queue, holder.asker, id, bytes));
    ShardFixture.only(decision, Effect.SessionStateStored.class);
  }
}
