package io.peeklock.kernel.queue;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.Rule;
import io.peeklock.kernel.RuleWeight;
import io.peeklock.kernel.filter.ActionRun;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterSubject;
import io.peeklock.kernel.filter.RuleMatches;
import io.peeklock.kernel.filter.RuleTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a queue that is a topic has beside: its subscriptions, and all their rules in one table. */
final class TopicState {

  private boolean refusesUnmatched;
  private final List<SubscriptionState> subscriptions = new ArrayList<>();
  private final RuleTable table = new RuleTable();
  private final Map<Integer, Owned> owners = new TreeMap<>();
  private final RuleMatches matches = new RuleMatches();
  private int nextRule;
  private int choosy; // rules that look at the message, or change it
  private long ruleWeight;
  private long ruleBytes; // beside what they share
  private long countedBytes;
  private int withSessions;
  private boolean isClosed;
  private final StoredMemory memory;

  /** A rule, whose it is, and its action when it has one. */
  record Owned(SubscriptionState subscription, Rule rule, @Nullable ActionRun action) {}

  TopicState(boolean refusesUnmatched, StoredMemory memory) {
    this.refusesUnmatched = refusesUnmatched;
    this.memory = memory;
  }

  /** Whether a message that no subscription selects is refused (S-055). */
  boolean refusesUnmatched() {
    return refusesUnmatched;
  }

  void refuseUnmatched(boolean refuse) {
    refusesUnmatched = refuse;
  }

  /** In order of creation. */
  List<SubscriptionState> subscriptions() {
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
    count(0);
  }

  boolean isClosed() {
    return isClosed;
  }

  /** A subscription is fed no more; its rules are gone already. */
  void remove(SubscriptionState gone) {
    subscriptions.remove(gone.place());
    for (int place = gone.place(); place < subscriptions.size(); place++) {
      subscriptions.get(place).moveTo(place);
    }
    withSessions -= gone.queue().definition().requiresSession() ? 1 : 0;
  }

  int register(SubscriptionState subscription, Rule rule) {
    int number = nextRule++;
    table.add(number, rule.filter());
    owners.put(
        number,
        new Owned(subscription, rule, rule.action() == null ? null : rule.action().ready()));
    choosy += isChoosy(rule) ? 1 : 0;
    ruleWeight += RuleWeight.of(rule);
    ruleBytes += RuleWeight.heapBytes(rule);
    count(ruleBytes + table.sharedBytes());
    return number;
  }

  void unregister(int number) {
    table.remove(number);
    Owned removed = owners.remove(number);
    if (removed != null) {
      choosy -= isChoosy(removed.rule()) ? 1 : 0;
      ruleWeight -= RuleWeight.of(removed.rule());
      ruleBytes -= RuleWeight.heapBytes(removed.rule());
      count(ruleBytes + table.sharedBytes());
    }
  }

  private void count(long bytes) {
    memory.rulesChanged(bytes - countedBytes);
    countedBytes = bytes;
  }

  private static boolean isChoosy(Rule rule) {
    boolean plain = rule.filter() instanceof Filter.True || rule.filter() instanceof Filter.False;
    return !plain || rule.action() != null;
  }

  /** Whether which copies there are depends on the message. */
  boolean looksAtMessages() {
    return choosy > 0 || withSessions > 0;
  }

  /** Whether a subscription wants to know a message's session. */
  boolean hasSessions() {
    return withSessions > 0;
  }

  /** How many rules its subscriptions have. */
  int rules() {
    return owners.size();
  }

  /** What rules of all topics weigh, and may weigh. */
  StoredMemory memory() {
    return memory;
  }

  /** What all of them take of the heap at most, {@link RuleWeight#heapBytes}. */
  long heapBytes() {
    return countedBytes;
  }

  /** What all of them weigh. */
  long ruleWeight() {
    return ruleWeight;
  }

  /** How many rules of its subscriptions have SQL filters. */
  int sqlFilters() {
    return table.sqlFilters();
  }

  /** How many have correlation filters. */
  int correlationFilters() {
    return table.correlationFilters();
  }

  /** The rule of a number that matched. */
  Owned owner(int number) {
    return Invariant.present(owners.get(number), "only rules here match");
  }

  /** Which rules match; good until the next call. */
  RuleMatches match(FilterSubject subject, long seed) {
    table.match(subject, seed, matches);
    return matches;
  }

  /** How many steps saying so took for the last message. */
  long stepsTaken() {
    return table.stepsTaken();
  }

  /** Of all subscriptions and their dead letters (S-056, S-187). */
  long bytes() {
    long bytes = 0;
    for (SubscriptionState each : subscriptions) {
      bytes += each.queue().quotaBytes();
    }
    return bytes;
  }
}
