package io.peeklock.simulator.model;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.proof.Rule;
import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Mode;
import io.peeklock.simulator.history.Operation.Settlement;
import io.peeklock.simulator.history.Properties.Status;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.Violation;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Short histories that may not be, and some that may. */
class ModelTest {
  private final History history = new History();

  private static void breaks(String rule, ThrowingCallable last) {
    assertThatThrownBy(last).isInstanceOf(Violation.class).hasMessageStartingWith(rule + ":");
  }

  private History queue() {
    return history.queue("q", History.properties());
  }

  // ---- violations

  @Test
  @Rule("S-072")
  void messageNobodySent() {
    queue().open("r", "q", 1);
    breaks("S-072", () -> history.deliver("r", "x", 1, 0, 1));
  }

  @Test
  @Rule("S-003")
  void settledMessageComesBack() {
    queue().send("q", "a").open("r", "q", 2).deliver("r", "a", 1, 0, 1);
    history.settle("q", Settlement.COMPLETE, 1).restart().open("r2", "q", 1);
    breaks("S-003", () -> history.deliver("r2", "a", 1, 0, 2));
  }

  @Test
  @Rule("S-024")
  void twoHoldersOfOneLock() {
    queue().send("q", "a").open("r", "q", 1).open("s", "q", 1).deliver("r", "a", 1, 0, 1);
    breaks("S-024", () -> history.deliver("s", "a", 1, 0, 2));
  }

  @Test
  @Rule("S-024")
  void oneLockForTwoMessages() {
    queue().send("q", "a", "b").open("r", "q", 2).deliver("r", "a", 1, 0, 1);
    breaks("S-024", () -> history.deliver("r", "b", 2, 0, 1));
  }

  @Test
  @Rule("S-120")
  void countTooHigh() {
    queue().send("q", "a").open("r", "q", 1);
    breaks("S-120", () -> history.deliver("r", "a", 1, 1, 1));
  }

  @Test
  @Rule("S-120")
  void countFalls() {
    queue().send("q", "a").open("r", "q", 2).deliver("r", "a", 1, 0, 1);
    history.settle("q", Settlement.ABANDON, 1);
    breaks("S-120", () -> history.deliver("r", "a", 1, 0, 2));
  }

  @Test
  @Rule("S-082")
  void changedProperties() {
    queue().send("q", "a").open("r", "q", 1);
    SeenMessage other = history.seen("a", 1, 0, 1, Map.of("n", 1L), history.now);
    breaks("S-082", () -> history.deliver("r", other));
  }

  @Test
  @Rule("S-135")
  void wrongOrder() {
    queue().send("q", "a", "b").open("r", "q", 2);
    breaks("S-135", () -> history.deliver("r", "b", 2, 0, 1).rest());
  }

  @Test
  @Rule("S-140")
  void numbersNotInOrderOfArrival() {
    queue().send("q", "a", "b").open("r", "q", 2).deliver("r", "a", 5, 0, 1);
    breaks("S-140", () -> history.deliver("r", "b", 4, 0, 2));
  }

  @Test
  @Rule("S-145")
  void numberChanges() {
    queue().send("q", "a").open("r", "q", 2).deliver("r", "a", 1, 0, 1);
    history.settle("q", Settlement.RELEASE, 1);
    breaks("S-145", () -> history.deliver("r", "a", 2, 0, 2));
  }

  @Test
  @Rule("S-087")
  void moreThanItsCredit() {
    queue().send("q", "a", "b").open("r", "q", 1).deliver("r", "a", 1, 0, 1);
    breaks("S-087", () -> history.deliver("r", "b", 2, 0, 2));
  }

  @Test
  @Rule("S-086")
  void receiverAtRestWithoutItsMessage() {
    queue().send("q", "a").open("r", "q", 1);
    breaks("S-086", history::rest);
  }

  @Test
  @Rule("S-087")
  void drainedTooEarly() {
    queue().send("q", "a").open("r", "q", 1).ask(new Operation.Drain("r"));
    breaks("S-087", () -> history.model.drained("r", history.now));
  }

