package io.peeklock.kernel.send;

import io.peeklock.kernel.filter.RuleMatches;
import io.peeklock.kernel.state.SubscriptionState;
import io.peeklock.kernel.state.TopicRules;
import io.peeklock.kernel.state.TopicState;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which subscriptions of a topic with many have their turn with a message whose copies are made in
 * parts: in order of creation, as many of those that select it as one decision reaches. All of them
 * have it as long as no part is begun.
 */
final class CopyTurns {

  private final TopicState topic;
  private final int most;
  private int from; // places
  private int until = Integer.MAX_VALUE;

  CopyTurns(TopicState topic, int most) {
    this.topic = topic;
    this.most = most;
  }

  /**
   * Whether more subscriptions select a message than have their turn at once.
   *
   * @param matches the rules that match; null where none looks at messages
   */
  boolean isTooMany(@Nullable RuleMatches matches) {
    if (matches == null) {
      return topic.rules().tally().selectingAll() > most;
    }
    return matches.count() + matches.failedCount() > most && getting(matches).cardinality() > most;
  }

  /** Those have their turn that come behind the one with this number. */
  void begin(int behind, @Nullable RuleMatches matches) {
    from = topic.behind(behind);
    until = matches == null ? untilOfAll() : until(getting(matches));
  }

  private int untilOfAll() {
    int reached = 0;
    int place = from;
    while (place < topic.subscriptions().size() && reached < most) {
      reached += topic.subscriptions().get(place).selectsAll() ? 1 : 0;
      place++;
    }
    return place;
  }

  private int until(BitSet getting) {
    int reached = 0;
    int place = getting.nextSetBit(from);
    while (place >= 0 && reached < most) {
      reached++;
      place = getting.nextSetBit(place + 1);
    }
    return place < 0 ? topic.subscriptions().size() : place;
  }

  /** The places of those that get something, be it a dead letter. */
  private BitSet getting(RuleMatches matches) {
    TopicRules<SubscriptionState> rules = topic.rules();
    BitSet getting = new BitSet(topic.subscriptions().size());
    for (int i = 0; i < matches.count(); i++) {
      SubscriptionState selects = rules.owner(matches.rule(i)).subscription();
      if (selects != null) {
        getting.set(selects.place());
      }
    }
    for (int i = 0; i < matches.failedCount(); i++) {
      SubscriptionState failed = rules.owner(matches.failedRule(i)).subscription();
      if (failed != null && failed.deadLettersFailures()) {
        getting.set(failed.place());
      }
    }
    return getting;
  }

  /** Whether anybody gets something. */
  static boolean isAny(TopicRules<SubscriptionState> rules, RuleMatches matches) {
    for (int i = 0; i < matches.count(); i++) {
      if (rules.owner(matches.rule(i)).subscription() != null) {
        return true;
      }
    }
    for (int i = 0; i < matches.failedCount(); i++) {
      SubscriptionState failed = rules.owner(matches.failedRule(i)).subscription();
      if (failed != null && failed.deadLettersFailures()) {
        return true;
      }
    }
    return false;
  }

  boolean has(SubscriptionState subscription) {
    return subscription.place() >= from && subscription.place() < until;
  }

  /** The place of the first that has its turn. */
  int from() {
    return from;
  }

  /** The place behind the last one. */
  int until() {
    return Math.min(until, topic.subscriptions().size());
  }

  /** Whether nobody is left for a later turn. */
  boolean isOver() {
    return until() == topic.subscriptions().size();
  }

  /** The number of the last one that had its turn, or that was passed over; 0 for none. */
  int upTo() {
    return until() == 0 ? 0 : topic.subscriptions().get(until() - 1).queue().id().number();
  }
}
