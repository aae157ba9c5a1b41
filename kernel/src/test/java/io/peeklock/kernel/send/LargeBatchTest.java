package io.peeklock.kernel.send;

import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueDefinitionBuilder;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.forward.ForwardFixture;
import io.peeklock.kernel.forward.ForwardFixture.Content;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Batches of which each message takes too long for all of them to arrive in one decision. */
class LargeBatchTest {
  private static final int MANY = SendValidation.MOST_AT_ONCE + 100;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final ForwardFixture forwards = new ForwardFixture(shard);

  @BeforeEach
  void beQuick() {
    shard.checkEveryStep = false;
  }

  private static QueueDefinitionBuilder with(String path) {
    return QueueDefinition.named(path).with().lockDurationMillis(ofSeconds(30).toMillis());
  }

  private QueueFixture withSessions() {
    return QueueFixture.of(shard, with("s").build().withSession(true));
  }

  private QueueFixture withIds() {
    return QueueFixture.of(shard, with("d").build().withDuplicateWindow(60_000));
  }

  /** Sends a batch; a message's body says its session, as does the burst. */
  private Decision sendTo(QueueFixture queue, boolean atomic, @Nullable String... sessions) {
    long body = shard.machine.nextBodyId();
    for (int i = 0; i < sessions.length; i++) {
      forwards.willHave(body + i, new Content(sessions[i], 0, 0, false));
    }
    return send(queue, atomic, null, sessions, sessions.length);
  }

  private Decision sendIds(QueueFixture queue, boolean atomic, long... ids) {
    long body = shard.machine.nextBodyId();
    long[] hashes = new long[2 * ids.length];
    for (int i = 0; i < ids.length; i++) {
      forwards.willHave(body + i, Content.ofId(ids[i]));
      hashes[2 * i] = ids[i];
      hashes[2 * i + 1] = ids[i];
    }
    return send(queue, atomic, hashes, null, ids.length);
  }

  private Decision send(
      QueueFixture queue,
      boolean atomic,
      long @Nullable [] hashes,
      @Nullable String @Nullable [] sessions,
      int count) {
    int[] sizes = new int[count];
    Arrays.fill(sizes, 10);
    long[] forever = new long[count];
    Arrays.fill(forever, QueueDefinition.FOREVER);
    SendBurst burst = new SendBurst(count, sizes, new int[count], forever, null, hashes, sessions);
    return shard.ask(new Request.Send(new Asker(), new Note(), queue.id, burst, atomic, false));
  }

  private static String[] sessions(int count) {
    String[] all = new String[count];
    Arrays.setAll(all, i -> "s" + i % 3);
    return all;
  }

  private static long[] ids(int count) {
    return LongStream.rangeClosed(1, count).toArray();
  }

  @Test
  @Rule({"S-405", "S-406", "S-408"})
  void itIsTakenWholeByOneDecisionAndArrivesInOrder() {
    QueueFixture queue = withSessions();

    Decision decision = sendTo(queue, true, sessions(MANY));

    assertThat(QueueFixture.whole(decision)).isEqualTo(Outcome.DONE);
    assertThat(decision.facts())
        .filteredOn(Fact.Enqueued.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            Fact.Enqueued.class,
            fact -> {
              assertThat(fact.queue()).isNotEqualTo(queue.id);
              assertThat(fact.sizes()).hasSize(MANY);
            });
    long[] first = LongStream.rangeClosed(1, MANY).filter(i -> i % 3 == 1).limit(500).toArray();
    assertThat(numbers(queue.accepts("s0", ZERO).wants(500).gets()))
        .containsExactly(Arrays.stream(first).boxed().toArray(Long[]::new));
    assertThat(queue.counts().active()).isEqualTo(MANY);
  }

  @Test
  @Rule({"S-405", "S-232"})
  void oneWrongMessageRefusesAllOfIt() {
    QueueFixture queue = withSessions();
    @Nullable String[] sessions = sessions(MANY);
    sessions[MANY - 1] = null;

    Decision decision = sendTo(queue, true, sessions);

    assertThat(QueueFixture.whole(decision)).isEqualTo(new Outcome(new Refusal.SessionIdMissing()));
    assertThat(decision.facts()).isEmpty();
  }