  @Test
  @Rule("S-098")
  void settlementWithLapsedLock() {
    queue().send("q", "a").open("r", "q", 1).deliver("r", "a", 1, 0, 1).pass(History.LOCK + 10);
    breaks("S-098", () -> history.settle("q", Settlement.COMPLETE, 1));
  }

  @Test
  @Rule("S-030")
  void settlementRefusedWithGoodLock() {
    queue().send("q", "a").open("r", "q", 1).deliver("r", "a", 1, 0, 1);
    Operation complete = History.settling("q", Settlement.COMPLETE, 1);
    breaks("S-030", () -> history.refused(complete, "MessageLockLost"));
  }

  @Test
  @Rule("S-088")
  void lockTooShort() {
    queue().send("q", "a").open("r", "q", 1);
    SeenMessage seen = history.seen("a", 1, 0, 1);
    history.pass(-1);
    history.now += 1;
    SeenMessage shorter =
        new SeenMessage(
            "a",
            null,
            null,
            1,
            SeenMessage.State.ACTIVE,
            0,
            seen.enqueuedAtMillis(),
            History.FOREVER,
            Map.of(),
            null,
            1,
            history.now + 5);
    breaks("S-088", () -> history.deliver("r", shorter));
  }

  @Test
  @Rule("S-003")
  void oneFailureTooMany() {
    history.queue("q", History.most(1)).send("q", "a").open("r", "q", 2);
    history.deliver("r", "a", 1, 0, 1).settle("q", Settlement.ABANDON, 1);
    breaks("S-003", () -> history.deliver("r", "a", 1, 1, 2));
  }

  @Test
  @Rule("S-185")
  void deadLetterOfADeadLetter() {
    history.queue("q", History.most(1)).send("q", "a").open("r", "q", 1);
    history.deliver("r", "a", 1, 0, 1).settle("q", Settlement.ABANDON, 1);
    String dead = "q/$DeadLetterQueue";
    history.open("d", dead, 1);
    Map<String, Object> reason = Map.of("DeadLetterReason", "MaxDeliveryCountExceeded");
    history.deliver("d", history.seen("a", 1, 1, 2, reason, history.now));
    breaks("S-185", () -> history.settle(dead, Settlement.DEAD_LETTER, 2));
  }

  @Test
  @Rule("S-082")
  void deadLetterWithAnotherReason() {
    history.queue("q", History.most(1)).send("q", "a").open("r", "q", 1);
    history.deliver("r", "a", 1, 0, 1).settle("q", Settlement.ABANDON, 1);
    history.open("d", "q/$DeadLetterQueue", 1);
    Map<String, Object> reason = Map.of("DeadLetterReason", "TTLExpiredException");
    SeenMessage seen = history.seen("a", 1, 1, 2, reason, history.now);
    breaks("S-082", () -> history.deliver("d", seen));
  }

  @Test
  @Rule("S-148")
  void scheduledComesEarly() {
    queue().schedule("q", "a", history.now + 60_000, 1).open("r", "q", 1);
    breaks("S-148", () -> history.deliver("r", "a", 1, 0, 1));
  }

  @Test
  @Rule("S-086")
  void scheduledIsNotActiveAtRest() {
    queue().schedule("q", "a", history.now + 60_000, 1).open("r", "q", 1).pass(60_000);
    breaks("S-086", history::rest);
  }

  @Test
  @Rule("S-167")
  void expiredIsDelivered() {
    history.queue("q", History.expiring(5_000, false)).send("q", "a");
    long sentAt = history.now;
    history.pass(10_000).open("r", "q", 1);
    SeenMessage late = History.expiring(history.seen("a", 1, 0, 1), sentAt + 5_000);
    breaks("S-167", () -> history.deliver("r", late));
  }

  @Test
  @Rule("S-206")
  void deferredIsDelivered() {
    queue().send("q", "a").open("r", "q", 2).deliver("r", "a", 1, 0, 1);
    history.settle("q", Settlement.DEFER, 1);
    breaks("S-206", () -> history.deliver("r", "a", 1, 1, 2));
  }

