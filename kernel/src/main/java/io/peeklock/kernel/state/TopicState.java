package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.StoredMemory;
import java.util.ArrayList;
import java.util.List;

/** What a queue that is a topic has beside: its subscriptions, and all their rules in one table. */
public final class TopicState {

  private boolean refusesUnmatched;
  private final List<SubscriptionState> subscriptions = new ArrayList<>();
  private TopicRules<SubscriptionState> rules;
  private int withSessions;
  private boolean isClosed;
  private final StoredMemory memory;

  public TopicState(boolean refusesUnmatched, StoredMemory memory) {
    this.refusesUnmatched = refusesUnmatched;
    this.memory = memory;
    this.rules = new TopicRules<>(memory);
  }

  /** Whether a message that no subscription selects is refused (S-055). */
  public boolean refusesUnmatched() {
    return refusesUnmatched;
  }

  void refuseUnmatched(boolean refuse) {
    refusesUnmatched = refuse;
  }

  /** In order of creation. */
  public List<SubscriptionState> subscriptions() {
    return subscriptions;
  }

  SubscriptionState add(QueueState queue, boolean deadLettersFailures) {
    SubscriptionState added =
        new SubscriptionState(queue, this, subscriptions.size(), deadLettersFailures);
    subscriptions.add(added);
    withSessions += queue.definition().requiresSession() ? 1 : 0;
    return added;
  }

  /** It is no more, and whoever leaves it need not be taken out. */
  void close() {
    isClosed = true;
    rules.close();
  }

  boolean isClosed() {
    return isClosed;
  }

  /** A subscription is fed no more; its rules have left already. */
  void remove(SubscriptionState gone) {
    subscriptions.remove(gone.place());
    for (int place = gone.place(); place < subscriptions.size(); place++) {
      subscriptions.get(place).moveTo(place);
    }
    withSessions -= gone.queue().definition().requiresSession() ? 1 : 0;
  }

  /** The rules of all subscriptions. */
  public TopicRules<SubscriptionState> rules() {
    return rules;
  }

  /** Has the rules of another one, which has none from here on. */
  public void takeRules(TopicState other) {
    rules = other.rules;
    other.rules = new TopicRules<>(memory);
  }

  /** Whether which copies there are depends on the message. */
  public boolean looksAtMessages() {
    return rules.tally().choosy() > 0 || withSessions > 0;
  }

  /** Whether a subscription wants to know a message's session. */
  public boolean hasSessions() {
    return withSessions > 0;
  }

  /** What rules of all topics weigh, and may weigh. */
  public StoredMemory memory() {
    return memory;
  }

  /** Of all subscriptions and their dead letters (S-056, S-187). */
  public long bytes() {
    long bytes = 0;
    for (SubscriptionState each : subscriptions) {
      bytes += each.queue().quotaBytes();
    }
    return bytes;
  }
}
