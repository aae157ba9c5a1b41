package io.peeklock.kernel.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.machine.TopicFixture.Message;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.kernel.session.SessionStateTest;
import io.peeklock.kernel.transaction.TransactionFixture;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One entity takes no more than a part of what is free, so that others go on. */
class FairShareTest {
  private static final long ROOM = 2 << 20;
  private static final int BATCH = 100;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private StoredMemory stored() {
    return shard.machine.stored();
  }

  private QueueFixture queue(String name) {
    return QueueFixture.of(shard, QueueDefinition.named(name));
  }

  /** So much is free for messages from now on. */
  private void room(long bytes) {
    shard.checkEveryStep = false; // there are tens of thousands
    stored().bound(stored().taken() + bytes);
  }

  private HeldMemory held(QueueFixture of) {
    return shard.machine.state().known(of.id).held;
  }

  /** Sends until there is a refusal, which it tells. */
  static Refusal fill(QueueFixture queue) {
    int[] sizes = new int[BATCH];
    Arrays.fill(sizes, 1);
    for (int i = 0; i < 10_000; i++) {
      Refusal refusal = queue.sendAtomically(sizes).refusal();
      if (refusal != null) {
        return refusal;
      }
    }
    throw new AssertionError("there is no end");
  }

  static Refusal.MemoryShareExceeded shareOf(@Nullable Refusal refusal) {
    if (refusal instanceof Refusal.MemoryShareExceeded share) {
      return share;
    }
    throw new AssertionError("refused with " + refusal);
  }

  @Test
  @Rule({"I-08", "I-46"})
  void whoFillsOneQueueLeavesAnEighthForAllOthers() {
    QueueFixture greedy = queue("greedy");
    QueueFixture other = queue("other");
    room(ROOM);

    Refusal.MemoryShareExceeded refusal = shareOf(fill(greedy));

    assertThat(refusal.ofBodies()).isFalse();
    assertThat(refusal.heldBytes())
        .as("with what was asked, as far as it is refused")
        .isBetween(held(greedy).bytes(), held(greedy).bytes() + BATCH * StoredMemory.ROW_BYTES);
    assertThat(refusal.heldBytes()).isGreaterThan(refusal.mostBytes());
    assertThat(refusal.mostBytes()).isEqualTo(stored().free() / 16);
    assertThat(refusal.heldBytes()).isBetween(ROOM * 27 / 32, ROOM * 29 / 32);
    assertThat(other.sendSized(1, 1)).containsOnly(Outcome.DONE);
    assertThat(greedy.sendSized(1)).doesNotContain(Outcome.DONE);
  }

  @Test
  @Rule({"I-08", "I-46"})
  void itTakesAgainWhenItHoldsLess() {
    QueueFixture greedy = queue("greedy");
    room(ROOM);
    fill(greedy);

    greedy.receiveAndDelete(1_000);

    assertThat(greedy.sendSized(1)).containsOnly(Outcome.DONE);
  }

  @Test
  @Rule({"I-08", "S-405"})
  void aBatchIsRefusedWholeAndWhatStandsForItselfEach() {
    QueueFixture greedy = queue("greedy");
    room(ROOM);
    fill(greedy);
    long before = greedy.counts().active();

    shareOf(greedy.sendAtomically(1, 1).refusal());
    assertThat(greedy.sendSized(1, 1)).hasSize(2).doesNotContain(Outcome.DONE);

    assertThat(greedy.counts().active()).isEqualTo(before);
  }

