package io.peeklock.kernel.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The language in which tests tell stories about one queue. */
public final class QueueFixture {

  public static final int SIZE = 100;
  public static final int HEADER = 256;

  /** How a request ended. */
  public record Outcome(@Nullable Refusal refusal) {
    public static final Outcome DONE = new Outcome(null);
    public static final Outcome LOST = new Outcome(new Refusal.MessageLockLost());
  }

  /** A message as a receiver sees it; lock id and locked-until are 0 without a lock. */
  public record Received(
      long number,
      long bodyId,
      long overlayId,
      int size,
      long enqueuedAt,
      long expiresAt,
      int deliveryCount,
      MessageState state,
      DeadLetterCause cause,
      long enqueuedNumber,
      String deadLetterSource,
      long lockId,
      long lockedUntil) {

    public static List<Received> of(MessageBurst burst) {
      List<Received> all = new ArrayList<>();
      for (int i = 0; i < burst.count(); i++) {
        all.add(
            new Received(
                burst.sequenceNumbers()[i],
                burst.bodyIds()[i],
                burst.overlayIds() == null ? 0 : burst.overlayIds()[i],
                burst.sizes()[i],
                burst.enqueuedAtMillis()[i],
                burst.expiresAtMillis()[i],
                burst.deliveryCounts()[i],
                burst.states()[i],
                burst.causes() == null ? DeadLetterCause.NONE : burst.causes()[i],
                burst.enqueuedNumbers() == null ? 0 : burst.enqueuedNumbers()[i],
                burst.deadLetterSources() == null
                    ? ""
                    : Objects.requireNonNullElse(burst.deadLetterSources()[i], ""),
                burst.lockIds() == null ? 0 : burst.lockIds()[i],
                burst.lockedUntilMillis()));
      }
      return all;
    }
  }

  /** One who receives. */
  public final class Consumer {
    public final Asker asker = new Asker();
    private long limit;
    private int read;

    /** Whose messages it gets. */
    public QueueFixture queue() {
      return QueueFixture.this;
    }

    /** Asks for so many more. */
    public Consumer wants(long more) {
      return wantsInAll(limit + more);
    }

    public Consumer wantsInAll(long deliveryLimit) {
      limit = deliveryLimit;
      shard.ask(new Request.Flow(asker, limit, false));
      return this;
    }

    /** Wants so many more, or what is there of it now. */
    public Consumer drains(long more) {
      limit += more;
      shard.ask(new Request.Flow(asker, limit, true));
      return this;
    }

    public void transferred(long bytes) {
      shard.ask(new Request.Transferred(asker, bytes));
    }

    public void undelivered(Received... messages) {
      long bytes = Arrays.stream(messages).mapToLong(Received::size).sum();
      long[] ids = ids(messages);
      shard.ask(new Request.Undelivered(asker, ids, ids.length, bytes));
    }

    /** The session that it was given, and until when; null for none. */
    public Effect.@Nullable SessionAccepted session() {
      return effects().stream()
          .filter(Effect.SessionAccepted.class::isInstance)
          .map(Effect.SessionAccepted.class::cast)
          .findFirst()
          .orElse(null);
    }

    public String sessionId() {
      return Objects.requireNonNull(session(), "it has no session").sessionId();
    }

    public long lockedUntil() {
      return Objects.requireNonNull(session(), "it has no session").lockedUntilMillis();
    }

    public boolean lostItsSession() {
      return effects().stream().anyMatch(Effect.SessionLost.class::isInstance);
    }

    public @Nullable Refusal refusal() {
      return effects().stream()
          .filter(Effect.Refused.class::isInstance)
          .map(effect -> ((Effect.Refused) effect).refusal())
          .findFirst()
          .orElse(null);
    }

    public void closes() {
      shard.ask(new Request.CloseReceiver(asker));
    }

    /** Effects for this receiver, in order. */
    public List<Effect> effects() {
      return shard.effectsFor(asker);
    }

