package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.StoredMemory;
import java.util.ArrayList;
import java.util.List;

/** The additional state of a topic: its subscriptions, and all their rules in one table. */
public final class TopicState {

  /**
   * The most subscriptions that one decision copies a message to; if more select it, it is copied
   * in parts. With thousands of subscriptions a copy mostly waits for memory that the caches do not
   * hold. A part takes a quarter of the time of 2,000 copies; smaller parts would have more
   * overhead. {@code docs/benchmarks.md} has figures.
   */
  public static final int MOST_AT_ONCE = 256;

  private boolean refusesUnmatched;
  private final List<SubscriptionState> subscriptions = new ArrayList<>();
  private TopicRules<SubscriptionState> rules;
  private int withSessions;
  private boolean isClosed;
  private final StoredMemory memory;

  /** A topic without subscriptions. */
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

  /** The subscriptions in order of creation, which is the order of their queue numbers. */
  public List<SubscriptionState> subscriptions() {
    return subscriptions;
  }

  SubscriptionState add(QueueState queue, boolean deadLettersFailures) {
    int place = behind(queue.id().number());
    SubscriptionState added = new SubscriptionState(queue, this, place, deadLettersFailures);
    subscriptions.add(place, added);
    renumber(place + 1); // later ones exist only in a log that is repaired
    withSessions += queue.definition().requiresSession() ? 1 : 0;
    return added;
  }

  /** Closes a deleted topic, so that its subscriptions need not be removed one by one. */
  void close() {
    isClosed = true;
    rules.close();
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Removes a subscription, whose rules have left already. */
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
      // most numbers are behind all places, or none
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

  /** Takes over the rules of another topic, which has none afterwards. */
  public void takeRules(TopicState other) {
    rules = other.rules;
    other.rules = new TopicRules<>(memory);
  }

  /** Whether any rule reads messages, so that the copies depend on them. */
  public boolean looksAtMessages() {
    return rules.tally().selective() > 0 || withSessions > 0;
  }

  /** Whether a copy may have properties of its own, which are a body more in the store. */
  public boolean mayChangeCopies() {
    return rules.tally().changing() > 0;
  }

  /** Whether any subscription has sessions. */
  public boolean hasSessions() {
    return withSessions > 0;
  }

  /** The memory that the rules of all topics use, and may use. */
  public StoredMemory memory() {
    return memory;
  }

  /** The bytes of all subscriptions and their dead letters (S-056, S-187). */
  public long bytes() {
    long bytes = 0;
    for (SubscriptionState each : subscriptions) {
      bytes += each.queue().quotaBytes();
    }
    return bytes;
  }
}