  @Test
  @Rule("S-224")
  void peekLeavesOneOut() {
    queue().send("q", "a", "b", "c");
    history.peek("q", history.seen("a", 1, 0, 0), history.seen("c", 3, 0, 0));
    breaks(
        "S-224",
        () ->
            history
                .ask(new Operation.Peek("q", 4, 100, null))
                .answer(new Answer.Messages(List.of())));
  }

  @Test
  @Rule("S-492")
  void wrongCount() {
    queue().send("q", "a", "b");
    breaks("S-492", () -> history.count("q", 1, 0, 0));
  }

  @Test
  @Rule("S-003")
  void messageOfADeletedQueueComes() {
    queue().send("q", "a").done(new Operation.Delete("q"));
    queue().open("r", "q", 1);
    breaks("S-003", () -> history.deliver("r", "a", 1, 0, 1));
  }

  @Test
  @Rule("S-002")
  void answeredTwice() {
    queue();
    breaks("S-002", () -> history.answer(new Answer.Done()));
  }

  @Test
  @Rule("S-002")
  void noAnswer() {
    queue().ask(history.sending("q", history.message("a")));
    breaks("S-002", history::rest);
  }

  @Test
  @Rule("S-211")
  void activeByNumber() {
    queue().send("q", "a").peek("q", history.seen("a", 1, 0, 0));
    Operation receive = new Operation.ReceiveDeferred("q", List.of(1L), Mode.PEEK_LOCK, null);
    breaks(
        "S-211",
        () ->
            history.ask(receive).answer(new Answer.Messages(List.of(history.seen("a", 1, 0, 1)))));
  }

  @Test
  @Rule("S-003")
  void cancelledComes() {
    queue().schedule("q", "a", history.now + 60_000, 1).open("r", "q", 1);
    history.done(new Operation.CancelScheduled("q", List.of(1L))).pass(60_000);
    breaks("S-003", () -> history.deliver("r", "a", 2, 0, 1));
  }

  @Test
  @Rule("S-154")
  void cancelOfWhatIsNotScheduled() {
    queue().send("q", "a");
    Operation cancel = new Operation.CancelScheduled("q", List.of(1L));
    breaks("S-154", () -> history.done(cancel));
  }

  @Test
  @Rule("S-098")
  void otherSettlementOfAReservedMessage() {
    queue().send("q", "a").open("r", "q", 1).deliver("r", "a", 1, 0, 1);
    Operation.Settle complete = History.settling("q", Settlement.COMPLETE, 1);
    history.done(new Operation.Declare("t")).done(new Operation.SettleIn("t", complete));
    breaks("S-098", () -> history.done(complete));
  }

  @Test
  @Rule("S-003")
  void rolledBackSendComes() {
    queue().open("r", "q", 1).done(new Operation.Declare("t"));
    history.done(new Operation.SendIn("t", "q", List.of(history.message("a"))));
    history.done(new Operation.Discharge("t", false));
    breaks("S-003", () -> history.deliver("r", "a", 1, 0, 1));
  }

  @Test
  @Rule("S-003")
  void duplicateIsStored() {
    history.queue("q", History.duplicates(60_000)).open("r", "q", 2);
    history.done(history.sending("q", history.message("a", "id", null, 0)));
    history.done(history.sending("q", history.message("b", "id", null, 0)));
    history.deliver("r", "a", 1, 0, 1);
    breaks("S-003", () -> history.deliver("r", "b", 2, 0, 2));
  }

  @Test
  @Rule("S-003")
  void copyForNoRule() {
    history.topic("t");
    Operation.Rule red = new Operation.Rule("red", Operation.Rule.Kind.SQL, "red", null);
    String path = "t/Subscriptions/s";
    history.done(new Operation.CreateSubscription(path, History.properties(), List.of(red)));
    history.send("t", "a").open("r", path, 1);
    breaks("S-003", () -> history.deliver("r", "a", 1, 0, 1));
  }

