package io.peeklock.kernel.state;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RuleWeight;
import io.peeklock.kernel.filter.ActionRun;
import io.peeklock.kernel.filter.FilterSubject;
import io.peeklock.kernel.filter.RuleMatches;
import io.peeklock.kernel.filter.RuleTable;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of all subscriptions of a topic in one table. Rules of a deleted subscription no longer
 * count and select nothing, but stay here, and on the heap, until they are released one by one
 * ({@link LeavingRules}).
 *
 * @param <S> the owner of rules: the state of a subscription, as a parameter to avoid a circle of
 *     classes
 */
public final class TopicRules<S> {

  private final RuleTable table = new RuleTable();
  private final Map<Integer, Owned<S>> owners = new TreeMap<>();
  private final RuleMatches matches = new RuleMatches();
  private final RuleTally tally = new RuleTally();
  private final StoredMemory memory;
  private int nextRule;
  private long ruleBytes; // without what they share
  private long countedBytes;
  private boolean isClosed;

  /** A rule, the list of its subscription, and its action if it has one. */
  public record Owned<S>(RuleList<S> among, Rule rule, @Nullable ActionRun action) {
    /** The subscription that it belongs to; null when that is deleted. */
    public @Nullable S subscription() {
      return among.owner();
    }
  }

  TopicRules(StoredMemory memory) {
    this.memory = memory;
  }

  /** Adds a rule, and returns its number. */
  int register(RuleList<S> among, Rule rule) {
    int number = nextRule++;
    table.add(number, rule.filter());
    ActionRun action = rule.action() == null ? null : rule.action().ready();
    owners.put(number, new Owned<>(among, rule, action));
    tally.add(rule);
    ruleBytes += RuleWeight.heapBytes(rule);
    count(ruleBytes + table.sharedBytes());
    return number;
  }

  void unregister(RuleList.Numbered gone) {
    tally.remove(gone.rule());
    letGo(gone);
  }

  /** Makes the rules of a deleted subscription select nothing; they are released later. */
  void leave(RuleList<S> leaving) {
    tally.remove(leaving.tally());
    leaving.leave();
  }

  /** Releases a rule that no longer counts. */
  void letGo(RuleList.Numbered gone) {
    table.remove(gone.number());
    owners.remove(gone.number());
    ruleBytes -= RuleWeight.heapBytes(gone.rule());
    count(ruleBytes + table.sharedBytes());
  }

  /** Releases all rules at once, with their topic. */
  void close() {
    isClosed = true;
    count(0);
  }

  boolean isClosed() {
    return isClosed;
  }

  private void count(long bytes) {
    memory.rulesChanged(bytes - countedBytes);
    countedBytes = bytes;
  }

  /** The number of rules of each kind, without those that are still to be released. */
  public RuleTally tally() {
    return tally;
  }

  /** The number of rules, including those. */
  public int size() {
    return table.size();
  }

  /** The most heap that all rules take, {@link RuleWeight#heapBytes}, including those. */
  public long heapBytes() {
    return countedBytes;
  }

  /** The rule of a number, which matched. */
  public Owned<S> owner(int number) {
    return Invariant.present(owners.get(number), "only rules here match");
  }

  /** Which rules match; good until the next call. */
  public RuleMatches match(FilterSubject subject, long seed) {
    table.match(subject, seed, matches);
    return matches;
  }

  /** How many steps the last match took. */
  public long stepsTaken() {
    return table.stepsTaken();
  }
}
