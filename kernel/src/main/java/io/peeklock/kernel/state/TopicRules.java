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
 * The rules of all subscriptions of a topic in one table. Those of a subscription that is fed no
 * more count no longer, and select for nobody; but they are here, and take of the heap, until they
 * are let go one by one ({@link LeavingRules}).
 *
 * @param <S> whose rules they are, the state of a subscription, which itself knows its rules
 */
public final class TopicRules<S> {

  private final RuleTable table = new RuleTable();
  private final Map<Integer, Owned<S>> owners = new TreeMap<>();
  private final RuleMatches matches = new RuleMatches();
  private final RuleTally tally = new RuleTally();
  private final StoredMemory memory;
  private int nextRule;
  private long ruleBytes; // beside what they share
  private long countedBytes;
  private boolean isClosed;

  /** A rule, among which rules of whom it is, and its action when it has one. */
  public record Owned<S>(RuleList<S> among, Rule rule, @Nullable ActionRun action) {
    /** Whose it is; null when he is fed no more. */
    public @Nullable S subscription() {
      return among.owner();
    }
  }

  TopicRules(StoredMemory memory) {
    this.memory = memory;
  }

  /** Adds a rule; its number. */
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

  /** These select for nobody any more, and are let go later. */
  void leave(RuleList<S> leaving) {
    tally.remove(leaving.tally());
    leaving.leave();
  }

  /** Forgets a rule that counts no longer. */
  void letGo(RuleList.Numbered gone) {
    table.remove(gone.number());
    owners.remove(gone.number());
    ruleBytes -= RuleWeight.heapBytes(gone.rule());
    count(ruleBytes + table.sharedBytes());
  }

  /** All of them go with their topic, at once. */
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

  /** How many there are of each kind, without those that are still to be let go. */
  public RuleTally tally() {
    return tally;
  }

  /** How many are here, with those. */
  public int size() {
    return table.size();
  }

  /** What all of them take of the heap at most, {@link RuleWeight#heapBytes}, with those. */
  public long heapBytes() {
    return countedBytes;
  }

  /** The rule of a number that matched. */
  public Owned<S> owner(int number) {
    return Invariant.present(owners.get(number), "only rules here match");
  }

  /** Which rules match; good until the next call. */
  public RuleMatches match(FilterSubject subject, long seed) {
    table.match(subject, seed, matches);
    return matches;
  }

  /** How many steps saying so took for the last message. */
  public long stepsTaken() {
    return table.stepsTaken();
  }
}