    /** What was delivered since the last look. */
    public List<Received> gets() {
      List<Effect> all = effects();
      List<Received> messages = new ArrayList<>();
      for (Effect effect : all.subList(Math.min(read, all.size()), all.size())) {
        if (effect instanceof Effect.Delivered delivered) {
          messages.addAll(Received.of(delivered.messages()));
        }
      }
      read = all.size();
      return messages;
    }

    public long drainsEnded() {
      return effects().stream().filter(Effect.Drained.class::isInstance).count();
    }
  }

  final ShardFixture shard;
  public final QueueId id;
  private final QueueId deadLetterId;
  private final Asker asker = new Asker();

  public QueueFixture(ShardFixture shard, QueueId id, QueueId deadLetterId) {
    this.shard = shard;
    this.id = id;
    this.deadLetterId = deadLetterId;
  }

  public static QueueFixture of(ShardFixture shard, QueueDefinition definition) {
    Request create = new Request.CreateQueue(new Asker(), new Note(), definition);
    var ready = ShardFixture.only(shard.ask(create), Effect.QueueReady.class);
    return new QueueFixture(shard, ready.queue(), ready.deadLetterQueue());
  }

  /** Tells stories about its dead-letter queue. */
  public QueueFixture deadLetters() {
    return new QueueFixture(shard, deadLetterId, deadLetterId);
  }

  public QueueCounts counts() {
    return shard.machine.counts(id);
  }

  // ---- sending

  /** Sends so many messages, each for itself. */
  public void send(int count) {
    assertThat(sendSized(same(SIZE, count))).containsOnly(Outcome.DONE);
  }

  /** Sends a message that lives so long. */
  public void sendLiving(Duration timeToLive) {
    send(new int[] {SIZE}, HEADER, timeToLive.toMillis(), false);
  }

  /** Sends messages of these sizes, each for itself; tells what became of each. */
  public List<Outcome> sendSized(int... sizes) {
    Decision decision = send(sizes, HEADER, QueueDefinition.FOREVER, false);
    return switch (decision.effects().getFirst()) {
      case Effect.SendAnswered answered -> outcomes(answered.refusals(), sizes.length);
      case Effect.Refused refused -> List.of(new Outcome(refused.refusal()));
      default -> throw new AssertionError(decision.toString());
    };
  }

  /** Sends messages of these sizes, all or none. */
  public Outcome sendAtomically(int... sizes) {
    return whole(send(sizes, HEADER, QueueDefinition.FOREVER, true));
  }

  public Decision send(int[] sizes, int headerBytes, long timeToLiveMillis, boolean atomic) {
    SendBurst burst =
        new SendBurst(
            sizes.length, sizes, same(headerBytes, sizes.length), same(timeToLiveMillis, sizes));
    return shard.ask(new Request.Send(asker, new Note(), id, burst, atomic));
  }

  /** Sends one for each of these times; the numbers that they got. */
  public long[] schedule(long... dueAtMillis) {
    int[] sizes = same(SIZE, dueAtMillis.length);
    return scheduled(
        new SendBurst(
            sizes.length,
            sizes,
            same(HEADER, sizes.length),
            same(QueueDefinition.FOREVER, sizes),
            dueAtMillis,
            null,
            null));
  }

  /** Sends a burst as one; the numbers that its messages got. */
  public long[] scheduled(SendBurst burst) {
    Decision decision = shard.ask(new Request.Send(asker, new Note(), id, burst, true, true));
    var answer = ShardFixture.only(decision, Effect.SendAnswered.class);
    assertThat(answer.refusals()).isNull();
    return Objects.requireNonNull(answer.sequenceNumbers());
  }

  public Outcome cancel(long... numbers) {
    return whole(shard.ask(new Request.CancelScheduled(asker, new Note(), id, numbers)));
  }

  /** Sends messages with these ids (0 for none), all now. */
  public Decision sendWithIds(long... ids) {
    return sendWithIds(null, ids);
  }

