package io.peeklock.kernel.send;

import io.peeklock.kernel.filter.RuleMatches;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.state.SubscriptionState;
import io.peeklock.kernel.state.TopicRules;
import io.peeklock.kernel.state.TopicState;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What the copies of one message weigh that bring properties of their own: each has the message's
 * head once more, so that a message of 64 KiB that 2,000 rules with actions select would make 128
 * MiB in one decision. What the actions make beyond the head has a bound of its own, {@link
 * io.peeklock.kernel.filter.RuleBudget#BYTES_PER_MESSAGE}.
 */
final class CopyWeights {

  /** What one part of the copies may bring, if it serves more than one subscription. */
  static final long MOST_OF_PART = 1 << 20;

  /** What to make one such copy costs beside its bytes, in bytes. */
  private static final int BYTES_OF_COPY = 1_024;

  /** What one message may bring to one subscription; beyond it is dead-lettered there. */
  static final long MOST_OF_SUBSCRIPTION = 4 << 20;

  private final long headBytes;
  private final int[] changed; // copies by place of the subscription
  private final BitSet deadLettered = new BitSet();
  private long all;

  private CopyWeights(long headBytes, int subscriptions) {
    this.headBytes = headBytes;
    this.changed = new int[subscriptions];
  }

  /**
   * The weights of the copies that the rules make; null when all of them are no more than a part.
   */
  static @Nullable CopyWeights of(TopicState topic, MessageView source, RuleMatches matches) {
    boolean brings = topic.mayChangeCopies() || matches.failedCount() > 0 || source.isChanged();
    long most = (long) matches.count() + matches.failedCount();
    if (!brings || most * (source.headBytes() + BYTES_OF_COPY) <= MOST_OF_PART) {
      return null;
    }
    CopyWeights weights = new CopyWeights(source.headBytes(), topic.subscriptions().size());
    weights.count(topic.rules(), source.isChanged(), matches);
    return weights.all <= MOST_OF_PART ? null : weights;
  }

  private void count(TopicRules<SubscriptionState> rules, boolean isChanged, RuleMatches matches) {
    BitSet shared = new BitSet(changed.length);
    for (int i = 0; i < matches.count(); i++) {
      TopicRules.Owned<SubscriptionState> owned = rules.owner(matches.rule(i));
      SubscriptionState to = owned.subscription();
      if (to != null && owned.action() != null) {
        changed[to.place()]++;
      } else if (to != null && isChanged) {
        shared.set(to.place());
      }
    }
    for (int i = 0; i < matches.failedCount(); i++) {
      SubscriptionState to = rules.owner(matches.failedRule(i)).subscription();
      if (to != null && to.deadLettersFailures()) {
        changed[to.place()]++;
      }
    }
    shared.stream().forEach(place -> changed[place]++);
    all = weight(Arrays.stream(changed).asLongStream().sum());
  }

  private long weight(long copies) {
    return copies * (headBytes + BYTES_OF_COPY);
  }

  /** What the copies for the subscription at this place weigh, in bytes. */
  long weight(int place) {
    return weight(isTooMuch(place) ? 1L : changed[place]);
  }

  /** How many copies with properties of their own the rules of a subscription make. */
  int copies(int place) {
    return changed[place];
  }

  /** Whether that is more than a subscription may get, which is one dead letter then. */
  boolean isTooMuch(int place) {
    return changed[place] * headBytes > MOST_OF_SUBSCRIPTION;
  }

  /** True once for each subscription: when its dead letter is to be made. */
  boolean beginsDeadLetter(int place) {
    boolean begins = !deadLettered.get(place);
    deadLettered.set(place);
    return begins;
  }
}
