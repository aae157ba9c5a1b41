package io.peeklock.conformance.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.kill.Event.CameAt;
import io.peeklock.conformance.kill.Event.CancelAnswered;
import io.peeklock.conformance.kill.Event.CancelTried;
import io.peeklock.conformance.kill.Event.Delivered;
import io.peeklock.conformance.kill.Event.Disposition;
import io.peeklock.conformance.kill.Event.DueAt;
import io.peeklock.conformance.kill.Event.Found;
import io.peeklock.conformance.kill.Event.InSession;
import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.kill.Event.MoveTried;
import io.peeklock.conformance.kill.Event.Place;
import io.peeklock.conformance.kill.Event.SendAnswered;
import io.peeklock.conformance.kill.Event.SendTried;
import io.peeklock.conformance.kill.Event.SettleAnswered;
import io.peeklock.conformance.kill.Event.SettleTried;
import io.peeklock.conformance.kill.Event.StateAnswered;
import io.peeklock.conformance.kill.Event.StateRead;
import io.peeklock.conformance.kill.Event.StateTried;
import io.peeklock.conformance.kill.Event.Together;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the judges of the mixed load must see: each history here has one lie in it, or none. */
class MixedJudgeTest {
  private final List<Event> history = new ArrayList<>();
  private long clock;

