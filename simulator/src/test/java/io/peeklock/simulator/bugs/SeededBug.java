package io.peeklock.simulator.bugs;

import java.util.ArrayList;
import java.util.List;

/**
 * A bug that can be put into the broker. Nothing of it is in the broker itself: it is a part of a
 * source, and what stands there instead.
 *
 * @param name in words, as in the table of {@code docs/durability.md}
 * @param breaks the statement, the invariant or the find that it is about
 * @param kind what class of defect it is
 */
record SeededBug(String name, String breaks, Kind kind, List<Change> changes) {

  /** Classes of defects. */
  enum Kind {
    /** Told before it is safe. */
    DURABILITY,
    /** Damage that is not seen, or seen where there is none. */
    DAMAGE,
    /** What another process makes of what is left. */
    RECOVERY,
    /** Space or memory is given back too early, or never. */
    SPACE,
    /** Messages come in another order, or to somebody else. */
    ORDER,
    /** Locks and their tokens. */
    LOCK,
    /** Time and clocks. */
    TIME,
    /** Part of it happens. */
    ATOMICITY,
    /** Something is counted wrongly. */
    COUNTING,
    /** Something gets lost, or comes twice. */
    LOSS,
    /** Something waits for ever, or goes round. */
    LIVENESS
  }

  /**
   * One replacement.
   *
   * @param type of the broker, without {@code io.peeklock.}
   * @param before what stands there, once; white space does not matter
   * @param after what stands there instead
   */
  record Change(String type, String before, String after) {}

  static SeededBug of(String name, String breaks, Kind kind) {
    return new SeededBug(name, breaks, kind, List.of());
  }

  /** The same with one more replacement. */
  SeededBug in(String type, String before, String after) {
    var more = new ArrayList<>(changes);
    more.add(new Change(type, before, after));
    return new SeededBug(name, breaks, kind, List.copyOf(more));
  }

  @Override
  public String toString() {
    return name;
  }
}