  @Test
  @Rule("I-46")
  void severalThatAreGreedyLeaveSomethingToo() {
    QueueFixture[] greedy = {queue("greedy0"), queue("greedy1"), queue("greedy2")};
    QueueFixture other = queue("other");
    room(ROOM);
    int[] batch = new int[20];
    int refused = 0;
    for (int turn = 0; refused < greedy.length; turn++) {
      Refusal refusal = greedy[turn % greedy.length].sendAtomically(batch).refusal();
      refused = refusal == null ? 0 : refused + 1;
    }

    assertThat(stored().free()).isBetween(ROOM / 16, ROOM / 8);
    for (QueueFixture each : greedy) {
      assertThat(held(each).bytes()).isBetween(ROOM / 4, ROOM * 3 / 8);
    }
    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);
    assertThat(stored().isFull()).isFalse();
  }

  /** One after the other they would have all, if each might have most of what is left. */
  @Test
  @Rule("I-46")
  void manyThatAreFilledOneAfterTheOtherLeaveSomethingToo() {
    QueueFixture[] greedy = new QueueFixture[20];
    Arrays.setAll(greedy, i -> queue("greedy" + i));
    QueueFixture other = queue("other");
    room(ROOM);
    long before = ROOM;
    for (QueueFixture each : greedy) {
      Refusal last = null;
      while (last == null) {
        last = each.sendAtomically(1, 1, 1, 1).refusal();
      }
      shareOf(last);
      assertThat(held(each).bytes()).isBetween(4L << 10, before);
      before = Math.max(held(each).bytes(), 8 << 10);
    }

    assertThat(stored().free()).isGreaterThan(ROOM / 64);
    assertThat(other.sendSized(new int[40])).containsOnly(Outcome.DONE);
  }

  @Test
  @Rule({"I-46", "S-187"})
  void deadLettersCountForTheirQueue() {
    QueueFixture greedy = queue("greedy");
    QueueFixture other = queue("other");
    shard.checkEveryStep = false;
    greedy.send(20_000);
    greedy.peekLock(20_000).forEach(greedy::deadLetter);
    greedy.send(10);
    stored().bound(stored().taken() * 10 / 9);

    shareOf(greedy.sendAtomically(1).refusal());

    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);
    greedy.deadLetters().receiveAndDelete(20_000);
    assertThat(greedy.sendSized(1)).containsOnly(Outcome.DONE);
  }

  @Test
  @Rule({"I-46", "S-056"})
  void allSubscriptionsCountForTheirTopic() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture one = topic.subscription("one");
    QueueFixture two = topic.subscription("two");
    QueueFixture other = queue("other");
    room(ROOM);

    shareOf(fill(topic.topic));

    assertThat(one.counts().active()).isEqualTo(two.counts().active());
    assertThat(held(one)).isSameAs(held(topic.topic));
    assertThat(held(two).bytes()).isBetween(ROOM * 27 / 32, ROOM * 29 / 32);
    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);
    two.receiveAndDelete(1_000);
    assertThat(topic.topic.sendSized(1)).containsOnly(Outcome.DONE);
  }

  /** Nobody would be refused where what is sent to one entity fills another. */
  @Test
  @Rule({"I-46", "I-08"})
  void whatIsForwardedWaitsWhereItsDestinationHoldsTooMuchAndIsNeverLost() {
    QueueFixture last = queue("last");
    QueueFixture first =
        QueueFixture.of(shard, QueueDefinition.named("first").with().forwardTo("last").build());
    QueueFixture other = queue("other");
    room(2 * ROOM);

    shareOf(fill(first));

    long sent = first.counts().active() + last.counts().active();
    assertThat(first.counts().active()).isPositive();
    assertThat(stored().free()).as("for others").isGreaterThan(stored().most() / 20);
    assertThat(last.counts().deadLetters() + first.counts().deadLetters()).isZero();
    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);

    last.receiveAndDelete(30_000);
    shard.advance(Duration.ofSeconds(1));
    last.receiveAndDelete((int) (sent - 30_000));
    shard.advance(Duration.ofSeconds(1));
    assertThat(first.counts().active() + last.counts().active()).isZero();
  }

  @Test
  @Rule({"I-46", "I-08"})
  void copiesOfWhatATopicTookWaitBeforeTheyTakeWhatIsForOthers() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture[] subscriptions = new QueueFixture[200];
    Arrays.setAll(subscriptions, i -> topic.subscription("s" + i));
    QueueFixture other = queue("other");
    room(12 * ROOM);

    int[] sizes = new int[3_000];
    Arrays.fill(sizes, 1);
    assertThat(topic.topic.sendAtomically(sizes)).isEqualTo(Outcome.DONE);

    assertThat(subscriptions[0].counts().active()).isBetween(1_000L, 2_999L);
    assertThat(stored().isFull()).isFalse();
    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);
    long made = 0;
    while (made < 3_000) {
      long now = subscriptions[0].counts().active();
      assertThat(now).as("some more each time").isPositive();
      made += now;
      for (QueueFixture each : subscriptions) {
        each.receiveAndDelete((int) now);
      }
      shard.advance(Duration.ofSeconds(1));
    }
    assertThat(made).isEqualTo(3_000);
  }

  /** A step's copies alone took more than all that was left of a small budget. */
  @Test
  @Rule({"I-46", "I-08"})
  void copiesOfABatchLeaveSomethingWhereThereIsLittle() {
    TopicFixture topic = TopicFixture.of(shard);
    for (int i = 0; i < 40; i++) {
      topic.subscription("s" + i);
    }
    QueueFixture other = queue("other");
    room(10 << 20);

    int[] sizes = new int[4_500];
    for (int i = 0; i < 2; i++) {
      topic.topic.sendAtomically(sizes);
    }

    assertThat(stored().isFull()).isFalse();
    assertThat(stored().free()).isGreaterThan(stored().most() / 64);
    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);
  }

  /** A copy with a session of its own takes eight times as much as another. */
  @Test
  @Rule({"I-46", "I-08"})
  void copiesThatBeginSessionsLeaveSomethingToo() {
    TopicFixture topic = TopicFixture.of(shard);
    for (int i = 0; i < 40; i++) {
      topic.subscription(QueueDefinition.named("s" + i).withSession(true));
    }
    QueueFixture other = queue("other");
    room(10 << 20);

    Message[] messages = new Message[1_000];
    Arrays.setAll(messages, i -> Message.plain().in("session" + i));
    topic.sendAtomically(messages);

    assertThat(stored().isFull()).isFalse();
    assertThat(stored().free()).isGreaterThan(stored().most() / 64);
    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);
  }

  /** Else nothing would ever go: all that the topic holds may be what waits for its copies. */
  @Test
  @Rule("I-46")
  void aTopicWhoseMemoryIsAllInItsBacklogMakesSomeCopies() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture one = topic.subscription("one");
    long due = shard.nowMillis + 1_000;
    long[] dues = new long[1_000];
    Message[] messages = new Message[1_000];
    Arrays.fill(dues, due);
    Arrays.fill(messages, Message.plain());
    topic.schedule(dues, messages);
    queue("other").send(2_000);
    stored().bound(stored().taken() + 1_000);

    shard.advance(Duration.ofSeconds(2));
    assertThat(one.counts().active()).isPositive();
    while (one.counts().active() > 0) {
      one.receiveAndDelete((int) one.counts().active());
      shard.advance(Duration.ofSeconds(1));
    }
    assertThat(topic.topic.counts().scheduled()).isZero();
  }

  @Test
  @Rule({"I-46", "S-305"})
  void whatIsSentViaAnEntityWaitsThereAndCountsThere() {
    QueueFixture greedy = queue("greedy");
    QueueFixture via = queue("via");
    QueueFixture other = queue("other");
    room(ROOM);
    fill(greedy);
    shard.holdForwards(true);

    Refusal last = null;
    for (int i = 0; last == null && i < 10_000; i++) {
      int[] sizes = new int[BATCH];
      last = new TransactionFixture(shard).sendsVia(via, greedy, sizes).commits().refusal();
    }

    assertThat(shareOf(last).heldBytes())
        .isBetween(held(via).bytes(), held(via).bytes() + BATCH * StoredMemory.ROW_BYTES);
    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);
    greedy.receiveAndDelete(30_000);
    shard.holdForwards(false);
    shard.advance(Duration.ofSeconds(1));
    assertThat(held(via).bytes()).as("it moved on").isLessThan(2_000);
  }

  @Test
  @Rule({"I-46", "S-399"})
  void aTransactionThatSendsIsRefusedAsAWhole() {
    QueueFixture greedy = queue("greedy");
    room(ROOM);
    fill(greedy);
    Received first = greedy.peekLock();

    TransactionFixture work = new TransactionFixture(shard).sends(greedy, 1);
    work.completes(greedy, first);

    shareOf(work.commits().refusal());
    var give = new TransactionRequest.GiveNumbers(new Asker(), new Note(), greedy.id, 1);
    shareOf(QueueFixture.whole(shard.ask(give)).refusal());
  }

  /** Each is a place more; whoever only receives could fill all with them. */
  @Test
  @Rule({"I-46", "I-08"})
  void propertiesThatStayAreRefusedBeforeTheyTakeWhatIsForOthers() {
    QueueFixture greedy = queue("greedy");
    shard.checkEveryStep = false;
    int[] sizes = new int[100_000];
    Arrays.fill(sizes, 1); // or the receiver's room ends
    greedy.sendSized(sizes);
    List<Received> locked = greedy.peekLock(100_000);
    stored().beside(2 * held(greedy).bytes());
    room(stored().beside() + held(greedy).charged() / 8);

    int done = 0;
    while (greedy.settleChanging(Settlement.DEFER, locked.get(done), 1).equals(Outcome.DONE)) {
      done++;
    }

    assertThat(stored().free()).isGreaterThan(1 << 20);
    Received left = locked.get(done);
    shareOf(greedy.settleChanging(Settlement.ABANDON, left, 1).refusal());
    TransactionFixture work = new TransactionFixture(shard);
    work.settlesChanging(Settlement.ABANDON, greedy, left, 1);
    shareOf(work.commits().refusal());
    assertThat(greedy.settleChanging(Settlement.COMPLETE, left, 1)).isEqualTo(Outcome.DONE);
    assertThat(greedy.defer(locked.get(done + 1))).isEqualTo(Outcome.DONE);
  }

  @Test
  @Rule({"I-46", "S-256"})
  void sessionsWithNothingButAStateAreRefusedBeforeTheyTakeWhatIsForOthers() {
    QueueFixture games =
        QueueFixture.of(shard, QueueDefinition.named("games").with().requiresSession(true).build());
    QueueFixture other = queue("other");
    room(ROOM);
    Refusal last = null;
    int set = 0;
    for (; last == null && set < 10_000; set++) {
      last = set(games, "s" + set, 1);
    }

    shareOf(last);
    assertThat(stored().isFull()).isFalse();
    assertThat(set(games, "s1", 9)).as("in its place").isNull();
    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);
  }

  private @Nullable Refusal set(QueueFixture queue, String session, int bytes) {
    QueueFixture.Consumer holder = queue.accepts(session, Duration.ZERO);
    Decision decision = shard.ask(SessionStateTest.setting(queue, holder.asker, session, bytes));
    holder.closes();
    return decision.effects().getFirst() instanceof Effect.Refused refused
        ? refused.refusal()
        : null;
  }

  /** Where bodies lie grows with messages, and is counted where nobody knows whose they are. */
  @Test
  @Rule("I-46")
  void whatTheJournalHasOfTheHeapIsDividedAsMessagesAre() {
    QueueFixture greedy = queue("greedy");
    QueueFixture other = queue("other");
    greedy.send(10_000);
    other.send(10);
    long all = stored().held();
    stored().beside(3 * all);
    stored().bound(stored().all() + all / 4);

    Refusal.MemoryShareExceeded refusal = shareOf(greedy.sendAtomically(1).refusal());

    assertThat(refusal.heldBytes())
        .isCloseTo(4 * held(greedy).bytes(), Percentage.withPercentage(1));
    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);
  }

  @Test
  @Rule({"I-46", "I-08"})
  void bodiesInMemoryAreSharedInTheSameWay() {
    QueueFixture greedy = queue("greedy");
    QueueFixture other = queue("other");
    greedy.send(80);
    int bytes = 80 * QueueFixture.SIZE;
    stored().bodies(bytes + bytes / 8, bytes / 8);

    Refusal.MemoryShareExceeded refusal = shareOf(greedy.sendAtomically(1).refusal());

    assertThat(refusal.ofBodies()).isTrue();
    assertThat(refusal.heldBytes()).isEqualTo(bytes + 1);
    assertThat(refusal.mostBytes()).isEqualTo(Math.max(4 << 10, bytes / 8 / 16));
    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);
    stored().bodies(bytes + bytes / 8, bytes / 7);
    assertThat(greedy.sendSized(1)).containsOnly(Outcome.DONE);
  }

  @Test
  @Rule({"I-46", "S-056"})
  void aBodyThatCopiesShareCountsOnceForItsTopic() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture one = topic.subscription("one");
    topic.subscription("two");
    topic.topic.send(80);
    int bytes = 80 * QueueFixture.SIZE;
    stored().bodies(2L * bytes, bytes);
    assertThat(topic.topic.sendSized(1)).containsOnly(Outcome.DONE);

    stored().bodies(bytes + bytes / 8, bytes / 8);
    Refusal.MemoryShareExceeded refusal = shareOf(topic.topic.sendAtomically(1).refusal());

    assertThat(refusal.heldBytes()).isEqualTo(bytes + 2);
    one.receiveAndDelete(81);
    shareOf(topic.topic.sendAtomically(1).refusal());
  }

  /** Else a topic with actions filled the memory of all while it seemed to hold little. */
  @Test
  @Rule({"I-46", "S-319"})
  void changedPropertiesOfCopiesCountForEachCopy() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture[] changing = changing(topic, 20);
    QueueFixture other = queue("other");
    publish(topic, 40);
    long bytes = held(topic.topic).overlayBytes();
    assertThat(bytes).isGreaterThan(10L * 40 * QueueFixture.SIZE);

    stored().bodies(bytes + bytes / 8, bytes / 8);
    Message[] more = {Message.plain()};
    Refusal.MemoryShareExceeded refusal =
        shareOf(QueueFixture.whole(topic.sendAtomically(more)).refusal());

    assertThat(refusal.ofBodies()).isTrue();
    assertThat(refusal.heldBytes()).isBetween(bytes, bytes + QueueFixture.SIZE);
    assertThat(other.sendSized(1)).containsOnly(Outcome.DONE);
    Arrays.stream(changing).forEach(each -> each.receiveAndDelete(40));
    assertThat(QueueFixture.whole(topic.sendAtomically(more))).isEqualTo(Outcome.DONE);
  }

  @Test
  @Rule({"I-46", "S-319", "S-156"})
  void copiesWithPropertiesOfTheirOwnWaitBeforeTheyTakeWhatIsForOthers() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture[] changing = changing(topic, 20);
    publish(topic, 40);
    long bytes = held(topic.topic).overlayBytes();
    topic.schedule(new long[] {shard.nowMillis + 1_000}, Message.plain());
    stored().bodies(bytes + bytes / 16, bytes / 16);

    shard.advance(Duration.ofSeconds(2));
    assertThat(changing[0].counts().active()).isEqualTo(40);

    Arrays.stream(changing).forEach(each -> each.receiveAndDelete(40));
    shard.advance(Duration.ofSeconds(2));
    assertThat(changing[0].counts().active()).as("though nothing else is free").isEqualTo(1);
  }

  /** A batch is small beside what its copies take, of which nothing is known when it is taken. */
  @Test
  @Rule({"I-46", "S-319"})
  void aTopicThatHeldNothingTakesItsShareAndNotWhatIsLeftForAll() {
    TopicFixture topic = TopicFixture.of(shard);
    shard.checkEveryStep = false; // megabytes
    changing(topic, 20);
    stored().bodies(70 << 20, 4 << 20);

    Message[] batch = new Message[50];
    Arrays.setAll(batch, i -> Message.having("text", "x".repeat(1_000)));
    assertThat(QueueFixture.whole(topic.sendAtomically(batch))).isEqualTo(Outcome.DONE);
    shard.advance(Duration.ofSeconds(2));

    assertThat(held(topic.topic).overlayBytes())
        .as("a sixteenth, and what one decision adds, of 1,000 KB that it would take")
        .isBetween(1L, (4L << 20) / 16 + (4L << 20) / 64 + 20 * 1_100);
  }

  /** What one batch left in the topic's backlog goes on once somebody has received. */
  @Test
  @Rule({"I-46", "S-319", "I-38"})
  void whatWaitsInABacklogForSuchCopiesGoesOnWhenSomeAreReceived() {
    TopicFixture topic = TopicFixture.of(shard);
    shard.checkEveryStep = false; // megabytes
    QueueFixture[] changing = changing(topic, 20);
    stored().bodies(16 << 20, 1 << 20);
    Message[] large = new Message[20];
    Arrays.setAll(large, i -> Message.having("text", "x".repeat(10_000)));
    assertThat(QueueFixture.whole(topic.sendAtomically(large))).isEqualTo(Outcome.DONE);

    shard.advance(Duration.ofSeconds(2));
    long made = changing[0].counts().active();
    assertThat(made).isBetween(1L, 19L);

    long received = 0;
    while (received < large.length) {
      long now = changing[0].counts().active();
      assertThat(now).as("some more each time").isPositive();
      Arrays.stream(changing).forEach(each -> each.receiveAndDelete((int) now));
      received += now;
      shard.advance(Duration.ofSeconds(1));
    }
    assertThat(received).isEqualTo(large.length);
  }

  private static QueueFixture[] changing(TopicFixture topic, int count) {
    QueueFixture[] made = new QueueFixture[count];
    Arrays.setAll(
        made, i -> topic.subscription("s" + i, TopicFixture.rule("r", "1=1", "SET seen = 'yes'")));
    return made;
  }

  private static void publish(TopicFixture topic, int count) {
    Message[] messages = new Message[count];
    Arrays.setAll(messages, i -> Message.having("text", "x".repeat(QueueFixture.SIZE)));
    assertThat(QueueFixture.whole(topic.sendAtomically(messages))).isEqualTo(Outcome.DONE);
  }

  @Test
  @Rule({"I-46", "S-256"})
  void aStateThatGrowsTakesBodiesAndOneThatDoesNotGoesOn() {
    QueueFixture games =
        QueueFixture.of(shard, QueueDefinition.named("games").with().requiresSession(true).build());
    assertThat(set(games, "chess", 100_000)).isNull();
    stored().bodies(111_000, 11_000);

    assertThat(shareOf(set(games, "chess", 100_001)).ofBodies()).isTrue();
    assertThat(set(games, "chess", 100_000)).isNull();
    assertThat(set(games, "chess", -1)).isNull();
    assertThat(set(games, "chess", 100_001)).isNull();
  }

  /** What was accepted is there, whatever the bound is when it is read again. */
  @Test
  @Rule({"I-46", "I-01"})
  void aReplayRefusesNothing() {
    QueueFixture greedy = queue("greedy");
    room(ROOM);
    fill(greedy);
    long before = greedy.counts().active();
    long held = held(greedy).bytes();

    shard.restart();
    stored().bound(1);

    assertThat(greedy.counts().active()).isEqualTo(before);
    assertThat(held(greedy).bytes()).isEqualTo(held);
  }
}
