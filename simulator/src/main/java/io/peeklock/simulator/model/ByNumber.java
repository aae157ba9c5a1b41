package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.model.State.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Messages that are taken away unseen: cancelled by number, or the oldest ones at once. */
final class ByNumber {
  /** In place of a number that its sender was not told. */
  private static final long UNTOLD = 0;

  private final Contents contents;

  ByNumber(Contents contents) {
    this.contents = contents;
  }

  // ---- cancelled

  private static Predicate<State> isScheduled(String path, long number) {
    return state -> state.isIn(path) && state.kind == Kind.SCHEDULED && state.number == number;
  }

  void perhaps(Operation.CancelScheduled cancel) {
    cancel.sequenceNumbers().forEach(number -> perhaps(isScheduled(cancel.path(), number)));
    perhaps(isScheduled(cancel.path(), UNTOLD));
  }

  private void perhaps(Predicate<State> isCancelled) {
    contents
        .possibly(isCancelled)
        .forEach(
            copy ->
                copy.mayBecome(
                    state -> isCancelled.test(state) ? Stream.of(state.gone()) : Stream.of()));
  }

  /** S-153 to S-155. */
  void cancelled(Operation.CancelScheduled cancel, Answer answer, Moment now) {
    if (contents.judged(cancel.path()) == null) {
      return;
    }
    for (var number : cancel.sequenceNumbers()) {
      var isMeant = isScheduled(cancel.path(), number);
      var copies = contents.possibly(isMeant).toList();
      if (answer instanceof Answer.Done) {
        var isUntold = isScheduled(cancel.path(), UNTOLD);
        var mayBe = !copies.isEmpty() || contents.possibly(isUntold).count() > 0;
        contents.verdicts.demand(
            "S-154", mayBe, "#", number, " was cancelled, and is not scheduled");
        if (copies.isEmpty()) {
          perhaps(isUntold);
        }
        copies.forEach(copy -> copy.become(state -> Stream.of(state.gone())));
      } else if (cancel.sequenceNumbers().size() == 1 && number > 0 && isNotFound(answer)) {
        for (var copy : copies) {
          copy.keep(
              "S-153",
              "#" + number + " was not found, and is scheduled",
              state -> !isMeant.test(state) || now.mayBeAfter(state.due));
        }
      }
    }
  }

  static boolean isNotFound(Answer answer) {
    return answer instanceof Answer.Refused refused && refused.why().endsWith("NotFound");
  }

  // ---- deleted in a batch

  private List<Copy> deletable(Operation.DeleteMessages delete, Moment now) {
    return contents
        .possibly(
            state ->
                state.isIn(delete.path())
                    && state.isAvailable()
                    && state.enqueuedFrom - now.slack() < delete.enqueuedBeforeMillis())
        .filter(
            copy -> delete.sessionId() == null || delete.sessionId().equals(copy.sent.sessionId()))
        .toList();
  }

  void perhaps(Operation.DeleteMessages delete, Moment now) {
    deletable(delete, now).forEach(copy -> copy.mayBecome(state -> Stream.of(state.gone())));
  }

  /** S-411, S-414, S-415: some of the oldest that are available. */
  void deleted(Operation.DeleteMessages delete, Answer answer, Moment now) {
    var entity = contents.judged(delete.path());
    if (entity == null || !(answer instanceof Answer.Deleted deleted)) {
      return;
    }
    var copies = deletable(delete, now);
    var fits = deleted.count() <= Math.min(delete.most(), copies.size());
    contents.verdicts.demand("S-411", fits, deleted, " of ", copies.size(), ", by ", delete);
    var isClear =
        !entity.hasSessions(delete.path()) // what is below a session's lock is left out
            && copies.stream()
                .allMatch(
                    copy ->
                        copy.states().size() == 1
                            && copy.states().getFirst().arrival > 0
                            && copy.states().getFirst().enqueuedTo + now.slack()
                                < delete.enqueuedBeforeMillis());
    if (isClear || deleted.count() == copies.size()) {
      copies.stream()
          .sorted(Comparator.comparingLong(copy -> copy.states().getFirst().arrival))
          .limit(deleted.count())
          .forEach(copy -> copy.become(ByNumber::taken));
    } else if (deleted.count() > 0) {
      copies.forEach(copy -> copy.mayBecome(state -> Stream.of(state.gone())));
    }
  }

  private static Stream<State> taken(State state) {
    return state.isAvailable() ? Stream.of(state.gone()) : Stream.of();
  }
}