  @Test
  @Rule({"S-405", "S-435"})
  void itIsRefusedWholeWhereItDoesNotFit() {
    QueueFixture queue =
        QueueFixture.of(shard, with("f").maxSizeBytes(10L * MANY - 1).build().withSession(true));

    assertThat(
            Objects.requireNonNull(
                QueueFixture.whole(sendTo(queue, true, sessions(MANY))).refusal()))
        .isInstanceOf(Refusal.QuotaExceeded.class);
    assertThat(queue.counts().active()).isZero();
  }

  @Test
  @Rule({"S-266", "S-278", "S-405"})
  void duplicatesInItAndBeforeItAreDroppedWhenItArrives() {
    QueueFixture queue = withIds();
    sendIds(queue, false, 7);
    long[] ids = ids(MANY);
    ids[MANY - 1] = 3; // seen in the same batch

    assertThat(QueueFixture.whole(sendIds(queue, true, ids))).isEqualTo(Outcome.DONE);

    assertThat(queue.counts().active()).isEqualTo(MANY - 1);
    sendIds(queue, false, 100);
    assertThat(queue.counts().active()).as("its ids are remembered").isEqualTo(MANY - 1);
  }

  @Test
  @Rule({"S-266", "S-405"})
  void aTopicLooksForItsDuplicatesAsItsCopiesAreMade() {
    QueueFixture topic =
        QueueFixture.of(
            shard, with("t").build().withDuplicateWindow(60_000).as(new QueueRole.Topic(false)));
    QueueFixture copies =
        QueueFixture.of(
            shard, with("t/Subscriptions/a").build().as(new QueueRole.Subscription("t", true)));
    long[] ids = ids(MANY);
    ids[MANY - 1] = 3;

    assertThat(QueueFixture.whole(sendIds(topic, true, ids))).isEqualTo(Outcome.DONE);

    assertThat(copies.counts().active()).isEqualTo(MANY - 1);
    sendIds(topic, false, 100);
    assertThat(copies.counts().active()).isEqualTo(MANY - 1);
  }

  @Test
  @Rule({"S-405", "S-406", "I-24"})
  void whatIsSentMeanwhileComesBehindIt() {
    QueueFixture queue = withIds();
    forwards.lost.add(shard.machine.nextBodyId()); // so that the first one waits

    sendIds(queue, true, ids(MANY));
    sendIds(queue, false, 1_000_000);

    assertThat(queue.counts().active()).isZero();
    forwards.lost.clear();
    shard.advance(ofSeconds(10));
    assertThat(queue.counts().active()).isEqualTo(MANY + 1);
    assertThat(queue.peek(MANY, 9, Long.MAX_VALUE).getLast().bodyId())
        .isEqualTo(shard.machine.nextBodyId() - 1);
  }

  @Test
  @Rule({"I-01", "S-405"})
  void halfArrivedItGoesOnAfterARestart() {
    QueueFixture queue = withSessions();
    forwards.lost.add(shard.machine.nextBodyId() + 1_000);
    sendTo(queue, true, sessions(MANY));
    long arrived = queue.counts().active();
    assertThat(arrived).isBetween(1L, 1_000L);

    shard.restart();
    forwards.lost.clear();
    shard.advance(ofSeconds(10));

    assertThat(queue.counts().active()).isEqualTo(MANY);
  }

  @Test
  @Rule("S-408")
  void aQueueThatLooksForNothingTakesItAtOnceAndSoDoesOneOfSingles() {
    QueueFixture plain = QueueFixture.of(shard, with("plain").build());

    Decision all = send(plain, true, null, null, 20_000);

    assertThat(ShardFixture.only(all, Effect.SendAnswered.class).refusals()).isNull();
    assertThat(plain.counts().active()).isEqualTo(20_000);
    sendIds(withIds(), false, ids(SendValidation.MOST_AT_ONCE));
    assertThat(shard.machine.queues())
        .noneMatch(entry -> entry.definition().role() instanceof QueueRole.Transfers);
  }