  @Test
  @Rule("S-237")
  void twoHoldersOfASession() {
    history.queue("q", History.sessions()).session("r", "q", "s", 1);
    breaks("S-237", () -> history.session("r2", "q", "s", 1));
  }

  @Test
  @Rule("S-256")
  void stateOfASessionIsLost() {
    history.queue("q", History.sessions()).session("r", "q", "s", 1);
    history.done(new Operation.SetState("r", "q", "s", "one")).restart().session("r2", "q", "s", 1);
    Operation get = new Operation.GetState("r2", "q", "s");
    breaks("S-256", () -> history.ask(get).answer(new Answer.State(null)));
  }

  // ---- in doubt

  @Test
  @Rule({"S-405", "S-086"})
  void batchInDoubtIsStoredInPart() {
    queue().ask(history.sending("q", history.message("a"), history.message("b")));
    history.restart().open("r", "q", 2).deliver("r", "a", 1, 0, 1);
    breaks("S-086", history::rest);
  }

  @Test
  @Rule({"S-379", "S-003"})
  void transactionInDoubtIsDoneInPart() {
    queue().send("q", "a").open("r", "q", 1).deliver("r", "a", 1, 0, 1);
    Operation.Settle complete = History.settling("q", Settlement.COMPLETE, 1);
    history.done(new Operation.Declare("t")).done(new Operation.SettleIn("t", complete));
    history.done(new Operation.SendIn("t", "q", List.of(history.message("b"))));
    history.ask(new Operation.Discharge("t", true)).restart().open("r2", "q", 2);
    history.deliver("r2", "a", 1, 0, 2);
    breaks("S-003", () -> history.deliver("r2", "b", 2, 0, 3));
  }

  // ---- forwarding

  private History forwarding() {
    return history.queue("z", History.properties()).queue("q", History.forwarding("z", null));
  }

  @Test
  @Rule({"S-290", "S-219"})
  void doubledByForward() {
    forwarding().send("q", "a").open("r", "z", 2).deliver("r", "a", 1, 0, 1);
    breaks("S-219", () -> history.peek("q", history.seen("a", 1, 0, 0)));
  }

  @Test
  @Rule({"S-285", "S-492"})
  void neverForwarded() {
    forwarding().send("q", "a").rest();
    breaks("S-492", () -> history.count("q", 1, 0, 0));
  }

  @Test
  @Rule({"S-290", "S-492"})
  void forwardedMessageIsLost() {
    forwarding().send("q", "a").rest();
    breaks("S-492", () -> history.count("z", 0, 0, 0));
  }

  @Test
  @Rule({"S-197", "S-492"})
  void deadLetterIsLostOnItsWay() {
    history.queue("z", History.properties()).queue("q", History.forwarding(null, "z"));
    history.send("q", "a").open("r", "q", 1).deliver("r", "a", 1, 0, 1);
    history.settle("q", Settlement.DEAD_LETTER, 1).rest();
    breaks("S-492", () -> history.count("z", 0, 0, 0));
  }

  @Test
  @Rule({"S-292", "S-297", "S-492"})
  void messageThatWentTooFarIsLost() {
    history.queue("z", History.properties()).queue("q", History.forwarding("z", null));
    history.done(new Operation.Update("z", History.forwarding("q", null))).send("q", "a").rest();
    history.count("z", 0, 0, 0);
    breaks("S-492", () -> history.count("q", 0, 0, 0));
  }

  @Test
  @Rule({"S-294", "S-492"})
  void deadLetterWhereTheDestinationIsGone() {
    forwarding().done(new Operation.Delete("z")).send("q", "a").rest();
    breaks("S-492", () -> history.count("q", 0, 0, 0));
  }

  // ---- refusals