  @Test
  void anHonestHistoryOfEveryKindIsGood() {
    sent("s1", Load.CARTS);
    history.add(new InSession(++clock, "s1", "a"));
    delivered("s1", Load.CARTS, 1);
    completed("s1");
    stateSet("a", 1);
    stateRead("a", 1);
    scheduled("l1", 500);
    delivered("l1", Load.LATER, 2);
    history.add(new CameAt(++clock, "l1", 501));
    completed("l1");
    scheduled("l2", 500);
    cancelled("l2", true);
    sent("o1", Load.ONCE);
    sent("o1", Load.ONCE);
    found("o1", Load.ONCE, 1);
    publishedToBoth("e1");
    found("e1@all", Load.ALL, 1);
    found("e1@red", Load.RED, 1);
    moved("m1", "m1>0");
    found("m1>0", Load.MOVED, 1);
    sent("f1", Load.RELAYED);
    found("f1", Load.RELAYED, 1);

    var verdict = Judge.over(history);

    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.mixed().isOfEverything()).isTrue();
    assertThat(verdict.mixed().plus(verdict.mixed()).copies()).isEqualTo(4);
    assertThat(verdict.figures()).contains("ids sent again            1, accepted again 1");
  }

  // ---- sessions

  @Test
  void aMessageThatOvertakesAnotherOfItsSessionIsSeen() {
    for (var id : List.of("s1", "s2")) {
      sent(id, Load.CARTS);
      history.add(new InSession(++clock, id, "a"));
    }
    delivered("s2", Load.CARTS, 2);
    completed("s2");
    delivered("s1", Load.CARTS, 1);
    completed("s1");

    onlyViolationBeginsWith("I-24: s1");
  }

  @Test
  void whoComesAgainMayComeLater() {
    for (var id : List.of("s1", "s2")) {
      sent(id, Load.CARTS);
      history.add(new InSession(++clock, id, "a"));
    }
    delivered("s1", Load.CARTS, 1);
    delivered("s2", Load.CARTS, 2);
    completed("s2");
    deliveredInNextLife("s1", Load.CARTS, 1);
    completed("s1");

    assertThat(Judge.over(history).violations()).isEmpty();
  }

  @Test
  void aStateThatIsForgottenIsSeen() {
    stateSet("a", 1);
    stateSet("a", 2);
    stateRead("a", 1);

    onlyViolationBeginsWith("I-25: the state of a was set to 2");
  }

  @Test
  void aStateThatIsLostAltogetherIsSeen() {
    stateSet("a", 1);
    stateRead("a", 0);

    onlyViolationBeginsWith("I-25: the state of a");
  }

  @Test
  void aStateThatNobodySetIsSeen() {
    stateRead("a", 7);

    onlyViolationBeginsWith("I-25: the state of a");
  }

  @Test
  void aStateWithoutAnAnswerMayBeThereOrNot() {
    stateSet("a", 1);
    history.add(new StateTried(++clock, "a", 2));
    stateRead("a", 1);
    stateRead("a", 2);

    assertThat(Judge.over(history).violations()).isEmpty();
  }

  // ---- schedules

  @Test
  void aMessageBeforeItsTimeIsSeen() {
    scheduled("l1", 500);
    delivered("l1", Load.LATER, 2);
    history.add(new CameAt(++clock, "l1", 400));
    completed("l1");

    onlyViolationBeginsWith("I-31: l1 came 100 ms before its time");
  }

  @Test
  void aScheduledMessageThatIsLostIsSeen() {
    scheduled("l1", 500);

    onlyViolationBeginsWith("I-01: l1");
  }

  @Test
  void aCancelledMessageThatComesIsSeen() {
    scheduled("l1", 500);
    cancelled("l1", true);
    found("l1", Load.LATER, 2);

    onlyViolationBeginsWith("I-31: l1 was cancelled");
  }

  @Test
  void aCancelThatWasRefusedExcusesNoLoss() {
    scheduled("l1", 500);
    cancelled("l1", false);

    onlyViolationBeginsWith("I-01: l1");
  }

  @Test
  void aCancelWithoutAnAnswerMayHaveHappenedOrNot() {
    scheduled("l1", 500);
    history.add(new CancelTried(++clock, "l1"));
    scheduled("l2", 500);
    history.add(new CancelTried(++clock, "l2"));
    found("l2", Load.LATER, 3);

    assertThat(Judge.over(history).violations()).isEmpty();
  }

  // ---- duplicates

  @Test
  void anIdThatIsStoredTwiceIsSeen() {
    history.add(new SendTried(++clock, "o1", Load.ONCE));
    sent("o1", Load.ONCE);
    delivered("o1", Load.ONCE, 1);
    completed("o1");
    found("o1", Load.ONCE, 2);

    assertThat(Judge.over(history).violations())
        .anySatisfy(violation -> assertThat(violation).startsWith("I-33: o1"))
        .anySatisfy(violation -> assertThat(violation).startsWith("I-05: o1"));
  }

  @Test
  void anIdThatIsRememberedWithoutItsMessageIsSeen() {
    history.add(new SendTried(++clock, "o1", Load.ONCE));
    sent("o1", Load.ONCE);

    onlyViolationBeginsWith("I-01: o1");
  }

  // ---- topics

  @Test
  void aCopyThatIsMissingIsSeen() {
    publishedToBoth("e1");
    found("e1@all", Load.ALL, 1);

    assertThat(Judge.over(history).violations())
        .anySatisfy(violation -> assertThat(violation).startsWith("I-01: e1@red"))
        .anySatisfy(violation -> assertThat(violation).startsWith("I-35: of [e1@all, e1@red]"));
  }

  @Test
  void aCopyOfAnUnansweredSendThatIsMissingIsSeen() {
    history.add(new Together(++clock, List.of("e1@all", "e1@red")));
    history.add(new SendTried(++clock, "e1@all", Load.ALL));
    history.add(new SendTried(++clock, "e1@red", Load.RED));
    found("e1@red", Load.RED, 1);

    onlyViolationBeginsWith("I-35: of [e1@all, e1@red]");
  }

  @Test
  void aCopyThatTheFilterShouldHaveKeptOutIsSeen() {
    sent("e1@all", Load.ALL);
    found("e1@all", Load.ALL, 1);
    found("e1@red", Load.RED, 1);

    onlyViolationBeginsWith("I-02: e1@red was never sent");
  }

  // ---- transactions

  @Test
  void aTransactionThatOnlySentIsSeen() {
    tried("m1", "m1>0");
    found("m1", Load.MOVES, 1);
    found("m1>0", Load.MOVED, 1);

    onlyViolationBeginsWith("I-27: m1 is still there");
  }

  @Test
  void aTransactionThatOnlyCompletedIsSeen() {
    tried("m1", "m1>0");

    onlyViolationBeginsWith("I-27: m1 is gone");
  }

  @Test
  void aTransactionThatNobodyAnsweredMayHaveHappenedOrNot() {
    tried("m1", "m1>0");
    found("m1>0", Load.MOVED, 1);
    tried("m2", "m2>1");
    found("m2", Load.MOVES, 2);

    assertThat(Judge.over(history).violations()).isEmpty();
  }

  @Test
  void aMessageThatIsMovedTwiceIsSeen() {
    tried("m1", "m1>0");
    history.add(new MoveTried(++clock, "m1", "m1>1"));
    history.add(new SendTried(++clock, "m1>1", Load.MOVED));
    found("m1>0", Load.MOVED, 1);
    found("m1>1", Load.MOVED, 2);

    onlyViolationBeginsWith("I-27: m1 was moved more than once");
  }

  @Test
  void halfOfWhatATransactionSendsIsSeen() {
    history.add(new SendTried(++clock, "m1>0", Load.MOVED));
    history.add(new SendTried(++clock, "m2>1", Load.MOVED));
    history.add(new Together(++clock, List.of("m1>0", "m2>1")));
    found("m1>0", Load.MOVED, 1);

    onlyViolationBeginsWith("I-27: of [m1>0, m2>1]");
  }

  @Test
  void whatWasRolledBackAndIsThereIsSeen() {
    found("m1>0", Load.MOVED, 1);

    onlyViolationBeginsWith("I-02: m1>0 was never sent");
  }

  // ---- forwarding

  @Test
  void aForwardedMessageThatIsLostIsSeen() {
    sent("f1", Load.RELAYED);

    onlyViolationBeginsWith("I-01: f1");
  }

  @Test
  void aMessageThatIsForwardedTwiceIsSeen() {
    sent("f1", Load.RELAYED);
    delivered("f1", Load.RELAYED, 1);
    found("f1", Load.RELAYED, 2);

    onlyViolationBeginsWith("I-36: f1 had the number 1, now 2");
  }

  @Test
  void aMessageThatIsForwardedAndStaysIsSeen() {
    sent("f1", Load.RELAYED);
    delivered("f1", Load.RELAY, 1);
    found("f1", Load.RELAYED, 1);

    onlyViolationBeginsWith("I-02: f1 was sent to relayed");
  }

  // ---- words

  private void onlyViolationBeginsWith(String text) {
    assertThat(Judge.over(history).violations())
        .singleElement()
        .satisfies(violation -> assertThat(violation).startsWith(text));
  }

  private void sent(String id, String queue) {
    history.add(new SendTried(++clock, id, queue));
    history.add(new SendAnswered(++clock, id, true));
  }

  private void scheduled(String id, long due) {
    history.add(new DueAt(++clock, id, due));
    sent(id, Load.LATER);
  }

  private void cancelled(String id, boolean accepted) {
    history.add(new CancelTried(++clock, id));
    history.add(new CancelAnswered(++clock, id, accepted));
  }

  private void publishedToBoth(String id) {
    history.add(new Together(++clock, List.of(id + "@all", id + "@red")));
    sent(id + "@all", Load.ALL);
    sent(id + "@red", Load.RED);
  }

  private void tried(String from, String to) {
    sent(from, Load.MOVES);
    history.add(new MoveTried(++clock, from, to));
    history.add(new SendTried(++clock, to, Load.MOVED));
    history.add(new SettleTried(++clock, from, Disposition.COMPLETE, 1, 0));
  }

  private void moved(String from, String to) {
    tried(from, to);
    history.add(new SendAnswered(++clock, to, true));
    history.add(new SettleAnswered(++clock, from, Disposition.COMPLETE, 0, true));
  }

  private void delivered(String id, String queue, long number) {
    history.add(new Delivered(++clock, id, queue, Mode.PEEK_LOCK, 1, number, 0, true, 0));
  }

  private void deliveredInNextLife(String id, String queue, long number) {
    history.add(new Delivered(++clock, id, queue, Mode.PEEK_LOCK, 2, number, 0, true, 0));
  }

  private void completed(String id) {
    history.add(new SettleTried(++clock, id, Disposition.COMPLETE, 1, 0));
    history.add(new SettleAnswered(++clock, id, Disposition.COMPLETE, 0, true));
  }

  private void found(String id, String queue, long number) {
    history.add(new Found(++clock, id, queue, Place.QUEUE, number, 0, 0));
  }

  private void stateSet(String session, long value) {
    history.add(new StateTried(++clock, session, value));
    history.add(new StateAnswered(++clock, session, value));
  }

  private void stateRead(String session, long value) {
    var began = ++clock;
    history.add(new StateRead(++clock, began, session, value));
  }
}
