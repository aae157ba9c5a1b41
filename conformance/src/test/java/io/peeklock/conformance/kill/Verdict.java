package io.peeklock.conformance.kill;

import java.util.List;
import java.util.Locale;

/**
 * What a history proves.
 *
 * @param lost accepted, peek-locked, and nowhere at the end
 * @param cameBack seen again after the completion was confirmed
 * @param takenAndLost accepted, receive-and-delete, and never delivered: a kill may do that
 * @param violations in words, each beginning with the invariant it breaks
 */
record Verdict(
    int kills,
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
    List<String> violations) {

  boolean good() {
    return violations.isEmpty();
  }

  /** The figures of both. */
  Verdict plus(Verdict other) {
    var all = new java.util.ArrayList<>(violations);
    all.addAll(other.violations);
    return new Verdict(
        kills + other.kills,
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
        List.copyOf(all));
  }

  /** A few lines for people. */
  String figures() {
    return String.format(
        Locale.ROOT,
        """
    kills                     %d
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
    LOST                      %d
    CAME BACK                 %d
    violations                %d\
    """,
        kills,
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
        lost,
        cameBack,
        violations.size());
  }
}