  @Test
  @Rule({"S-435", "S-508", "S-232", "S-062", "S-502", "S-061", "S-007"})
  void refusedForWhatIsNotSo() {
    queue();
    Operation send = history.sending("q", history.message("a"));
    breaks("S-435", () -> history.refused(send, "QuotaExceeded"));
    breaks("S-508", () -> history.refused(send, "EntityDisabled"));
    breaks("S-232", () -> history.refused(send, "SessionIdMissing"));
    breaks("S-062", () -> history.refused(send, "EntityNotFound"));
    breaks("S-502", () -> history.refused(send, "MessageLockLost"));
    breaks("S-061", () -> history.refused(new Operation.Delete("q"), "EntityAlreadyExists"));
    breaks("S-007", () -> history.refused(send, "NobodyKnowsWhy"));
  }

  @Test
  @Rule({"S-422", "S-508"})
  void disabledQueueTakesMessages() {
    history.queue("q", History.status(Status.SEND_DISABLED));
    breaks("S-508", () -> history.send("q", "a"));
  }

  @Test
  @Rule("S-435")
  void fullQueueTakesMore() {
    history.queue("q", History.size(150)).send("q", "a", "b");
    breaks("S-435", () -> history.send("q", "c"));
  }

  @Test
  @Rule("S-067")
  void fixedPropertyChanges() {
    queue();
    breaks("S-067", () -> history.done(new Operation.Update("q", History.sessions())));
  }

  @Test
  @Rule("S-061")
  void queueIsMadeTwice() {
    queue();
    breaks("S-061", () -> history.queue("q", History.most(1)));
  }

  @Test
  @Rule("S-062")
  void missingQueueTakesMessages() {
    breaks("S-062", () -> history.send("q", "a"));
  }

  @Test
  @Rule("S-286")
  void forwardsToNowhere() {
    breaks("S-286", () -> history.queue("q", History.forwarding("z", null)));
  }

  @Test
  @Rule("S-317")
  void sameRuleTwice() {
    String path = "t/Subscriptions/s";
    Operation.Rule all = new Operation.Rule("$Default", Operation.Rule.Kind.TRUE, null, null);
    history.topic("t", "s");
    breaks("S-317", () -> history.done(new Operation.AddRule(path, all)));
  }

  @Test
  @Rule("S-232")
  void sessionQueueTakesWhatHasNone() {
    history.queue("q", History.sessions());
    breaks("S-232", () -> history.send("q", "a"));
  }

  @Test
  @Rule("S-508")
  void receiverIsEndedForWhatIsNotSo() {
    queue().open("r", "q", 1);
    breaks("S-508", () -> history.model.receiverEnded("r", "EntityDisabled", history.now));
  }

  @Test
  @Rule("S-153")
  void cancelIsRefusedThoughItIsScheduled() {
    queue().schedule("q", "a", history.now + 60_000, 1);
    Operation cancel = new Operation.CancelScheduled("q", List.of(1L));
    breaks("S-153", () -> history.refused(cancel, "ScheduledMessagesNotFound"));
  }

  // ---- legal histories

  private static void holds(ThrowingCallable all) {
    assertThatCode(all).doesNotThrowAnyException();
  }

  @Test
  @Rule({"S-001", "S-030"})
  void sendsDeliveriesAndCompletes() {
    holds(
        () -> {
          queue().send("q", "a", "b").open("r", "q", 2);
          history.deliver("r", history.seen("a", 1, 0, 1), history.seen("b", 2, 0, 2));
          history.settle("q", Settlement.COMPLETE, 1).count("q", 1, 0, 0);
          history.settle("q", Settlement.COMPLETE, 2).count("q", 0, 0, 0).rest();
        });
  }

  @Test
  @Rule({"S-033", "S-121"})
  void lockLapsesAndTheMessageComesAgain() {
    holds(
        () -> {
          queue().send("q", "a", "b").open("r", "q", 3).deliver("r", "a", 1, 0, 1);
          history.deliver("r", "b", 2, 0, 2).settle("q", Settlement.COMPLETE, 2);
          history.pass(History.LOCK + 5).deliver("r", "a", 1, 1, 3);
          history.refused(History.settling("q", Settlement.COMPLETE, 1), "MessageLockLost");
          history.settle("q", Settlement.COMPLETE, 3).rest();
        });
  }

