package io.peeklock.amqp;

import static io.peeklock.amqp.DoorFixture.body;
import static io.peeklock.amqp.DoorFixture.misfit;
import static io.peeklock.amqp.DoorFixture.refusal;
import static io.peeklock.amqp.DoorFixture.text;
import static io.peeklock.amqp.DoorFixture.token;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.amqp.message.LockTokens;
import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.Answer.Misfit;
import io.peeklock.runtime.message.ReceiveOrder;
import io.peeklock.runtime.message.TextProperty;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Messages that are sent, received and settled without a link. */
class DirectMessagingTest {
  private final DoorFixture door = new DoorFixture();
  private final BrokerFixture broker = door.broker;

  @Test
  @Rule({"S-001", "S-024", "S-030"})
  void aMessageIsSentLockedAndCompleted() {
    assertThat(door.send("q", text("a"))).isEqualTo(new Answer.Given<>(1));

    var locked = door.lock("Q");
    assertThat(body(locked)).isEqualTo("a");
    assertThat(locked.stored().sequenceNumber()).isEqualTo(1);
    assertThat(door.isEmpty("q")).isTrue();
    var held = token(locked);
    assertThat(door.given(door.door.settle("q", held, Settlement.COMPLETE)))
        .isEqualTo(Settlement.COMPLETE);

    assertThat(refusal(door.answered(door.door.settle("q", held, Settlement.COMPLETE))))
        .isInstanceOf(Refusal.MessageLockLost.class);
    assertThat(broker.journal.leaks()).isZero();
    assertThat(broker.journal.liveBodies()).isZero();
  }

  @Test
  @Rule("S-439")
  void whoWaitsForAMessageIsAReceiverOfItsEntityUntilItIsAnswered() {
    var one = new DoorFixture(new BrokerFixture(new AmqpSettings.Quotas(9, 1, 0, true)));
    var waiting = one.receiving("q", ReceiveMode.PEEK_LOCK, 60_000);

    assertThat(refusal(one.answered(one.receiving("Q", ReceiveMode.PEEK_LOCK, 0))))
        .isEqualTo(new Refusal.TooMany("receivers of q", 1));
    assertThat(one.broker.client().receiver(0, 1, "q", 0).take(TestClient.DETACH)).hasSize(1);
    one.send("q", text("a"));
    assertThat(body(one.given(waiting).orElseThrow())).isEqualTo("a");
    assertThat(one.isEmpty("q")).isTrue();
    var dropped = one.receiving("q", ReceiveMode.PEEK_LOCK, 60_000);
    dropped.cancel(false);
    one.settle();
    assertThat(one.isEmpty("q")).as("who has gone counts no more").isTrue();

    assertThat(one.broker.client().receiver(0, 1, "q", 0).take(TestClient.DETACH)).isEmpty();
    assertThat(refusal(one.answered(one.receiving("q", ReceiveMode.PEEK_LOCK, 0))))
        .isInstanceOf(Refusal.TooMany.class);
  }

  @Test
  @Rule({"S-405", "S-140"})
  void aBatchIsStoredInItsOrderOrNotAtAll() {
    var half = door.send("q", text("a"), text("b", TextProperty.MESSAGE_ID, "x".repeat(129)));
    assertThat(misfit(half)).isEqualTo(Misfit.MALFORMED);
    assertThat(door.isEmpty("q")).isTrue();

    broker.queue(QueueDefinition.named("sessions").withSession(true));
    var whole =
        door.send("sessions", text("a", TextProperty.SESSION_ID, "s"), text("without a session"));
    assertThat(refusal(whole)).isInstanceOf(Refusal.SessionIdMissing.class);
    assertThat(broker.journal.liveBodies()).isZero();

    door.send("q", text("a"), text("b"), text("c"));

    assertThat(List.of(body(door.lock("q")), body(door.lock("q")), body(door.lock("q"))))
        .containsExactly("a", "b", "c");
  }

