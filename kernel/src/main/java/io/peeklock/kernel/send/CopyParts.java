package io.peeklock.kernel.send;

import io.peeklock.kernel.filter.RuleMatches;
import io.peeklock.kernel.state.SubscriptionState;
import io.peeklock.kernel.state.TopicRules;
import io.peeklock.kernel.state.TopicState;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which subscriptions of a large topic are served next when the copies of one message are made in
 * parts: in order of creation, as many of those that select the message as one decision reaches.
 * Before a part is begun all of them are.
 */
final class CopyParts {

  private final TopicState topic;
  private final int most;
  private int from; // places
  private int until = Integer.MAX_VALUE;

  CopyParts(TopicState topic, int most) {
    this.topic = topic;
    this.most = most;
  }

  /**
   * Whether more subscriptions select a message than one part serves.
   *
   * @param matches the rules that match; null when no rule looks at messages
   * @param weights of its copies; null when they are light
   */
  boolean isTooMany(@Nullable RuleMatches matches, @Nullable CopyWeights weights) {
    if (weights != null) {
      return true;
    }
    if (matches == null) {
      return topic.rules().tally().selectingAll() > most;
    }
    return matches.count() + matches.failedCount() > most && getting(matches).cardinality() > most;
  }

  /** Begins a part with the subscriptions after the one with this number. */
  void begin(int behind, @Nullable RuleMatches matches, @Nullable CopyWeights weights) {
    from = topic.behind(behind);
    until = matches == null ? untilOfAll() : until(getting(matches), weights);
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

  private int until(BitSet getting, @Nullable CopyWeights weights) {
    int reached = 0;
    long weight = 0;
    int place = getting.nextSetBit(from);
    while (place >= 0 && reached < most && weight < CopyWeights.MOST_OF_PART) {
      reached++;
      weight += weights == null ? 0 : weights.weight(place);
      place = getting.nextSetBit(place + 1);
    }
    return place < 0 ? topic.subscriptions().size() : place;
  }

  /** The places of the subscriptions that get a copy, even as a dead letter. */
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

  /** Whether any subscription gets a copy. */
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

  /** The place of the first subscription of this part. */
  int from() {
    return from;
  }

  /** The place after the last subscription of this part. */
  int until() {
    return Math.min(until, topic.subscriptions().size());
  }

  /** Whether this is the last part. */
  boolean isOver() {
    return until() == topic.subscriptions().size();
  }

  /** The number of the last subscription that was served or skipped; 0 for none. */
  int upTo() {
    return until() == 0 ? 0 : topic.subscriptions().get(until() - 1).queue().id().number();
  }
}