  /** One message, scheduled for later. */
  private Decision schedule(QueueFixture queue, long id) {
    return sendDue(queue, false, new long[] {id}, 0);
  }

  private Decision sendDue(QueueFixture queue, boolean atomic, long[] ids, int which) {
    int count = ids.length;
    long body = shard.machine.nextBodyId();
    int[] sizes = new int[count];
    Arrays.fill(sizes, 10);
    long[] forever = new long[count];
    Arrays.fill(forever, QueueDefinition.FOREVER);
    long[] hashes = new long[2 * count];
    for (int i = 0; i < count; i++) {
      forwards.willHave(body + i, Content.ofId(ids[i]));
      hashes[2 * i] = ids[i];
      hashes[2 * i + 1] = ids[i];
    }
    long[] due = new long[count];
    due[which] = shard.stamp().wallMillis() + ofSeconds(50).toMillis();
    SendBurst burst = new SendBurst(count, sizes, new int[count], forever, due, hashes, null);
    return shard.ask(new Request.Send(new Asker(), new Note(), queue.id, burst, atomic, false));
  }

  private static @Nullable Refusal refusal(Decision decision) {
    @Nullable Refusal @Nullable [] all =
        ShardFixture.only(decision, Effect.SendAnswered.class).refusals();
    return all == null ? null : all[0];
  }

  @Test
  @Rule({"I-01", "S-266", "S-155"})
  void nothingScheduledIsTakenForOneThatWaits() {
    QueueFixture queue = withIds();
    forwards.lost.add(shard.machine.nextBodyId()); // so that all of them wait
    sendIds(queue, true, ids(MANY));

    assertThat(refusal(schedule(queue, 5))).isEqualTo(new Refusal.EarlierIdsAreWaiting());
    assertThat(refusal(schedule(queue, 1_000_000_000_000L))).isNull();

    forwards.lost.clear();
    shard.advance(ofSeconds(10));
    assertThat(queue.counts().active()).isEqualTo(MANY);
    assertThat(refusal(schedule(queue, 5))).as("a duplicate by now").isNull();
    assertThat(queue.counts().scheduled()).isEqualTo(1);
  }

  @Test
  @Rule({"I-01", "S-266"})
  void norAfterARestartWhichKnowsNoIds() {
    QueueFixture queue = withIds();
    forwards.lost.add(shard.machine.nextBodyId());
    sendIds(queue, true, ids(MANY));

    shard.restart();

    assertThat(refusal(schedule(queue, 5))).isEqualTo(new Refusal.EarlierIdsAreWaiting());
    forwards.lost.clear();
    shard.advance(ofSeconds(10));
    assertThat(queue.counts().active()).isEqualTo(MANY);
    assertThat(refusal(schedule(queue, 5_000_000))).isNull();
  }

  @Test
  @Rule({"I-01", "S-266"})
  void norWhatATopicHasToCopy() {
    QueueFixture topic =
        QueueFixture.of(
            shard, with("t").build().withDuplicateWindow(60_000).as(new QueueRole.Topic(false)));
    QueueFixture.of(
        shard, with("t/Subscriptions/a").build().as(new QueueRole.Subscription("t", true)));
    forwards.lost.add(shard.machine.nextBodyId());
    sendIds(topic, true, ids(MANY));

    assertThat(refusal(schedule(topic, 5))).isEqualTo(new Refusal.EarlierIdsAreWaiting());
  }

  @Test
  @Rule({"S-148", "S-405"})
  void oneWithScheduledMessagesIsRefusedWhole() {
    QueueFixture queue = withIds();

    Decision decision = sendDue(queue, true, ids(MANY), MANY - 1);

    assertThat(QueueFixture.whole(decision))
        .isEqualTo(new Outcome(new Refusal.TooManyScheduledAtOnce(SendValidation.MOST_AT_ONCE)));
    assertThat(decision.facts()).isEmpty();
    assertThat(refusal(sendDue(queue, true, ids(SendValidation.MOST_AT_ONCE), 0))).isNull();
  }
}
