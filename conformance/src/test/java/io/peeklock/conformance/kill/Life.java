package io.peeklock.conformance.kill;

import io.peeklock.conformance.kill.Event.CancelAnswered;
import io.peeklock.conformance.kill.Event.CancelTried;
import io.peeklock.conformance.kill.Event.Delivered;
import io.peeklock.conformance.kill.Event.Disposition;
import io.peeklock.conformance.kill.Event.Found;
import io.peeklock.conformance.kill.Event.SendAnswered;
import io.peeklock.conformance.kill.Event.SendTried;
import io.peeklock.conformance.kill.Event.SettleAnswered;
import io.peeklock.conformance.kill.Event.SettleTried;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that happened to one message, in order. */
final class Life {
  final String id;
  final List<Delivered> deliveries = new ArrayList<>();
  final List<SettleTried> tried = new ArrayList<>();
  final List<SettleAnswered> answers = new ArrayList<>();
  final List<Found> found = new ArrayList<>();

  /** The first one; an id may be sent again. */
  @Nullable SendTried send;

  int sends;
  int acceptedSends;

  /** The first that says yes, else any. */
  @Nullable SendAnswered answer;

  @Nullable CancelTried cancelTried;
  @Nullable CancelAnswered cancelAnswered;

  Life(String id) {
    this.id = id;
  }

  void sent(SendTried tried) {
    send = send == null ? tried : send;
    sends++;
  }

  void answered(SendAnswered answered) {
    answer = accepted() ? answer : answered;
    acceptedSends += answered.accepted() ? 1 : 0;
  }

  /** Whether anybody saw it, on the way or at the end. */
  boolean seen() {
    return !deliveries.isEmpty() || !found.isEmpty();
  }

  boolean cancelled() {
    return cancelAnswered != null && cancelAnswered.accepted();
  }

  /** Whether it may be gone because somebody cancelled it. */
  boolean mayBeCancelled() {
    return cancelTried != null && (cancelAnswered == null || cancelAnswered.accepted());
  }

  boolean accepted() {
    return answer != null && answer.accepted();
  }

  boolean refused() {
    return answer != null && !answer.accepted();
  }

  /** The first confirmed settlement of this kind. */
  @Nullable SettleAnswered confirmed(Disposition disposition) {
    for (var answered : answers) {
      if (answered.disposition() == disposition && answered.accepted()) {
        return answered;
      }
    }
    return null;
  }

  boolean triedTo(Disposition disposition) {
    return tried.stream().anyMatch(settlement -> settlement.disposition() == disposition);
  }

  /** Settlements of which nobody knows whether they happened. */
  int unknownSettlements() {
    return tried.size() - answers.size();
  }

  /** How many counted ends were surely over before this moment. */
  long surelyCounted(long before) {
    return answers.stream()
        .filter(answered -> answered.accepted() && answered.disposition().counts())
        .filter(answered -> answered.at() < before)
        .count();
  }

  /** How many counted ends may have happened before this moment. */
  long perhapsCounted(long before) {
    return tried.stream()
        .filter(settlement -> settlement.disposition().counts() && settlement.at() < before)
        .count();
  }
}
