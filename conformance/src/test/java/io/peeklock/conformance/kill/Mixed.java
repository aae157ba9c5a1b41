package io.peeklock.conformance.kill;

import java.util.Locale;

/**
 * How much there was beside plain queues.
 *
 * @param ordered messages of sessions whose first delivery was in its place
 * @param states states of sessions that were set
 * @param statesRead states that were read and not empty
 * @param scheduled deliveries of scheduled messages
 * @param cancelled cancels that were confirmed
 * @param repeated ids that were sent more than once
 * @param repeatedAccepted of these, ids that were accepted more than once
 * @param copies copies in subscriptions that were seen
 * @param moved messages that a transaction took out of one queue and into another
 * @param unknownMoves moves whose commit was not answered
 * @param forwarded messages that were seen where they were forwarded to
 */
public record Mixed(
    int ordered,
    int states,
    int statesRead,
    int scheduled,
    int cancelled,
    int repeated,
    int repeatedAccepted,
    int copies,
    int moved,
    int unknownMoves,
    int forwarded) {

  /** The figures of both. */
  Mixed plus(Mixed other) {
    return new Mixed(
        ordered + other.ordered,
        states + other.states,
        statesRead + other.statesRead,
        scheduled + other.scheduled,
        cancelled + other.cancelled,
        repeated + other.repeated,
        repeatedAccepted + other.repeatedAccepted,
        copies + other.copies,
        moved + other.moved,
        unknownMoves + other.unknownMoves,
        forwarded + other.forwarded);
  }

  /** Whether there was some of everything: a run that did nothing proves nothing. */
  public boolean isOfEverything() {
    return ordered > 0
        && states > 0
        && statesRead > 0
        && scheduled > 0
        && cancelled > 0
        && repeated > 0
        && repeatedAccepted > 0
        && copies > 0
        && moved > 0
        && forwarded > 0;
  }

  /** A few lines for people. */
  String figures() {
    return String.format(
        Locale.ROOT,
        """
    of sessions, in order     %d
    states set                %d, read %d
    scheduled, delivered      %d, cancelled %d
    ids sent again            %d, accepted again %d
    copies in subscriptions   %d
    moved in transactions     %d, commits unknown %d
    forwarded                 %d
    """,
        ordered,
        states,
        statesRead,
        scheduled,
        cancelled,
        repeated,
        repeatedAccepted,
        copies,
        moved,
        unknownMoves,
        forwarded);
  }
}
