package io.peeklock.conformance.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.kill.Event.Begun;
import io.peeklock.conformance.kill.Event.Delivered;
import io.peeklock.conformance.kill.Event.Disposition;
import io.peeklock.conformance.kill.Event.Found;
import io.peeklock.conformance.kill.Event.Killed;
import io.peeklock.conformance.kill.Event.Mode;
import io.peeklock.conformance.kill.Event.Place;
import io.peeklock.conformance.kill.Event.SendAnswered;
import io.peeklock.conformance.kill.Event.SendTried;
import io.peeklock.conformance.kill.Event.SettleAnswered;
import io.peeklock.conformance.kill.Event.SettleTried;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge must be able to say no: each history here has one lie in it. */
class JudgeTest {
  private final List<Event> history = new ArrayList<>();
  private long clock;

  @Test
  void anHonestHistoryIsGood() {
    sent("a", 1);
    delivered("a", 1, 0, 0);
    settled("a", Disposition.ABANDON, 7, true);
    delivered("a", 1, 1, 7);
    settled("a", Disposition.COMPLETE, 0, true);
    sent("b", 2);
    delivered("b", 2, 0, 0);
    settled("b", Disposition.DEAD_LETTER, 8, true);
    found("b", Place.DEAD_LETTERS, 2, 0, 8);
    tried("unknown");

    var verdict = Judge.over(history);

    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.accepted()).isEqualTo(2);
    assertThat(verdict.completed()).isEqualTo(1);
    assertThat(verdict.deadLettered()).isEqualTo(1);
    assertThat(verdict.unknown()).isEqualTo(1);
  }

  @Test
  void livesThatBeganFromACheckpointAreCounted() {
    history.add(new Killed(++clock));
    history.add(new Begun(++clock, 0, true));
    history.add(new Killed(++clock));
    history.add(new Begun(++clock, 70, false));
    history.add(new Killed(++clock));
    history.add(new Begun(++clock, 70, false));

    var verdict = Judge.over(history);

    assertThat(verdict.kills()).isEqualTo(3);
    assertThat(verdict.fromCheckpoint()).isEqualTo(2);
    assertThat(verdict.fromNewCheckpoint()).isEqualTo(1);
    assertThat(verdict.checkpointsCutShort()).isEqualTo(1);
  }

  @Test
  void aLostMessageIsSeen() {
    sent("a", 1);
    delivered("a", 1, 0, 0);

    assertThat(Judge.over(history).lost()).isEqualTo(1);
    onlyViolationBeginsWith("I-01: a");
  }

  @Test
  void aMessageThatComesBackToAReceiverIsSeen() {
    sent("a", 1);
    delivered("a", 1, 0, 0);
    settled("a", Disposition.COMPLETE, 0, true);
    history.add(new Delivered(++clock, "a", "q", Mode.PEEK_LOCK, 2, 1, 0, true, 0));

    assertThat(Judge.over(history).cameBack()).isEqualTo(1);
    onlyViolationBeginsWith("I-05: a");
  }

  @Test
  void aMessageThatIsFoundAfterItWasCompletedIsSeen() {
    sent("a", 1);
    delivered("a", 1, 0, 0);
    settled("a", Disposition.COMPLETE, 0, true);
    found("a", Place.QUEUE, 1, 0, 0);

    onlyViolationBeginsWith("I-05: a");
  }

  @Test
  void aCompletionThatNobodyConfirmedMayHaveHappenedOrNot() {
    sent("a", 1);
    delivered("a", 1, 0, 0);
    history.add(new SettleTried(++clock, "a", Disposition.COMPLETE, 1, 0));
    sent("b", 2);
    delivered("b", 2, 0, 0);
    history.add(new SettleTried(++clock, "b", Disposition.COMPLETE, 1, 0));
    history.add(new Delivered(++clock, "b", "q", Mode.PEEK_LOCK, 2, 2, 0, true, 0));
    settled("b", Disposition.COMPLETE, 0, true);

    assertThat(Judge.over(history).violations()).isEmpty();
  }

  @Test
  void aMessageThatNobodySentIsSeen() {
    delivered("ghost", 1, 0, 0);

    onlyViolationBeginsWith("I-02: ghost");
  }

  @Test
  void aRefusedMessageThatIsThereIsSeen() {
    tried("a");
    history.add(new SendAnswered(++clock, "a", false));
    found("a", Place.QUEUE, 1, 0, 0);

    onlyViolationBeginsWith("I-02: a");
  }

  @Test
  void anUnknownSendThatIsThereTwiceIsSeen() {
    tried("a");
    found("a", Place.QUEUE, 1, 0, 0);
    found("a", Place.QUEUE, 1, 0, 0);

    onlyViolationBeginsWith("I-03: a");
  }

  @Test
  void aChangedBodyIsSeen() {
    sent("a", 1);
    history.add(new Delivered(++clock, "a", "q", Mode.PEEK_LOCK, 1, 1, 0, false, 0));
    found("a", Place.QUEUE, 1, 0, 0);

    onlyViolationBeginsWith("I-04: a");
  }

  @Test
  void aDeferralThatIsForgottenIsSeen() {
    sent("a", 1);
    delivered("a", 1, 0, 0);
    settled("a", Disposition.DEFER, 9, true);
    found("a", Place.QUEUE, 1, 1, 9);

    onlyViolationBeginsWith("I-06: a");
  }

  @Test
  void aReasonThatIsForgottenIsSeen() {
    sent("a", 1);
    delivered("a", 1, 0, 0);
    settled("a", Disposition.DEAD_LETTER, 9, true);
    found("a", Place.DEAD_LETTERS, 1, 0, 0);

    onlyViolationBeginsWith("I-06: a");
  }

  @Test
  void anAbandonedPropertyThatIsForgottenIsSeen() {
    sent("a", 1);
    delivered("a", 1, 0, 0);
    settled("a", Disposition.ABANDON, 9, true);
    delivered("a", 1, 1, 0);
    found("a", Place.QUEUE, 1, 1, 0);

    onlyViolationBeginsWith("I-06: a");
  }

  @Test
  void aMessageTakenTwiceIsSeen() {
    history.add(new SendTried(++clock, "a", "taken"));
    history.add(new Delivered(++clock, "a", "taken", Mode.RECEIVE_AND_DELETE, 1, 1, 0, true, 0));
    history.add(new Delivered(++clock, "a", "taken", Mode.RECEIVE_AND_DELETE, 2, 1, 0, true, 0));

    onlyViolationBeginsWith("I-07: a");
  }

  @Test
  void aNumberGivenTwiceIsSeen() {
    tried("a");
    tried("b");
    found("a", Place.QUEUE, 1, 0, 0);
    found("b", Place.QUEUE, 1, 0, 0);

    onlyViolationBeginsWith("I-12: b");
  }

  @Test
  void aNumberThatGoesDownIsSeen() {
    sent("a", 5);
    found("a", Place.QUEUE, 5, 0, 0);
    sent("b", 4);
    found("b", Place.QUEUE, 4, 0, 0);

    onlyViolationBeginsWith("I-13: b");
  }

  @Test
  void twoHoldersAtOnceAreSeen() {
    sent("a", 1);
    delivered("a", 1, 0, 0);
    delivered("a", 1, 0, 0);
    found("a", Place.QUEUE, 1, 0, 0);

    onlyViolationBeginsWith("I-16: a");
  }

  @Test
  void aLockLostBeforeItsTimeIsSeen() {
    sent("a", 1);
    delivered("a", 1, 0, 0);
    settled("a", Disposition.COMPLETE, 0, false);
    found("a", Place.QUEUE, 1, 0, 0);

    onlyViolationBeginsWith("I-18: a");
  }

  @Test
  void aCountThatGoesDownIsSeen() {
    sent("a", 1);
    delivered("a", 1, 0, 0);
    history.add(new SettleTried(++clock, "a", Disposition.ABANDON, 1, 0));
    delivered("a", 1, 1, 0);
    found("a", Place.QUEUE, 1, 0, 0);

    onlyViolationBeginsWith("I-20: a");
  }

  @Test
  void aCountThatRisesByItselfIsSeen() {
    sent("a", 1);
    delivered("a", 1, 1, 0);
    found("a", Place.QUEUE, 1, 1, 0);

    assertThat(Judge.over(history).violations())
        .isNotEmpty()
        .allSatisfy(violation -> assertThat(violation).startsWith("I-20: a"));
  }

  private void onlyViolationBeginsWith(String text) {
    assertThat(Judge.over(history).violations())
        .singleElement()
        .satisfies(violation -> assertThat(violation).startsWith(text));
  }

  private void tried(String id) {
    history.add(new SendTried(++clock, id, "q"));
  }

  private void sent(String id, long number) {
    tried(id);
    history.add(new SendAnswered(++clock, id, true));
    assertThat(number).isPositive();
  }

  private void delivered(String id, long number, long count, long mark) {
    history.add(new Delivered(++clock, id, "q", Mode.PEEK_LOCK, 1, number, count, true, mark));
  }

  private void settled(String id, Disposition disposition, long mark, boolean accepted) {
    history.add(new SettleTried(++clock, id, disposition, 1, mark));
    history.add(new SettleAnswered(++clock, id, disposition, mark, accepted));
  }

  private void found(String id, Place place, long number, long count, long mark) {
    history.add(new Found(++clock, id, "q", place, number, count, mark));
  }
}