  public Decision sendWithIds(long @Nullable [] dueAtMillis, long... ids) {
    int[] sizes = same(SIZE, ids.length);
    long[] hashes = new long[2 * ids.length];
    for (int i = 0; i < ids.length; i++) {
      hashes[2 * i] = ids[i] == 0 ? 0 : ids[i] * 0x9E37_79B9_7F4A_7C15L;
      hashes[2 * i + 1] = ids[i];
    }
    SendBurst burst =
        new SendBurst(
            ids.length,
            sizes,
            same(HEADER, ids.length),
            same(QueueDefinition.FOREVER, sizes),
            dueAtMillis,
            hashes,
            null);
    return shard.ask(new Request.Send(asker, new Note(), id, burst, false, true));
  }

  /** Sends one message to each of these sessions, in order. */
  public void sendTo(String... sessionIds) {
    assertThat(ShardFixture.only(tries(sessionIds), Effect.SendAnswered.class).refusals()).isNull();
  }

  /** Sends a message of this size to a session. */
  public void sendTo(String sessionId, int size) {
    Decision sent = tries(new int[] {size}, sessionId);
    assertThat(ShardFixture.only(sent, Effect.SendAnswered.class).refusals()).isNull();
  }

  /** As {@link #sendTo}, whatever becomes of it. */
  public Decision tries(String... sessionIds) {
    return tries(same(SIZE, sessionIds.length), sessionIds);
  }

  private Decision tries(int[] sizes, String... sessionIds) {
    SendBurst burst =
        new SendBurst(
            sizes.length,
            sizes,
            same(HEADER, sizes.length),
            same(QueueDefinition.FOREVER, sizes),
            null,
            null,
            sessionIds);
    return shard.ask(new Request.Send(asker, new Note(), id, burst, false));
  }

  // ---- receiving

  /** Asks for a session, null for any, and waits so long. */
  public Consumer accepts(@Nullable String sessionId, Duration wait) {
    return accepts(sessionId, wait, ReceiveMode.PEEK_LOCK);
  }

  public Consumer accepts(@Nullable String sessionId, Duration wait, ReceiveMode mode) {
    Consumer consumer = new Consumer();
    shard.ask(
        new Request.AcceptSession(
            consumer.asker, new Note(), id, sessionId, mode, wait.toMillis()));
    return consumer;
  }

  /** One who has asked for nothing yet. */
  public Consumer newConsumer() {
    return new Consumer();
  }

  public Consumer consumer() {
    return consumer(ReceiveMode.PEEK_LOCK);
  }

  public Consumer consumer(ReceiveMode mode) {
    Consumer consumer = new Consumer();
    shard.ask(new Request.OpenReceiver(consumer.asker, id, mode));
    return consumer;
  }

  /** Locks the next message, if there is one now. */
  public List<Received> peekLock(int most) {
    return receive(most, ReceiveMode.PEEK_LOCK);
  }

  /** The next message, which must be there. */
  public Received peekLock() {
    List<Received> messages = peekLock(1);
    assertThat(messages).as("a message is available").hasSize(1);
    return messages.getFirst();
  }

  public List<Received> receiveAndDelete(int most) {
    return receive(most, ReceiveMode.RECEIVE_AND_DELETE);
  }

  private List<Received> receive(int most, ReceiveMode mode) {
    Consumer consumer = consumer(mode);
    List<Received> messages = consumer.drains(most).gets();
    consumer.closes();
    return messages;
  }

  public List<Received> receiveDeferred(long... numbers) {
    Decision decision = shard.ask(deferred(ReceiveMode.PEEK_LOCK, numbers));
    return Received.of(ShardFixture.only(decision, Effect.DeferredReceived.class).messages());
  }

  public Outcome refusedDeferred(long... numbers) {
    return whole(shard.ask(deferred(ReceiveMode.PEEK_LOCK, numbers)));
  }

  public Request.ReceiveDeferred deferred(ReceiveMode mode, long... numbers) {
    return new Request.ReceiveDeferred(asker, new Note(), id, numbers, mode, null, Long.MAX_VALUE);
  }

