package io.peeklock.kernel.forward;

import static io.peeklock.kernel.forward.ForwardFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.forward.ForwardFixture.Content;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes active in a queue moves on to where the queue forwards. */
class ForwardTest {
  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private final ForwardFixture forwards = new ForwardFixture(shard);

  @Test
  @Rule({"S-285", "S-290", "I-36", "S-146"})
  void aMessageMovesToTheDestinationWithANewNumberAndKeepsTheFirst() {
    var end = forwards.queue("end");
    end.send(3);
    var start = forwards.queue("start", "END");
    start.send(2);
    shard.passes(Duration.ofSeconds(1));

    assertThat(start.counts().active()).isZero();
    assertThat(start.counts().bytes()).isZero();
    assertThat(end.counts().active()).isEqualTo(5);
    assertThat(end.counts().bytes()).isEqualTo(5 * QueueFixture.SIZE);
    assertThat(end.peek()).extracting(Received::number).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(end.peek()).extracting(Received::enqueuedNumber).containsExactly(0L, 0L, 0L, 1L, 2L);
    assertThat(shard.read).as("nothing was read").isEmpty();
  }

  @Test
  @Rule({"S-146", "S-285"})
  void theNumberThatAMessageWasFirstGivenStaysOverSeveralHops() {
    var end = forwards.queue("end");
    var middle = forwards.queue("middle", "end");
    middle.send(2);
    var start = forwards.queue("start", "middle");

    start.send(1);

    assertThat(end.peek()).extracting(Received::enqueuedNumber).containsExactly(1L, 2L, 1L);
  }

  @Test
  @Rule({"S-285", "S-167"})
  void whatIsExpiredDoesNotMove() {
    var end = forwards.queue("end");
    var is = with("start").defaultTimeToLiveMillis(60_000);
    var start = forwards.queue(is);
    start.send(1);
    shard.passes(Duration.ofMinutes(2)); // and nobody has looked
    start.send(1);

    shard.ask(new EntityRequest.UpdateQueue(new Asker(), new Note(), is.forwardTo("end").build()));

    assertThat(end.peek()).extracting(Received::enqueuedNumber).containsExactly(2L);
    shard.tickWhileDue();
    assertThat(start.counts().active()).isZero();
    assertThat(end.counts().active()).isEqualTo(1);
  }

  @Test
  @Rule("S-285")
  void aScheduledMessageMovesWhenItIsDue() {
    var end = forwards.queue("end");
    var start = forwards.queue("start", "end");
    start.schedule(shard.nowMillis + 60_000);
    assertThat(end.counts().active()).isZero();

    shard.advance(Duration.ofMinutes(1));

    assertThat(end.counts().active()).isEqualTo(1);
    assertThat(start.counts().scheduled()).isZero();
  }

  @Test
  @Rule("S-291")
  void aThousandMessagesKeepTheirOrder() {
    var end = forwards.queue("end");
    var start = forwards.queue("start", "end");
    shard.checkEveryStep = false;
    start.send(1_100);

    var got = end.peekLock(2_000);

    assertThat(got).hasSize(1_100);
    assertThat(got).extracting(Received::enqueuedNumber).isSorted();
  }

  @Test
  @Rule({"S-292", "S-293", "S-194", "I-36"})
  void fourHopsSucceedAndTheFifthIsADeadLetterWhereTheMessageIs() {
    var f = forwards.queue("f");
    var e = forwards.queue("e", "f");
    forwards.queue("d", "e");
    forwards.queue("c", "d");
    var b = forwards.queue("b", "c");
    var a = forwards.queue("a", "b");

    a.send(1);
    assertThat(f.counts().active()).as("after the fifth").isZero();
    var dead = e.deadLetters().peekLock();
    assertThat(dead.cause()).isEqualTo(DeadLetterCause.HOP_LIMIT_EXCEEDED);
    assertThat(dead.enqueuedNumber()).isEqualTo(1);

    b.send(1);
    assertThat(f.counts().active()).as("after the fourth").isEqualTo(1);
  }

