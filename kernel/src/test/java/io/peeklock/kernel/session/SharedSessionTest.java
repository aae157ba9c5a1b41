package io.peeklock.kernel.session;

import static io.peeklock.kernel.machine.QueueFixture.numbers;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.machine.Definitions;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Consumer;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.SharedSession;
import io.peeklock.kernel.request.SharedSession.Token;
import io.peeklock.proof.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions that their holders are willing to hand over. */
class SharedSessionTest {
  private static final Token ONE = new Token(1, 1);
  private static final Token TWO = new Token(1, 2);
  private static final Refusal LOCKED = new Refusal.SessionCannotBeLocked("a");

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private QueueFixture queue() {
    return QueueFixture.of(shard, Definitions.lockDuration(ofSeconds(30)).withSession(true));
  }

  private Consumer shares(
      QueueFixture queue, @Nullable String id, Token assigned, @Nullable Token presented) {
    Consumer consumer = queue.newConsumer();
    shard.ask(
        new Request.AcceptSession(
            consumer.asker,
            new Note(),
            queue.id,
            id,
            ReceiveMode.PEEK_LOCK,
            0,
            new SharedSession(assigned, presented)));
    return consumer;
  }

  private @Nullable Token tokenOf(Consumer consumer) {
    Effect.SessionAccepted session = consumer.session();
    return session == null ? null : session.token();
  }

  private Outcome complete(QueueFixture queue, Received message, Consumer holder) {
    return QueueFixture.whole(
        shard.ask(
            new Request.Settle(
                new Asker(),
                new Note(),
                queue.id,
                Settlement.COMPLETE,
                new long[] {message.lockId()},
                1,
                true,
                null,
                holder.asker)));
  }

  @Test
  @Rule("S-516")
  void itsTokenIsAssignedWhenItIsGiven() {
    QueueFixture queue = queue();
    queue.sendTo("a", "b");

    Consumer named = shares(queue, "a", ONE, null);
    Consumer any = shares(queue, null, TWO, null);

    assertThat(tokenOf(named)).isEqualTo(ONE).hasToString("a session's lock token");
    assertThat(any.sessionId()).isEqualTo("b");
    assertThat(tokenOf(any)).isEqualTo(TWO);
    assertThat(tokenOf(queue.accepts("c", ZERO))).isNull();
  }

  @Test
  @Rule({"S-517", "S-519", "I-24"})
  void whoPresentsItsTokenTakesItWithTheMessagesUnderItsLock() {
    QueueFixture queue = queue();
    queue.sendTo("a", "a", "a");
    Consumer first = shares(queue, "a", ONE, null).wants(2);
    List<Received> had = first.gets();
    shard.advance(ofSeconds(10));

    Consumer second = shares(queue, "a", TWO, ONE).wants(9);

    assertThat(tokenOf(second)).isEqualTo(ONE);
    assertThat(second.lockedUntil()).isEqualTo(shard.stamp().nowMillis() + 30_000);
    assertThat(first.lostItsSession()).isTrue();
    assertThat(numbers(second.gets())).as("nothing comes again").containsExactly(3L);
    assertThat(complete(queue, had.get(0), first)).isNotEqualTo(Outcome.DONE);
    assertThat(complete(queue, had.get(0), second)).isEqualTo(Outcome.DONE);
    first.closes();
    shard.advance(ofSeconds(25));
    assertThat(second.lostItsSession()).as("its own lock lasts").isFalse();
    second.closes();
    Received again = queue.accepts("a", ZERO).wants(1).gets().getFirst();
    assertThat(again.number()).isEqualTo(2);
    assertThat(again.deliveryCount()).isZero();
  }

  @Test
  @Rule({"S-518", "S-237"})
  void withoutItsPresentTokenNobodyTakesIt() {
    QueueFixture queue = queue();
    queue.sendTo("a", "e");
    shares(queue, "a", ONE, null);
    queue.accepts("e", ZERO);

    assertThat(queue.accepts("a", ZERO).refusal()).isEqualTo(LOCKED);
    assertThat(shares(queue, "a", TWO, null).refusal()).isEqualTo(LOCKED);
    assertThat(shares(queue, "a", TWO, TWO).refusal()).isEqualTo(LOCKED);
    assertThat(shares(queue, "e", TWO, TWO).refusal())
        .isEqualTo(new Refusal.SessionCannotBeLocked("e"));
    assertThat(queue.accepts(null, ofSeconds(9)).session()).as("nor is it offered").isNull();
  }

  @Test
  @Rule("S-521")
  void itsTokenIsWorthNothingOnceTheLockIsOver() {
    QueueFixture queue = queue();
    Consumer closing = shares(queue, "a", ONE, null);
    closing.closes();
    assertThat(shares(queue, "a", TWO, ONE).refusal()).isEqualTo(LOCKED);

    Consumer lapsing = shares(queue, "a", ONE, null);
    shard.advance(ofSeconds(30));
    assertThat(lapsing.lostItsSession()).isTrue();
    assertThat(shares(queue, "a", TWO, ONE).refusal()).isEqualTo(LOCKED);

    assertThat(queue.accepts("a", ZERO).sessionId()).isEqualTo("a");
    assertThat(shares(queue, "a", TWO, ONE).refusal()).isEqualTo(LOCKED);
  }
}