  @Test
  @Rule({"S-032", "S-097"})
  void whatIsAbandonedComesBackWithACountAndAnotherToken() {
    door.send("q", text("a"));
    var first = door.lock("q");

    door.given(door.door.settle("q", token(first), Settlement.ABANDON));

    var second = door.lock("q");
    assertThat(second.stored().sequenceNumber()).isEqualTo(first.stored().sequenceNumber());
    assertThat(second.stored().failedDeliveries()).isEqualTo(1);
    assertThat(token(second)).isNotEqualTo(token(first));
  }

  @Test
  @Rule({"S-105", "S-502"})
  void aLockIsRenewedUntilItLapses() {
    door.send("q", text("a"));
    var locked = TestClient.there(door.lock("q").lock());
    door.advance(Duration.ofSeconds(40));

    var until = door.given(door.door.renew("q", locked.token()));

    assertThat(until.toEpochMilli()).isEqualTo(locked.untilMillis() + 40_000);
    door.advance(Duration.ofSeconds(61));
    assertThat(refusal(door.answered(door.door.renew("q", locked.token()))))
        .isInstanceOf(Refusal.MessageLockLost.class);
    assertThat(door.lock("q").stored().failedDeliveries()).isEqualTo(1);
  }

  @Test
  @Rule("S-502")
  void aTokenOfAnotherQueueOrOfNobodyIsLost() {
    broker.queue(QueueDefinition.named("other"));
    door.send("q", text("a"));
    var held = token(door.lock("q"));

    var elsewhere = door.answered(door.door.settle("other", held, Settlement.COMPLETE));
    var invented = door.answered(door.door.settle("q", UUID.randomUUID(), Settlement.COMPLETE));

    assertThat(refusal(elsewhere)).isInstanceOf(Refusal.MessageLockLost.class);
    assertThat(refusal(invented)).isInstanceOf(Refusal.MessageLockLost.class);
    assertThat(door.given(door.door.settle("q", held, Settlement.COMPLETE))).isNotNull();
  }

  @Test
  @Rule("S-097")
  void aTokenThatALinkGotIsGoodHere() {
    var client = broker.client();
    door.send("q", text("a"));
    client.receiver(0, 1, "q", 0).credit(1, 1);
    var tag = (byte[]) TestClient.there(client.one(TRANSFER).field(2));

    var settled = door.door.settle("q", LockTokens.uuid(tag, 0), Settlement.COMPLETE);

    assertThat(door.given(settled)).isEqualTo(Settlement.COMPLETE);
  }

  @Test
  void aReceiveWaitsForWhatComes() {
    var waiting = door.receiving("q", ReceiveMode.RECEIVE_AND_DELETE, 10_000);
    door.advance(Duration.ofSeconds(9));
    assertThat(waiting).isNotDone();

    door.send("q", text("a"));

    var message = door.given(waiting).orElseThrow();
    assertThat(body(message)).isEqualTo("a");
    assertThat(message.lock()).isNull();
    door.advance(Duration.ofSeconds(100));
    assertThat(broker.journal.liveBodies()).isZero();
  }

  @Test
  void aReceiveEndsEmptyWhenItsTimeIsUpAndTakesNothingAfterwards() {
    var waiting = door.receiving("q", ReceiveMode.PEEK_LOCK, 1_000);

    door.advance(Duration.ofMillis(1_001));

    assertThat(door.given(waiting)).isEmpty();
    door.send("q", text("a"));
    assertThat(door.lock("q").stored().failedDeliveries()).isZero();
  }

  /** The removal is decided but not durable when the time is up: nothing may be lost of it. */
  @Test
  @Rule({"I-07", "S-021"})
  void whatIsDecidedWhenTimeIsUpStillComes() {
    var waiting = door.receiving("q", ReceiveMode.RECEIVE_AND_DELETE, 1_000);
    broker.journal.holdSyncs();
    var sent = door.door.send("q", List.of(text("a")));
    door.advance(Duration.ofMillis(1_001));
    assertThat(waiting).isNotDone();

    broker.journal.sync();

    assertThat(body(door.given(waiting).orElseThrow())).isEqualTo("a");
    assertThat(door.given(sent)).isEqualTo(1);
  }

