package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.StoredMemory;
import java.util.ArrayList;
import java.util.List;

/** What a queue that is a topic has beside: its subscriptions, and all their rules in one table. */
public final class TopicState {

  /**
   * Of one message a decision makes copies for at most so many subscriptions; what more of them
   * select is copied in parts. Among thousands of subscriptions one costs mostly the wait for what
   * the machine's caches do not have of it, so that a part takes an eighth of what 2,000 copies do;
   * a part of fewer would cost more beside its copies. {@code docs/benchmarks.md} has figures.
   */
  public static final int MOST_AT_ONCE = 256;

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

  /** In order of creation, which is that of their queues' numbers. */
  public List<SubscriptionState> subscriptions() {
    return subscriptions;
  }

  SubscriptionState add(QueueState queue, boolean deadLettersFailures) {
    int place = behind(queue.id().number());
    SubscriptionState added = new SubscriptionState(queue, this, place, deadLettersFailures);
    subscriptions.add(place, added);
    renumber(place + 1); // behind it is one only in a log that is repaired
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
    renumber(gone.place());
    withSessions -= gone.queue().definition().requiresSession() ? 1 : 0;
  }

  private void renumber(int from) {
    for (int place = from; place < subscriptions.size(); place++) {
      subscriptions.get(place).moveTo(place);
    }
  }

  /** The place of the first subscription whose queue has a higher number than this. */
  public int behind(int number) {
    int low = 0;
    int high = subscriptions.size();
    while (low < high) {
      // most are behind all of them, or none
      int middle = low == 0 && high == subscriptions.size() ? high - 1 : (low + high) >>> 1;
      if (subscriptions.get(middle).queue().id().number() > number) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
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
    return rules.tally().selective() > 0 || withSessions > 0;
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
