package io.peeklock.kernel.state;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RuleWeight;
import java.util.ArrayDeque;

/**
 * Rules of subscriptions that are no more, so many that one step does not let them go: a hundred
 * thousand would hold the shard for a tenth of a second. Nothing of it is written down, as a
 * subscription that is no more has no rules; in a replay, too, they go as others come.
 */
public final class LeavingRules {

  /** What a slice may cost: some hundreds of small rules, or one of the largest. */
  public static final int SLICE = 1 << 15;

  /** So many go with their subscription. */
  static final int FEW = 16;

  /** What a rule costs beside what it weighs. */
  private static final int RULE = 64;

  private final ArrayDeque<Leaving<?>> line = new ArrayDeque<>();

  private record Leaving<S>(TopicRules<S> of, RuleList<S> rules) {
    /** The last ones first, which moves nothing; what it cost. */
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

  /** These select for nobody from here on. */
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

  /** A rule came: at least as much goes, so that no replay holds more than there ever was. */
  public void makeRoomFor(Rule added) {
    if (!line.isEmpty()) {
      letGo(2 * cost(added));
    }
  }

  /** Lets a slice go. */
  public void letGo(int most) {
    long left = most;
    while (left > 0 && !line.isEmpty()) {
      Leaving<?> first = line.getFirst();
      left -= first.of.isClosed() ? 1 : first.letGo(left);
      if (first.of.isClosed() || first.rules.size() == 0) { // with its topic, all at once
        line.removeFirst();
      }
    }
  }

  private static int cost(Rule rule) {
    return RULE + RuleWeight.of(rule);
  }
}
