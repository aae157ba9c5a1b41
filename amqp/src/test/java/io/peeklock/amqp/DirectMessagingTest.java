package io.peeklock.amqp;

import static io.peeklock.amqp.DirectFixture.body;
import static io.peeklock.amqp.DirectFixture.misfit;
import static io.peeklock.amqp.DirectFixture.refusal;
import static io.peeklock.amqp.DirectFixture.text;
import static io.peeklock.amqp.DirectFixture.token;
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
  private final DirectFixture direct = new DirectFixture();
  private final BrokerFixture broker = direct.broker;

  @Test
  @Rule({"S-001", "S-024", "S-030"})
  void aMessageIsSentLockedAndCompleted() {
    assertThat(direct.send("q", text("a"))).isEqualTo(new Answer.Given<>(1));

    var locked = direct.lock("Q");
    assertThat(body(locked)).isEqualTo("a");
    assertThat(locked.stored().sequenceNumber()).isEqualTo(1);
    assertThat(direct.isEmpty("q")).isTrue();
    var held = token(locked);
    assertThat(direct.given(direct.messaging.settle("q", held, Settlement.COMPLETE)))
        .isEqualTo(Settlement.COMPLETE);

    assertThat(refusal(direct.answered(direct.messaging.settle("q", held, Settlement.COMPLETE))))
        .isInstanceOf(Refusal.MessageLockLost.class);
    assertThat(broker.journal.leaks()).isZero();
    assertThat(broker.journal.liveBodies()).isZero();
  }

  @Test
  @Rule("S-439")
  void whoWaitsForAMessageIsAReceiverOfItsEntityUntilItIsAnswered() {
    var one = new DirectFixture(new BrokerFixture(new AmqpSettings.Quotas(9, 1, 0, true)));
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
    var half = direct.send("q", text("a"), text("b", TextProperty.MESSAGE_ID, "x".repeat(129)));
    assertThat(misfit(half)).isEqualTo(Misfit.MALFORMED);
    assertThat(direct.isEmpty("q")).isTrue();

    broker.queue(QueueDefinition.named("sessions").withSession(true));
    var whole =
        direct.send("sessions", text("a", TextProperty.SESSION_ID, "s"), text("without a session"));
    assertThat(refusal(whole)).isInstanceOf(Refusal.SessionIdMissing.class);
    assertThat(broker.journal.liveBodies()).isZero();

    direct.send("q", text("a"), text("b"), text("c"));

    assertThat(List.of(body(direct.lock("q")), body(direct.lock("q")), body(direct.lock("q"))))
        .containsExactly("a", "b", "c");
  }

  @Test
  @Rule({"S-032", "S-097"})
  void whatIsAbandonedComesBackWithACountAndAnotherToken() {
    direct.send("q", text("a"));
    var first = direct.lock("q");

    direct.given(direct.messaging.settle("q", token(first), Settlement.ABANDON));

    var second = direct.lock("q");
    assertThat(second.stored().sequenceNumber()).isEqualTo(first.stored().sequenceNumber());
    assertThat(second.stored().failedDeliveries()).isEqualTo(1);
    assertThat(token(second)).isNotEqualTo(token(first));
  }

  @Test
  @Rule({"S-105", "S-502"})
  void aLockIsRenewedUntilItLapses() {
    direct.send("q", text("a"));
    var locked = TestClient.there(direct.lock("q").lock());
    direct.advance(Duration.ofSeconds(40));

    var until = direct.given(direct.messaging.renew("q", locked.token()));

    assertThat(until.toEpochMilli()).isEqualTo(locked.untilMillis() + 40_000);
    direct.advance(Duration.ofSeconds(61));
    assertThat(refusal(direct.answered(direct.messaging.renew("q", locked.token()))))
        .isInstanceOf(Refusal.MessageLockLost.class);
    assertThat(direct.lock("q").stored().failedDeliveries()).isEqualTo(1);
  }

  @Test
  @Rule("S-502")
  void aTokenOfAnotherQueueOrOfNobodyIsLost() {
    broker.queue(QueueDefinition.named("other"));
    direct.send("q", text("a"));
    var held = token(direct.lock("q"));

    var elsewhere = direct.answered(direct.messaging.settle("other", held, Settlement.COMPLETE));
    var invented =
        direct.answered(direct.messaging.settle("q", UUID.randomUUID(), Settlement.COMPLETE));

    assertThat(refusal(elsewhere)).isInstanceOf(Refusal.MessageLockLost.class);
    assertThat(refusal(invented)).isInstanceOf(Refusal.MessageLockLost.class);
    assertThat(direct.given(direct.messaging.settle("q", held, Settlement.COMPLETE))).isNotNull();
  }

  @Test
  @Rule("S-097")
  void aTokenThatALinkGotIsGoodHere() {
    var client = broker.client();
    direct.send("q", text("a"));
    client.receiver(0, 1, "q", 0).credit(1, 1);
    var tag = (byte[]) TestClient.there(client.one(TRANSFER).field(2));

    var settled = direct.messaging.settle("q", LockTokens.uuid(tag, 0), Settlement.COMPLETE);

    assertThat(direct.given(settled)).isEqualTo(Settlement.COMPLETE);
  }

  @Test
  void aReceiveWaitsForWhatComes() {
    var waiting = direct.receiving("q", ReceiveMode.RECEIVE_AND_DELETE, 10_000);
    direct.advance(Duration.ofSeconds(9));
    assertThat(waiting).isNotDone();

    direct.send("q", text("a"));

    var message = direct.given(waiting).orElseThrow();
    assertThat(body(message)).isEqualTo("a");
    assertThat(message.lock()).isNull();
    direct.advance(Duration.ofSeconds(100));
    assertThat(broker.journal.liveBodies()).isZero();
  }

  @Test
  void aReceiveEndsEmptyWhenItsTimeIsUpAndTakesNothingAfterwards() {
    var waiting = direct.receiving("q", ReceiveMode.PEEK_LOCK, 1_000);

    direct.advance(Duration.ofMillis(1_001));

    assertThat(direct.given(waiting)).isEmpty();
    direct.send("q", text("a"));
    assertThat(direct.lock("q").stored().failedDeliveries()).isZero();
  }

  /** The removal is decided but not durable when the time is up: nothing may be lost of it. */
  @Test
  @Rule({"I-07", "S-021"})
  void whatIsDecidedWhenTimeIsUpStillComes() {
    var waiting = direct.receiving("q", ReceiveMode.RECEIVE_AND_DELETE, 1_000);
    broker.journal.holdSyncs();
    var sent = direct.messaging.send("q", List.of(text("a")));
    direct.advance(Duration.ofMillis(1_001));
    assertThat(waiting).isNotDone();

    broker.journal.sync();

    assertThat(body(direct.given(waiting).orElseThrow())).isEqualTo("a");
    assertThat(direct.given(sent)).isEqualTo(1);
  }

  @Test
  @Rule("S-114")
  void whoGoesAwayWhileAMessageIsOnItsWayLeavesItFreeAndUncounted() {
    var waiting = direct.receiving("q", ReceiveMode.PEEK_LOCK, 60_000);
    broker.journal.holdSyncs();
    var sent = direct.messaging.send("q", List.of(text("a")));
    direct.settle();

    waiting.cancel(false);
    broker.journal.sync();
    direct.settle();

    assertThat(direct.given(sent)).isEqualTo(1);
    var next = direct.lock("q");
    assertThat(next.stored().failedDeliveries()).isZero();
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  void whoGoesAwayWhileNothingIsThereWaitsNoLonger() {
    var waiting = direct.receiving("q", ReceiveMode.RECEIVE_AND_DELETE, 60_000);

    waiting.cancel(false);
    direct.settle();
    direct.send("q", text("a"));

    assertThat(body(direct.lock("q"))).isEqualTo("a");
  }

  @Test
  @Rule({"S-062", "S-071"})
  void whatDoesNotExistOrNoLongerIsSaid() {
    assertThat(refusal(direct.send("nothing", text("a"))))
        .isInstanceOf(Refusal.EntityNotFound.class);
    for (var address :
        List.of("nothing", "q/$management", "$cbs", "q/$Transfer/$DeadLetterQueue")) {
      var received = direct.receiving(address, ReceiveMode.PEEK_LOCK, 0);
      assertThat(refusal(direct.answered(received))).isInstanceOf(Refusal.EntityNotFound.class);
    }
    assertThat(
            refusal(direct.answered(direct.messaging.renew("x".repeat(2_000), UUID.randomUUID()))))
        .isInstanceOf(Refusal.EntityNotFound.class);

    var waiting = direct.receiving("q", ReceiveMode.PEEK_LOCK, 60_000);
    broker.ask(asker -> new EntityRequest.DeleteQueue(asker, BrokerFixture.ASKED, "q"));

    assertThat(misfit(direct.answered(waiting))).isEqualTo(Misfit.ENTITY_GONE);
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
      assertThat(misfit(direct.send(address, text("a")))).isEqualTo(Misfit.NOT_FOR_SENDING);
    }
    for (var address : List.of("t", "sessions", "passing")) {
      assertThat(misfit(direct.answered(direct.receiving(address, ReceiveMode.PEEK_LOCK, 0))))
          .isEqualTo(Misfit.NOT_FOR_RECEIVING);
    }
    assertThat(refusal(direct.send("sessions", text("a"))))
        .isInstanceOf(Refusal.SessionIdMissing.class);
    assertThat(
            refusal(
                direct.answered(
                    direct.messaging.settle("sessions", UUID.randomUUID(), Settlement.COMPLETE))))
        .isInstanceOf(Refusal.SessionLockLost.class);
  }

  /** The token alone does not do: it takes the session, which nobody has here. */
  @Test
  @Rule("S-111")
  void aLockOnAMessageOfASessionIsEndedByItsHolderOnly() {
    broker.queue(QueueDefinition.named("sessions").withSession(true));
    direct.send("sessions", text("a", TextProperty.SESSION_ID, "s"));
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

    var settled = direct.answered(direct.messaging.settle("sessions", token, Settlement.COMPLETE));
    var renewed = direct.answered(direct.messaging.renew("sessions", token));

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
    direct.send("t", text("a"), text("b"));

    direct.lock("t/Subscriptions/s");
    var second = direct.lock("t/subscriptions/S");

    assertThat(body(second)).isEqualTo("b");
    assertThat(second.stored().enqueuedNumber()).isEqualTo(2);
  }

  @Test
  @Rule("S-190")
  void aDeadLetterIsReceivedWithItsReason() {
    broker.queue("once", 1_000, 1, 1 << 20);
    direct.send("once", text("a"));
    direct.given(direct.messaging.settle("once", token(direct.lock("once")), Settlement.ABANDON));

    var dead = direct.lock("once/$deadletterqueue");

    assertThat(body(dead)).isEqualTo("a");
    assertThat(dead.applicationProperties())
        .containsEntry("DeadLetterReason", "MaxDeliveryCountExceeded");
  }

  @Test
  @Rule({"S-427", "S-422"})
  void aDisabledEntityRefuses() {
    broker.queue(QueueDefinition.named("off").with().status(EntityStatus.DISABLED).build());

    assertThat(refusal(direct.send("off", text("a")))).isInstanceOf(Refusal.EntityDisabled.class);
    assertThat(refusal(direct.answered(direct.receiving("off", ReceiveMode.PEEK_LOCK, 60_000))))
        .isInstanceOf(Refusal.EntityDisabled.class);
  }

  @Test
  @Rule("S-431")
  void whatIsTooLargeIsRefusedAsAWhole() {
    broker.queue("small", 30_000, 10, 1_000);
    var half = text("x".repeat(600));

    assertThat(misfit(direct.send("small", text("x".repeat(1_001))))).isEqualTo(Misfit.TOO_LARGE);
    assertThat(misfit(direct.send("small", half, half))).isEqualTo(Misfit.TOO_LARGE);
    assertThat(direct.send("small", half)).isEqualTo(new Answer.Given<>(1));
    var large = text("x".repeat(1 << 19));
    assertThat(misfit(direct.send("q", large, large))).isEqualTo(Misfit.TOO_LARGE);
  }

  @Test
  void whenTooMuchIsOnItsWaySendersAreTurnedAwayUntilThereIsRoom() {
    var narrow = new DirectFixture(new BrokerFixture(AmqpSettings.Limits.DEFAULT, 1_000));
    narrow.broker.journal.holdSyncs();
    var first = narrow.messaging.send("q", List.of(text("x".repeat(2_000))));

    var second = narrow.messaging.send("q", List.of(text("b")));
    assertThat(second).isDone();
    assertThat(misfit(second.join())).isEqualTo(Misfit.BUSY);
    narrow.settle();
    narrow.broker.journal.sync();

    assertThat(narrow.given(first)).isEqualTo(1);
    var third = narrow.messaging.send("q", List.of(text("c")));
    narrow.settle();
    narrow.broker.journal.sync();
    assertThat(narrow.given(third)).isEqualTo(1);
  }

  @Test
  @Rule({"S-446", "S-447"})
  void aNamespaceWithoutCreditsIsBusyUntilTheNextSecond() {
    var quotas = new AmqpSettings.Quotas(Integer.MAX_VALUE, Integer.MAX_VALUE, 3, true);
    var slow = new DirectFixture(new BrokerFixture(quotas));
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
    direct.send("q", text("a"));
    broker.journal.damage(1);

    var received = direct.receiving("q", ReceiveMode.PEEK_LOCK, 60_000);

    assertThat(misfit(direct.answered(received))).isEqualTo(Misfit.UNREADABLE);
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

    var received = direct.receiving("once", ReceiveMode.PEEK_LOCK, 0);

    assertThat(misfit(direct.answered(received))).isEqualTo(Misfit.UNREADABLE);
    assertThat(receiver.take(TestClient.DETACH)).isEmpty();
    direct.advance(Duration.ofSeconds(61));
    assertThat(direct.isEmpty("once")).isTrue();
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
    var sent = direct.messaging.send("q", List.of(text("a")));
    var received = direct.messaging.receive(new ReceiveOrder("q", ReceiveMode.PEEK_LOCK, 60_000));
    direct.settle();

    direct.messaging.dropAll("The broker ends");

    assertThat(misfit(sent.join())).isEqualTo(Misfit.BUSY);
    assertThat(misfit(received.join())).isEqualTo(Misfit.BUSY);
    broker.journal.sync();
    assertThat(direct.lock("q").stored().failedDeliveries()).isZero();
  }

  /** A message that only AMQP can say: who receives directly sees it all the same. */
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

    assertThat(body(direct.lock("q"))).isEqualTo("text");
    assertThat(direct.lock("q").body()).isEqualTo(new byte[] {0x55, 7});
    assertThat(direct.lock("q").body()).endsWith((byte) 'x').startsWith((byte) 0xd0);
    assertThat(direct.lock("q").body()).hasSize(302).startsWith(1).endsWith(2);
  }
}