  public List<Received> peek() {
    return peek(0, 250, Long.MAX_VALUE);
  }

  /** Whether there is nothing that could be looked at. */
  public boolean peekRefused() {
    Decision decision = shard.ask(new Request.Peek(asker, new Note(), id, 0, 1, Long.MAX_VALUE));
    return decision.effects().getFirst() instanceof Effect.Refused;
  }

  public List<Received> peek(long from, int most, long maxBytes) {
    Decision decision = shard.ask(new Request.Peek(asker, new Note(), id, from, most, maxBytes));
    return Received.of(ShardFixture.only(decision, Effect.Peeked.class).messages());
  }

  // ---- settling

  public Outcome complete(Received message) {
    return settle(Settlement.COMPLETE, message);
  }

  public Outcome abandon(Received message) {
    return settle(Settlement.ABANDON, message);
  }

  public Outcome defer(Received message) {
    return settle(Settlement.DEFER, message);
  }

  public Outcome deadLetter(Received message) {
    return settle(Settlement.DEAD_LETTER, message);
  }

  public Outcome release(Received message) {
    return settle(Settlement.RELEASE, message);
  }

  public Outcome settle(Settlement settlement, Received message) {
    return settleAll(settlement, message).getFirst();
  }

  public List<Outcome> settleAll(Settlement settlement, Received... messages) {
    Decision decision = shard.ask(settlement(settlement, false, null, ids(messages)));
    var answer = ShardFixture.only(decision, Effect.SettleAnswered.class);
    assertThat(answer.settlement()).isEqualTo(settlement);
    return outcomes(answer.refusals(), messages.length);
  }

  public Outcome settleAtomically(Settlement settlement, Received... messages) {
    return whole(shard.ask(settlement(settlement, true, null, ids(messages))));
  }

  /** Settles with changed properties of this size that contain those stored before. */
  public Outcome settleChanging(Settlement settlement, Received message, int bytes) {
    Overlay overlay = new Overlay(bytes, message.overlayId());
    return whole(shard.ask(settlement(settlement, false, overlay, message.lockId())));
  }

  public Request.Settle settlement(
      Settlement settlement, boolean atomic, @Nullable Overlay overlay, long... lockIds) {
    return new Request.Settle(
        asker, new Note(), id, settlement, lockIds, lockIds.length, atomic, overlay);
  }

  public Outcome renew(Received... messages) {
    return whole(shard.ask(new Request.Renew(asker, new Note(), id, ids(messages))));
  }

  // ---- reading answers

  /** How a request ended as a whole; with a refusal for the only message of a settlement, that. */
  public static Outcome whole(Decision decision) {
    return switch (decision.effects().getFirst()) {
      case Effect.Refused refused -> new Outcome(refused.refusal());
      case Effect.SettleAnswered answered -> new Outcome(Refusals.first(answered.refusals()));
      case Effect.SendAnswered answered -> new Outcome(Refusals.first(answered.refusals()));
      case Effect.Renewed ignored -> Outcome.DONE;
      case Effect.Cancelled ignored -> Outcome.DONE;
      default -> throw new AssertionError(decision.toString());
    };
  }

  private static List<Outcome> outcomes(@Nullable Refusal @Nullable [] refusals, int count) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      outcomes.add(refusals == null ? Outcome.DONE : new Outcome(refusals[i]));
    }
    return outcomes;
  }

  public static List<Long> numbers(List<Received> messages) {
    return messages.stream().map(Received::number).toList();
  }

  public static long[] ids(Received... messages) {
    return Arrays.stream(messages).mapToLong(Received::lockId).toArray();
  }

  public static int[] same(int value, int count) {
    int[] all = new int[count];
    Arrays.fill(all, value);
    return all;
  }

  private static long[] same(long value, int[] like) {
    long[] all = new long[like.length];
    Arrays.fill(all, value);
    return all;
  }
}
