package io.peeklock.kernel.state;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RuleWeight;
import java.util.ArrayDeque;

/**
 * The rules of deleted subscriptions, which are released slice by slice: a hundred thousand at once
 * would hold the shard for a tenth of a second. Nothing of this is logged, as a deleted
 * subscription has no rules; in a replay old rules are released as new ones are added.
 */
public final class LeavingRules {

  /** The cost of a slice: some hundreds of small rules, or one of the largest. */
  public static final int SLICE = 1 << 15;

  /** Up to this many rules are released with their subscription. */
  static final int FEW = 16;

  /** What a rule costs in addition to its weight. */
  private static final int RULE = 64;

  private final ArrayDeque<Leaving<?>> line = new ArrayDeque<>();

  private record Leaving<S>(TopicRules<S> of, RuleList<S> rules) {
    /** Releases rules from the end, which moves no others, and returns the cost. */
    long letGo(long most) {
      long cost = 0;
      while (cost < most && rules.size() > 0) {
        RuleList.Numbered last = rules.takeLast();
        of.letGo(last);
        cost += cost(last.rule());
      }
      return cost;
    }
  }

  /** Adds the rules of a deleted subscription. */
  <S> void add(TopicRules<S> of, RuleList<S> rules) {
    of.leave(rules);
    Leaving<S> leaving = new Leaving<>(of, rules);
    if (rules.size() > FEW) {
      line.add(leaving);
    } else {
      leaving.letGo(Integer.MAX_VALUE);
    }
  }

  public boolean isEmpty() {
    return line.isEmpty();
  }

  /**
   * Releases at least as much as a new rule takes, so that a replay never holds more rules than
   * there were.
   */
  public void makeRoomFor(Rule added) {
    if (!line.isEmpty()) {
      letGo(2 * cost(added));
    }
  }

  /** Releases a slice. */
  public void letGo(int most) {
    long left = most;
    while (left > 0 && !line.isEmpty()) {
      Leaving<?> first = line.getFirst();
      left -= first.of.isClosed() ? 1 : first.letGo(left);
      if (first.of.isClosed() || first.rules.size() == 0) { // released with its topic
        line.removeFirst();
      }
    }
  }

  private static int cost(Rule rule) {
    return RULE + RuleWeight.of(rule);
  }
}