  @Test
  @Rule("S-027")
  void lapsedLockIsSkippedForAWhile() {
    holds(
        () -> {
          queue().send("q", "a", "b").open("r", "q", 3).deliver("r", "a", 1, 0, 1);
          history.pass(History.LOCK).deliver("r", "b", 2, 0, 2).pass(10);
          history.deliver("r", "a", 1, 1, 3).rest();
        });
  }

  @Test
  @Rule({"S-126", "S-127"})
  void lapsesUntilItDies() {
    holds(
        () -> {
          history.queue("q", History.most(2)).send("q", "a").open("r", "q", 5);
          long sentAt = history.now;
          history.deliver("r", "a", 1, 0, 1).pass(History.LOCK + 10).deliver("r", "a", 1, 1, 2);
          history.pass(History.LOCK + 10).open("d", "q/$DeadLetterQueue", 1);
          Map<String, Object> reason = Map.of("DeadLetterReason", "MaxDeliveryCountExceeded");
          history.deliver("d", history.seen("a", 1, 2, 3, reason, sentAt));
          history.count("q", 0, 1, 0).rest();
        });
  }

  @Test
  @Rule({"S-506", "S-405"})
  void sendInDoubtHappenedOrNot() {
    holds(
        () -> {
          queue().ask(history.sending("q", history.message("a"), history.message("b")));
          history.restart().send("q", "c").open("r", "q", 3);
          history.deliver("r", "a", 1, 0, 1).deliver("r", "b", 2, 0, 2);
          history.deliver("r", "c", 3, 0, 3).rest();
        });
    holds(
        () -> {
          history.queue("p", History.properties());
          history.ask(history.sending("p", history.message("d"), history.message("e")));
          history.restart().send("p", "f").open("rp", "p", 3).deliver("rp", "f", 1, 0, 4).rest();
        });
  }

  @Test
  @Rule({"S-506", "S-116"})
  void completeInDoubt() {
    holds(
        () -> {
          queue().send("q", "a").open("r", "q", 1).deliver("r", "a", 1, 0, 1);
          history.ask(History.settling("q", Settlement.COMPLETE, 1)).restart();
          history.count("q", 1, 0, 0).open("r2", "q", 1).deliver("r2", "a", 1, 0, 2);
          history.ask(History.settling("q", Settlement.ABANDON, 2)).restart();
          history.open("r3", "q", 1).deliver("r3", "a", 1, 1, 3).rest();
        });
  }

  @Test
  @Rule("S-151")
  void scheduledBecomesActiveWithANewNumber() {
    holds(
        () -> {
          long due = history.now + 60_000;
          queue().schedule("q", "a", due, 1).send("q", "b").open("r", "q", 2);
          history.deliver("r", "b", 2, 0, 1).count("q", 1, 0, 1).pass(60_010);
          history.deliver("r", history.seen("a", 3, 0, 2, Map.of(), due + 3)).rest();
        });
  }

  @Test
  @Rule({"S-168", "S-191"})
  void expiresToTheDeadLetterQueue() {
    holds(
        () -> {
          history.queue("q", History.expiring(5_000, true)).send("q", "a");
          long sentAt = history.now;
          history.pass(6_000).open("d", "q/$DeadLetterQueue", 1);
          Map<String, Object> reason = Map.of("DeadLetterReason", "TTLExpiredException");
          SeenMessage dead = history.seen("a", 1, 0, 1, reason, sentAt);
          history.deliver("d", History.expiring(dead, sentAt + 5_000)).rest();
          history.count("q", 0, 1, 0);
        });
  }

  @Test
  @Rule({"S-207", "S-212"})
  void defersAndReceivesByNumber() {
    holds(
        () -> {
          queue().send("q", "a").open("r", "q", 1).deliver("r", "a", 1, 0, 1);
          history.settle("q", Settlement.DEFER, 1);
          SeenMessage.State deferred = SeenMessage.State.DEFERRED;
          history.peek("q", History.as(history.seen("a", 1, 1, 0), deferred, null));
          Operation receive = new Operation.ReceiveDeferred("q", List.of(1L), Mode.PEEK_LOCK, null);
          SeenMessage seen = History.as(history.seen("a", 1, 1, 2), deferred, null);
          history.ask(receive).answer(new Answer.Messages(List.of(seen)));
          history.refused(receive, "MessageNotFound").settle("q", Settlement.COMPLETE, 2).rest();
        });
  }