  @Test
  @Rule({"S-294", "S-295"})
  void whatFindsNoRoomIsADeadLetterAndStaysOneWhenThereIsRoomAgain() {
    var end = forwards.queue(with("end").maxSizeBytes(2L * QueueFixture.SIZE));
    var start = forwards.queue("start", "end");
    start.send(3);

    assertThat(end.counts().active()).isEqualTo(2);
    assertThat(start.deadLetters().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.FORWARDING_FAILED);

    end.complete(end.peekLock());
    start.send(1);

    assertThat(end.counts().active()).isEqualTo(2);
    assertThat(start.deadLetters().counts().active()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = EntityStatus.class,
      names = {"DISABLED", "SEND_DISABLED"})
  @Rule("S-294")
  void aDisabledDestinationMakesDeadLetters(EntityStatus status) {
    var end = forwards.queue(with("end").status(status));
    var start = forwards.queue("start", "end");
    start.send(2);

    assertThat(end.counts().active()).isZero();
    assertThat(start.deadLetters().peek())
        .extracting(Received::cause)
        .containsOnly(DeadLetterCause.FORWARDING_FAILED);
  }

  @Test
  @Rule("S-294")
  void aDestinationThatOnlyCannotBeReceivedFromTakesMessages() {
    var end = forwards.queue(with("end").status(EntityStatus.RECEIVE_DISABLED));
    forwards.queue("start", "end").send(2);

    assertThat(end.counts().active()).isEqualTo(2);
  }

  @Test
  @Rule({"S-288", "S-298", "S-193"})
  void theSessionIsThatOfTheMessageAndOneWithoutIsADeadLetter() {
    var end = forwards.queue(with("end").requiresSession(true));
    var start = forwards.queue("start", "end");
    forwards.next(Content.of("cart-1"));
    start.send(1);
    start.send(1);

    var consumer = end.accepts(null, Duration.ZERO).wants(5);
    assertThat(consumer.sessionId()).isEqualTo("cart-1");
    assertThat(consumer.gets()).hasSize(1);
    assertThat(start.deadLetters().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.SESSION_ID_MISSING);
    assertThat(shard.read).containsExactly(1L, 2L);
  }

  /** The service takes it; what its messages do is decided in a record. */
  @Test
  @Rule({"S-288", "S-285", "S-291", "S-231"})
  void aQueueWithSessionsForwardsWhatHasOne() {
    var plain = forwards.queue("plain");
    var start = forwards.queue(with("start").requiresSession(true).forwardTo("plain"));

    start.sendTo("a", "b", "a");
    var without = start.sendSized(1).getFirst();

    assertThat(plain.peek()).extracting(Received::enqueuedNumber).containsExactly(1L, 2L, 3L);
    assertThat(without.refusal()).isEqualTo(new Refusal.SessionIdMissing());
    assertThat(start.counts().active()).isZero();
    assertThat(start.counts().bytes()).isZero();
    assertThat(start.accepts("a", Duration.ZERO).session()).isNull();
  }

  @Test
  @Rule({"S-288", "S-427", "S-289"})
  void aQueueWithSessionsCanBeToldToForward() {
    var end = forwards.queue("end");
    var is = with("start").requiresSession(true);
    var start = forwards.queue(is);
    start.sendTo("a", "a");
    var holder = start.accepts("a", Duration.ZERO).wants(1);
    var waiter = start.accepts(null, Duration.ofMinutes(1));
    assertThat(holder.gets()).hasSize(1);

    shard.ask(new EntityRequest.UpdateQueue(new Asker(), new Note(), is.forwardTo("end").build()));
    shard.passes(Duration.ofMinutes(6));

    assertThat(holder.effects()).hasAtLeastOneElementOfType(Effect.ReceiverEnded.class);
    assertThat(waiter.session()).isNull();
    assertThat(waiter.effects()).hasAtLeastOneElementOfType(Effect.Refused.class);
    assertThat(start.counts().active()).isZero();
    assertThat(end.peek()).extracting(Received::enqueuedNumber).containsExactly(1L, 2L);
    shard.restart();
    assertThat(end.peek()).hasSize(2);
  }

  @Test
  @Rule({"S-288", "S-298"})
  void anEmptySessionIdIsOne() {
    var end = forwards.queue(with("end").requiresSession(true));
    var start = forwards.queue("start", "end");
    forwards.next(Content.of(""));

    start.send(1);

    assertThat(end.accepts("", Duration.ZERO).wants(5).gets()).hasSize(1);
    assertThat(start.deadLetters().peek()).isEmpty();
  }

  @Test
  @Rule({"S-298", "S-280"})
  void anIdThatTheDestinationHasSeenIsDropped() {
    var end = forwards.queue(with("end").duplicateWindowMillis(60_000));
    var start = forwards.queue("start", "end");
    for (long id : new long[] {7, 7, 8, 0, 0}) {
      forwards.next(Content.ofId(id));
      start.send(1);
    }

    assertThat(end.peek()).extracting(Received::enqueuedNumber).containsExactly(1L, 3L, 4L, 5L);
    assertThat(start.counts().active()).isZero();
    assertThat(shard.deadBodies).containsExactly(2L);
  }

  @Test
  @Rule({"S-298", "S-278"})
  void oneOfTwoEqualIdsInOneSliceIsDropped() {
    var end = forwards.queue(with("end").duplicateWindowMillis(60_000));
    var start = forwards.queue("start", "end");
    var first = shard.machine.nextBodyId();
    for (int i = 0; i < 3; i++) {
      forwards.bodies.put(first + i, Content.ofId(i == 2 ? 8 : 7));
    }
    start.send(3);

    assertThat(end.peek()).extracting(Received::enqueuedNumber).containsExactly(1L, 3L);
  }

  @Test
  @Rule({"I-01", "S-278", "S-294"})
  void oneThatTheDestinationRefusesHasNoDuplicateInItsSlice() {
    var end =
        forwards.queue(
            with("end").duplicateWindowMillis(60_000).maxSizeBytes(2L * QueueFixture.SIZE));
    var start = forwards.queue("start", "end");
    var first = shard.machine.nextBodyId();
    for (int i = 0; i < 3; i++) {
      forwards.bodies.put(first + i, Content.ofId(7));
    }
    start.sendSized(2 * QueueFixture.SIZE + 1, QueueFixture.SIZE, QueueFixture.SIZE);

    assertThat(end.peek()).extracting(Received::enqueuedNumber).containsExactly(2L);
    assertThat(start.deadLetters().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.FORWARDING_FAILED);
  }

  @Test
  @Rule("S-178")
  void aTimeToLiveBeginsAnewAndIsBoundedByTheDestination() {
    var end = forwards.queue(with("end").defaultTimeToLiveMillis(20_000));
    var middle = forwards.queue(with("middle").status(EntityStatus.ACTIVE));
    middle.send(1);
    var start = forwards.queue("start", "end");
    var slow = forwards.queue("slow", "end");
    shard.advance(Duration.ofMillis(1)); // what is sent as they are made may be of before
    start.sendLiving(Duration.ofSeconds(10));
    slow.sendLiving(Duration.ofSeconds(30));

    assertThat(end.peek())
        .extracting(Received::expiresAt)
        .containsExactly(shard.nowMillis + 10_000, shard.nowMillis + 20_000);
  }

  @Test
  @Rule({"S-178", "S-179"})
  void whatTheQueuesTimeToLiveWasBeforeItForwardedDoesNotGoOn() {
    var end = forwards.queue("end");
    var start = forwards.queue(with("start").defaultTimeToLiveMillis(5_000));
    start.send(1);
    forwards.next(Content.living(3_000));
    start.sendLiving(Duration.ofSeconds(3));
    shard.advance(Duration.ofSeconds(1));
    forwards.update(with("start").forwardTo("end"));

    assertThat(end.peek())
        .extracting(Received::expiresAt)
        .containsExactly(QueueDefinition.FOREVER, shard.nowMillis + 3_000);
  }

  /** However many there are, no decision holds the bodies of more than so many. */
  @Test
  @Rule({"S-178", "S-291"})
  void bodiesAreReadForSomeMessagesAtATime() {
    shard.checkEveryStep = false;
    var end = forwards.queue("end");
    var start = forwards.queue(with("start").defaultTimeToLiveMillis(5_000));
    start.send(200);
    shard.advance(Duration.ofSeconds(1));
    shard.grants.clear();
    forwards.update(with("start").forwardTo("end"));

    assertThat(end.peek())
        .hasSize(200)
        .allMatch(each -> each.expiresAt() == QueueDefinition.FOREVER);
    assertThat(shard.grants)
        .filteredOn(Grant.ForwardLooked.class::isInstance)
        .extracting(grant -> ((Grant.ForwardLooked) grant).nextSequenceNumber())
        .containsExactly(65L, 129L, 193L, 201L);
  }

  @Test
  @Rule({"S-179", "S-296"})
  void whatForwardsNeitherExpiresByDefaultNorIsIdle() {
    var definition =
        with("start")
            .defaultTimeToLiveMillis(5_000)
            .autoDeleteOnIdleMillis(600_000)
            .forwardTo("end")
            .build();

    assertThat(definition.defaultTimeToLiveMillis()).isEqualTo(QueueDefinition.FOREVER);
    assertThat(definition.autoDeleteOnIdleMillis()).isEqualTo(QueueDefinition.FOREVER);
  }

  @Test
  @Rule("S-286")
  void aDestinationMustBeThereAndBeAQueueOrTopicAndAnotherOne() {
    var topic = TopicFixture.of(shard);
    topic.subscription("audit");

    for (var path : new String[] {"nowhere", "START", "events/Subscriptions/audit"}) {
      assertThat(refusal(with("start").forwardTo(path).build()))
          .isEqualTo(new Refusal.ForwardDestinationNotFound(path.equals("START") ? "start" : path));
    }
    assertThat(refusal(with("start").forwardDeadLettersTo("nowhere").build()))
        .isEqualTo(new Refusal.ForwardDestinationNotFound("nowhere"));
  }

  private Refusal refusal(QueueDefinition definition) {
    return ShardFixture.only(
            shard.ask(
                new Request.CreateQueue(
                    new ShardFixture.Asker(), new ShardFixture.Note(), definition)),
            Effect.Refused.class)
        .refusal();
  }

  @Test
  @Rule("S-285")
  void onlyWhatIsActiveMoves() {
    var end = forwards.queue("end");
    var start = forwards.queue(with("start").forwardDeadLettersTo("end").maxDeliveryCount(5));
    start.send(3);
    var deferred = start.peekLock();
    start.defer(deferred);
    start.deadLetter(start.peekLock());

    assertThat(start.counts().deferred()).isEqualTo(1);
    assertThat(start.counts().active()).isEqualTo(1);
    assertThat(end.counts().active()).isEqualTo(1);
  }

  @Test
  @Rule("S-290")
  void aBodyThatCannotBeReadStopsItsQueueAndNoOther() {
    var end = forwards.queue(with("end").requiresSession(true));
    var plain = forwards.queue("plain");
    var broken = forwards.queue("broken", "end");
    var whole = forwards.queue("whole", "plain");
    forwards.lost.add(shard.machine.nextBodyId());
    broken.send(1);
    whole.send(1);
    forwards.next(Content.of("s"));
    broken.send(1);
    shard.advance(Duration.ofHours(1));

    assertThat(broken.counts().active()).isEqualTo(2);
    assertThat(end.counts().active()).isZero();
    assertThat(plain.counts().active()).isEqualTo(1);
  }

  @Test
  @Rule({"S-290", "S-201", "I-36"})
  void aCheckpointKnowsHowOftenAMessageWasForwarded() {
    var f = forwards.queue("f");
    var e = forwards.queue(with("e").forwardDeadLettersTo("f"));
    forwards.queue("d", "e");
    forwards.queue("c", "d");
    forwards.queue("b", "c");
    forwards.queue("a", "b").send(1);

    var restored = restored(shard.machine);
    assertThat(restored.stateHash()).isEqualTo(shard.machine.stateHash());
    shard.machine = restored;
    e.deadLetter(e.peekLock());

    assertThat(e.deadLetters().counts().active()).isEqualTo(1);
    assertThat(f.counts().active()).isZero();
  }

  private static Machine restored(Machine machine) {
    var restored = new Machine();
    var snapshot = machine.beginSnapshot();
    for (var part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      part.forEach(fact -> restored.apply(0, fact));
    }
    snapshot.end();
    return restored;
  }

  @Test
  @Rule("S-291")
  void queuesWithMoreThanASliceTakeTurns() {
    shard.checkEveryStep = false;
    forwards.queue("end");
    var one = forwards.queue("one");
    var two = forwards.queue("two");
    one.send(ForwardHandler.SLICE * 2);
    two.send(ForwardHandler.SLICE * 2);
    for (var name : List.of("one", "two")) {
      var update =
          new EntityRequest.UpdateQueue(
              new Asker(), new Note(), with(name).forwardTo("end").build());
      shard.take(shard.decide(update)); // and nothing moves yet
    }

    shard.forwardWhileWanted();

    assertThat(shard.log.stream().map(ShardFixture.Logged::fact))
        .filteredOn(ForwardFact.Forwarded.class::isInstance)
        .extracting(fact -> ((ForwardFact.Forwarded) fact).source())
        .containsExactly(one.id, two.id, one.id, two.id);
  }
}
