package io.peeklock.conformance.kill;

import java.util.List;
import java.util.Locale;

/**
 * What a history proves.
 *
 * @param kills how often the broker crashed
 * @param fromCheckpoint lives that began from a checkpoint
 * @param fromNewCheckpoint of these, lives whose checkpoint the life before had written
 * @param checkpointsCutShort lives that ended in the midst of writing one
 * @param accepted sends that were answered so
 * @param refused sends that were answered otherwise
 * @param unknown sends without an answer
 * @param unknownThere of these, messages that were seen
 * @param completed messages whose completion was confirmed
 * @param abandoned messages of which an abandon was confirmed
 * @param deferred messages whose deferral was confirmed
 * @param deadLettered messages whose dead-lettering was confirmed
 * @param unknownSettlements settlements without an answer
 * @param redelivered messages that were delivered more than once
 * @param lost accepted, peek-locked, and nowhere at the end
 * @param cameBack seen again after the completion was confirmed
 * @param taken delivered, receive-and-delete
 * @param takenAndLost accepted, receive-and-delete, and never delivered: a kill may do that
 * @param mixed how much there was beside plain queues
 * @param violations in words, each beginning with the invariant it breaks
 */
public record Verdict(
    int kills,
    int fromCheckpoint,
    int fromNewCheckpoint,
    int checkpointsCutShort,
    int accepted,
    int refused,
    int unknown,
    int unknownThere,
    int completed,
    int abandoned,
    int deferred,
    int deadLettered,
    int unknownSettlements,
    int redelivered,
    int lost,
    int cameBack,
    int taken,
    int takenAndLost,
    Mixed mixed,
    List<String> violations) {

  /** Whether nothing was broken. */
  public boolean good() {
    return violations.isEmpty();
  }

  /** The figures of both. */
  Verdict plus(Verdict other) {
    var all = new java.util.ArrayList<>(violations);
    all.addAll(other.violations);
    return new Verdict(
        kills + other.kills,
        fromCheckpoint + other.fromCheckpoint,
        fromNewCheckpoint + other.fromNewCheckpoint,
        checkpointsCutShort + other.checkpointsCutShort,
        accepted + other.accepted,
        refused + other.refused,
        unknown + other.unknown,
        unknownThere + other.unknownThere,
        completed + other.completed,
        abandoned + other.abandoned,
        deferred + other.deferred,
        deadLettered + other.deadLettered,
        unknownSettlements + other.unknownSettlements,
        redelivered + other.redelivered,
        lost + other.lost,
        cameBack + other.cameBack,
        taken + other.taken,
        takenAndLost + other.takenAndLost,
        mixed.plus(other.mixed),
        List.copyOf(all));
  }

  /** A few lines for people. */
  String figures() {
    return String.format(
        Locale.ROOT,
        """
        broker crashed            %d
        lives from a checkpoint   %d, written by the life before %d
        checkpoints cut short     %d
        sends accepted            %d
        sends refused             %d
        sends unknown             %d, of which %d were there
        completed                 %d
        abandoned                 %d
        deferred                  %d
        dead-lettered             %d
        settlements unknown       %d
        delivered again           %d
        received and deleted      %d, lost on the way %d (a kill may do that)
        %sLOST                      %d
        CAME BACK                 %d
        violations                %d\
        """,
        kills,
        fromCheckpoint,
        fromNewCheckpoint,
        checkpointsCutShort,
        accepted,
        refused,
        unknown,
        unknownThere,
        completed,
        abandoned,
        deferred,
        deadLettered,
        unknownSettlements,
        redelivered,
        taken,
        takenAndLost,
        mixed.figures(),
        lost,
        cameBack,
        violations.size());
  }
}