  @Test
  @Rule("S-114")
  void whoGoesAwayWhileAMessageIsOnItsWayLeavesItFreeAndUncounted() {
    var waiting = door.receiving("q", ReceiveMode.PEEK_LOCK, 60_000);
    broker.journal.holdSyncs();
    var sent = door.door.send("q", List.of(text("a")));
    door.settle();

    waiting.cancel(false);
    broker.journal.sync();
    door.settle();

    assertThat(door.given(sent)).isEqualTo(1);
    var next = door.lock("q");
    assertThat(next.stored().failedDeliveries()).isZero();
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  void whoGoesAwayWhileNothingIsThereWaitsNoLonger() {
    var waiting = door.receiving("q", ReceiveMode.RECEIVE_AND_DELETE, 60_000);

    waiting.cancel(false);
    door.settle();
    door.send("q", text("a"));

    assertThat(body(door.lock("q"))).isEqualTo("a");
  }

  @Test
  @Rule({"S-062", "S-071"})
  void whatDoesNotExistOrNoLongerIsSaid() {
    assertThat(refusal(door.send("nothing", text("a")))).isInstanceOf(Refusal.EntityNotFound.class);
    for (var address :
        List.of("nothing", "q/$management", "$cbs", "q/$Transfer/$DeadLetterQueue")) {
      var received = door.receiving(address, ReceiveMode.PEEK_LOCK, 0);
      assertThat(refusal(door.answered(received))).isInstanceOf(Refusal.EntityNotFound.class);
    }
    assertThat(refusal(door.answered(door.door.renew("x".repeat(2_000), UUID.randomUUID()))))
        .isInstanceOf(Refusal.EntityNotFound.class);

    var waiting = door.receiving("q", ReceiveMode.PEEK_LOCK, 60_000);
    broker.ask(asker -> new EntityRequest.DeleteQueue(asker, BrokerFixture.ASKED, "q"));

    assertThat(misfit(door.answered(waiting))).isEqualTo(Misfit.ENTITY_GONE);
  }

  @Test
  @Rule({"S-183", "S-182", "S-233", "S-289"})
  void messagesGoWhereMessagesGo() {
    broker
        .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
        .queue(QueueDefinition.named("t/Subscriptions/s").as(new QueueRole.Subscription("t", true)))
        .queue(QueueDefinition.named("sessions").withSession(true))
        .queue(QueueDefinition.named("passing").with().forwardTo("q").build());

    for (var address : List.of("q/$DeadLetterQueue", "t/subscriptions/s")) {
      assertThat(misfit(door.send(address, text("a")))).isEqualTo(Misfit.NOT_FOR_SENDING);
    }
    for (var address : List.of("t", "sessions", "passing")) {
      assertThat(misfit(door.answered(door.receiving(address, ReceiveMode.PEEK_LOCK, 0))))
          .isEqualTo(Misfit.NOT_FOR_RECEIVING);
    }
    assertThat(refusal(door.send("sessions", text("a"))))
        .isInstanceOf(Refusal.SessionIdMissing.class);
    assertThat(
            refusal(
                door.answered(
                    door.door.settle("sessions", UUID.randomUUID(), Settlement.COMPLETE))))
        .isInstanceOf(Refusal.SessionLockLost.class);
  }

  /** The token alone does not do: it takes the session, which nobody has here. */
  @Test
  @Rule("S-111")
  void aLockOnAMessageOfASessionIsEndedByItsHolderOnly() {
    broker.queue(QueueDefinition.named("sessions").withSession(true));
    door.send("sessions", text("a", TextProperty.SESSION_ID, "s"));
    var client = broker.client();
    var filter = Map.of(new Symbol("com.microsoft:session-filter"), "s");
    client.perform(
        0,
        TestClient.ATTACH,
        "r",
        TestClient.uint(1),
        true,
        TestClient.ubyte(0),
        TestClient.ubyte(0),
        TestClient.source("sessions", filter),
        TestClient.target("there"));
    client.credit(1, 1);
    var tag = (byte[]) TestClient.there(client.one(TRANSFER).field(2));
    var token = LockTokens.uuid(tag, 0);

    var settled = door.answered(door.door.settle("sessions", token, Settlement.COMPLETE));
    var renewed = door.answered(door.door.renew("sessions", token));

    assertThat(refusal(settled)).isInstanceOf(Refusal.SessionLockLost.class);
    assertThat(refusal(renewed)).isInstanceOf(Refusal.SessionLockLost.class);
    assertThat(broker.journal.liveBodies()).isEqualTo(1);
  }

  @Test
  @Rule({"S-055", "S-146"})
  void aTopicIsSentToAndASubscriptionReceivedFrom() {
    broker
        .queue(QueueDefinition.named("t").as(new QueueRole.Topic(false)))
        .queue(
            QueueDefinition.named("t/Subscriptions/s").as(new QueueRole.Subscription("t", true)));
    door.send("t", text("a"), text("b"));

    door.lock("t/Subscriptions/s");
    var second = door.lock("t/subscriptions/S");

    assertThat(body(second)).isEqualTo("b");
    assertThat(second.stored().enqueuedNumber()).isEqualTo(2);
  }

  @Test
  @Rule("S-190")
  void aDeadLetterIsReceivedWithItsReason() {
    broker.queue("once", 1_000, 1, 1 << 20);
    door.send("once", text("a"));
    door.given(door.door.settle("once", token(door.lock("once")), Settlement.ABANDON));

    var dead = door.lock("once/$deadletterqueue");

    assertThat(body(dead)).isEqualTo("a");
    assertThat(dead.applicationProperties())
        .containsEntry("DeadLetterReason", "MaxDeliveryCountExceeded");
  }

  @Test
  @Rule({"S-427", "S-422"})
  void aDisabledEntityRefuses() {
    broker.queue(QueueDefinition.named("off").with().status(EntityStatus.DISABLED).build());

    assertThat(refusal(door.send("off", text("a")))).isInstanceOf(Refusal.EntityDisabled.class);
    assertThat(refusal(door.answered(door.receiving("off", ReceiveMode.PEEK_LOCK, 60_000))))
        .isInstanceOf(Refusal.EntityDisabled.class);
  }

  @Test
  @Rule("S-431")
  void whatIsTooLargeIsRefusedAsAWhole() {
    broker.queue("small", 30_000, 10, 1_000);
    var half = text("x".repeat(600));

    assertThat(misfit(door.send("small", text("x".repeat(1_001))))).isEqualTo(Misfit.TOO_LARGE);
    assertThat(misfit(door.send("small", half, half))).isEqualTo(Misfit.TOO_LARGE);
    assertThat(door.send("small", half)).isEqualTo(new Answer.Given<>(1));
    var large = text("x".repeat(1 << 19));
    assertThat(misfit(door.send("q", large, large))).isEqualTo(Misfit.TOO_LARGE);
  }

  @Test
  void whenTooMuchIsOnItsWaySendersAreTurnedAwayUntilThereIsRoom() {
    var narrow = new DoorFixture(new BrokerFixture(AmqpSettings.Limits.DEFAULT, 1_000));
    narrow.broker.journal.holdSyncs();
    var first = narrow.door.send("q", List.of(text("x".repeat(2_000))));

    var second = narrow.door.send("q", List.of(text("b")));
    assertThat(second).isDone();
    assertThat(misfit(second.join())).isEqualTo(Misfit.BUSY);
    narrow.settle();
    narrow.broker.journal.sync();

    assertThat(narrow.given(first)).isEqualTo(1);
    var third = narrow.door.send("q", List.of(text("c")));
    narrow.settle();
    narrow.broker.journal.sync();
    assertThat(narrow.given(third)).isEqualTo(1);
  }

  @Test
  @Rule({"S-446", "S-447"})
  void aNamespaceWithoutCreditsIsBusyUntilTheNextSecond() {
    var quotas = new AmqpSettings.Quotas(Integer.MAX_VALUE, Integer.MAX_VALUE, 3, true);
    var slow = new DoorFixture(new BrokerFixture(quotas));
    assertThat(slow.send("q", text("a"), text("b"))).isEqualTo(new Answer.Given<>(2));
    assertThat(body(slow.lock("q"))).isEqualTo("a");

    assertThat(misfit(slow.send("q", text("c")))).isEqualTo(Misfit.BUSY);
    assertThat(misfit(slow.answered(slow.receiving("q", ReceiveMode.PEEK_LOCK, 60_000))))
        .isEqualTo(Misfit.BUSY);
    slow.advance(Duration.ofSeconds(1));

    assertThat(body(slow.lock("q"))).isEqualTo("b");
  }

  @Test
  @Rule("S-514")
  void aDamagedMessageIsSaidAndItsQueueStopped() {
    door.send("q", text("a"));
    broker.journal.damage(1);

    var received = door.receiving("q", ReceiveMode.PEEK_LOCK, 60_000);

    assertThat(misfit(door.answered(received))).isEqualTo(Misfit.UNREADABLE);
    assertThat(broker.ended).isNull();
  }

  @Test
  @Rule({"S-029", "S-514"})
  void aMessageThatHasNoFormHereStopsNobodyAndIsDeadLetteredInTheEnd() {
    broker.queue("once", 60_000, 1, 1 << 20);
    var receiver = broker.client().receiver(0, 0, "once", 0);
    var nothing = new byte[] {0, 0x53, 0x74, (byte) 0xc1, 5, 2, (byte) 0xa1, 1, 'k', 0x40};
    broker.client().sender(0, 0, "once").message(0, nothing);
    broker.journal.handOut(DirectMessagingTest::withUnknownConstructor);

    var received = door.receiving("once", ReceiveMode.PEEK_LOCK, 0);

    assertThat(misfit(door.answered(received))).isEqualTo(Misfit.UNREADABLE);
    assertThat(receiver.take(TestClient.DETACH)).isEmpty();
    door.advance(Duration.ofSeconds(61));
    assertThat(door.isEmpty("once")).isTrue();
    assertThat(broker.journal.leaks()).isZero();
  }

  /** In place of the value of the application property, which links copy and do not read. */
  private static Bodies withUnknownConstructor(Bodies bodies) {
    bodies.buffer(0).put(bodies.offset(0) + bodies.length(0) - 1, (byte) 0x3f);
    return bodies;
  }

  @Test
  void allWhoWaitAreAnsweredAtTheEnd() {
    broker.journal.holdSyncs();
    var sent = door.door.send("q", List.of(text("a")));
    var received = door.door.receive(new ReceiveOrder("q", ReceiveMode.PEEK_LOCK, 60_000));
    door.settle();

    door.door.dropAll("The broker ends");

    assertThat(misfit(sent.join())).isEqualTo(Misfit.BUSY);
    assertThat(misfit(received.join())).isEqualTo(Misfit.BUSY);
    broker.journal.sync();
    assertThat(door.lock("q").stored().failedDeliveries()).isZero();
  }

  /** A message that only this wire can say: the other side of the door sees it all the same. */
  @Test
  void whatALinkSentWithoutADataSectionIsItsTextOrItsEncoding() {
    var client = broker.client().sender(0, 0, "q");
    client.message(0, new TestMessage().section(TestMessage.VALUE, "text").bytes());
    client.message(0, new TestMessage().section(TestMessage.VALUE, 7L).bytes());
    client.message(0, new TestMessage().section(TestMessage.SEQUENCE, List.of("x")).bytes());
    client.message(
        0,
        new TestMessage()
            .section(TestMessage.DATA, new byte[] {1})
            .section(TestMessage.DATA, new byte[300])
            .section(TestMessage.DATA, new byte[] {2})
            .section(TestMessage.FOOTER, Map.of(new Symbol("x"), 1L))
            .bytes());

    assertThat(body(door.lock("q"))).isEqualTo("text");
    assertThat(door.lock("q").body()).isEqualTo(new byte[] {0x55, 7});
    assertThat(door.lock("q").body()).endsWith((byte) 'x').startsWith((byte) 0xd0);
    assertThat(door.lock("q").body()).hasSize(302).startsWith(1).endsWith(2);
  }
}