  @Test
  @Rule({"S-248", "S-129"})
  void sessionIsClosedAndAcceptedAgain() {
    holds(
        () -> {
          history.queue("q", History.sessions());
          history.done(history.sending("q", history.message("a", null, "s", 0)));
          history.session("r", "q", "s", 1).deliver("r", "a", 1, 0, 1);
          history.refused(
              new Operation.AcceptSession("x", "q", "s", Mode.PEEK_LOCK, 0),
              "SessionCannotBeLocked");
          history.ask(new Operation.CloseReceiver("r")).session("r2", "q", "s", 1);
          history.deliver("r2", "a", 1, 0, 2);
          history.done(History.settlingIn("q", Settlement.COMPLETE, 2, "r2")).rest();
        });
  }

  @Test
  @Rule({"S-128", "S-251"})
  void sessionLapses() {
    holds(
        () -> {
          history.queue("q", History.sessions());
          history.done(history.sending("q", history.message("a", null, "s", 0)));
          history.session("r", "q", "s", 2).deliver("r", "a", 1, 0, 1).pass(History.LOCK + 10);
          history.model.receiverEnded("r", "SessionLockLost", history.now);
          history.refused(History.settlingIn("q", Settlement.COMPLETE, 1, "r"), "SessionLockLost");
          history.session("r2", "q", "s", 1).deliver("r2", "a", 1, 1, 2).rest();
        });
  }

  @Test
  @Rule({"S-318", "S-319"})
  void copiesForRulesWithAndWithoutActions() {
    holds(
        () -> {
          history.topic("t");
          String path = "t/Subscriptions/s";
          List<Operation.Rule> rules =
              List.of(
                  new Operation.Rule("all", Operation.Rule.Kind.TRUE, null, null),
                  new Operation.Rule("red", Operation.Rule.Kind.CORRELATION, "red", null),
                  new Operation.Rule("paint", Operation.Rule.Kind.SQL, "red", "blue"));
          history.done(new Operation.CreateSubscription(path, History.properties(), rules));
          Map<String, Object> red = Map.of("color", "red");
          history.done(history.sending("t", history.message("a", null, null, 0, red)));
          history.open("r", path, 3).deliver("r", "a", 1, 0, 1);
          Map<String, Object> blue = Map.of("color", "blue", "RuleName", "paint");
          history.deliver("r", history.seen("a", 2, 0, 2, blue, history.now)).rest();
          history.count(path, 2, 0, 0);
        });
  }

  @Test
  @Rule("S-285")
  void forwardsInAChainThroughATopic() {
    holds(
        () -> {
          history.queue("z", History.properties()).topic("t");
          history.done(
              new Operation.CreateSubscription(
                  "t/Subscriptions/s", History.forwarding("z", null), null));
          history.queue("q", History.forwarding("t", null)).send("q", "a", "b");
          history.open("r", "z", 3).send("z", "c").pass(5).deliver("r", "c", 1, 0, 1);
          history.deliver("r", "a", 2, 0, 2).deliver("r", "b", 3, 0, 3).rest();
          history.count("q", 0, 0, 0);
        });
  }

  @Test
  @Rule({"S-197", "S-198"})
  void deadLetterIsForwarded() {
    holds(
        () -> {
          history.queue("z", History.properties()).queue("q", History.forwarding(null, "z"));
          history.send("q", "a").open("r", "q", 1).open("rz", "z", 1).deliver("r", "a", 1, 0, 1);
          history.done(
              new Operation.Settle(
                  "q", Settlement.DEAD_LETTER, List.of(1L), Map.of(), "bad", true, null));
          SeenMessage seen =
              history.seen("a", 1, 0, 2, Map.of("DeadLetterReason", "bad"), history.now);
          history.deliver("rz", History.as(seen, SeenMessage.State.ACTIVE, "q")).rest();
        });
  }

  @Test
  @Rule("S-379")
  void transactionInDoubtIsWhole() {
    holds(
        () -> {
          queue().send("q", "a").open("r", "q", 1).deliver("r", "a", 1, 0, 1);
          history.done(new Operation.Declare("t"));
          Operation.Settle complete = History.settling("q", Settlement.COMPLETE, 1);
          history.done(new Operation.SettleIn("t", complete));
          history.done(new Operation.SendIn("t", "q", List.of(history.message("b"))));
          history.ask(new Operation.Discharge("t", true)).restart();
          history.open("r2", "q", 2).deliver("r2", "b", 2, 0, 2).rest().count("q", 1, 0, 0);
        });
  }

  @Test
  @Rule({"S-381", "S-383"})
  void rollbackKeepsTheLock() {
    holds(
        () -> {
          queue().send("q", "a").open("r", "q", 1).deliver("r", "a", 1, 0, 1);
          Operation.Settle complete = History.settling("q", Settlement.COMPLETE, 1);
          history.done(new Operation.Declare("t")).done(new Operation.SettleIn("t", complete));
          history.refused(complete, "MessageLockLost");
          history.done(new Operation.Discharge("t", false)).done(complete).rest();
        });
  }

  @Test
  @Rule("S-018")
  void preSettledSendAndSettlement() {
    holds(
        () -> {
          queue().ask(new Operation.Send("q", List.of(history.message("a")), false, false));
          history.open("r", "q", 2).deliver("r", "a", 1, 0, 1);
          history.ask(
              new Operation.Settle(
                  "q", Settlement.ABANDON, List.of(1L), Map.of(), null, false, null));
          history.deliver("r", "a", 1, 1, 2).rest();
        });
  }

  @Test
  @Rule("S-266")
  void duplicateIsDropped() {
    holds(
        () -> {
          history.queue("q", History.duplicates(60_000)).open("r", "q", 3);
          history.done(history.sending("q", history.message("a", "id", null, 0)));
          history
              .ask(history.sending("q", history.message("b", "id", null, 0)))
              .answer(new Answer.Numbered(List.of(0L)));
          history.deliver("r", "a", 1, 0, 1).pass(70_000);
          history.deliver("r", "a", 1, 1, 2);
          history.done(history.sending("q", history.message("c", "id", null, 0)));
          history.deliver("r", "c", 2, 0, 3).rest();
        });
  }

  @Test
  @Rule("S-506")
  void administrationInDoubtIsForgiven() {
    holds(
        () -> {
          queue().send("q", "a").ask(new Operation.Update("q", History.most(1))).restart();
          history.open("r", "q", 1).deliver("r", "a", 1, 0, 1).rest();
          history.done(new Operation.Delete("q"));
          queue().send("q", "b").open("r2", "q", 1).deliver("r2", "b", 1, 0, 2).rest();
        });
  }

  @Test
  @Rule({"S-152", "S-156"})
  void scheduledMessageOfATopicComesLateAsTheClockWasPutBack() {
    holds(
        () -> {
          String path = "t/Subscriptions/s";
          history.topic("t", "s").model.clockDoubted(60_000);
          long due = history.now + 1_000;
          history.schedule("t", "a", due, 1).rest().peek(path).pass(40_000).open("r", path, 1);
          history.deliver("r", history.seen("a", 1, 0, 1, Map.of(), history.now));
        });
  }

  @Test
  @Rule("S-411")
  void deletesABatch() {
    holds(
        () -> {
          queue().send("q", "a", "b", "c").pass(10);
          history
              .ask(new Operation.DeleteMessages("q", 2, history.now, null))
              .answer(new Answer.Deleted(2));
          history.open("r", "q", 2).deliver("r", "c", 3, 0, 1).rest();
        });
  }
}
