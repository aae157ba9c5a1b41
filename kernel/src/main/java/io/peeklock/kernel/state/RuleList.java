package io.peeklock.kernel.state;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RulePage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a subscription, in order of addition and in order of keys. There may be a hundred
 * thousand: the cost of a page depends on its size, and adding or removing a rule only moves
 * references.
 *
 * @param <S> the owner: the state of a subscription, as a parameter to avoid a circle of classes
 */
final class RuleList<S> {
  private static final Comparator<Numbered> BY_KEY = Comparator.comparing(Numbered::key);

  private List<Numbered> added = new ArrayList<>();
  private List<Numbered> byKey = new ArrayList<>();
  private RuleTally tally = new RuleTally();
  private @Nullable S owner;

  /** A rule, its key, and its number in the topic's table; later rules have larger numbers. */
  record Numbered(int number, String key, Rule rule) {}

  /** Without rules. */
  RuleList(S owner) {
    this.owner = owner;
  }

  /** The owner; null after {@link #leave}. */
  @Nullable S owner() {
    return owner;
  }

  /** Gives the rules to another owner, which replaces the first. */
  void moveTo(S newOwner) {
    owner = newOwner;
  }

  /** Takes the rules from their owner, so that they select nothing; they are released later. */
  void leave() {
    owner = null;
    byKey = new ArrayList<>();
    tally = new RuleTally();
  }

  /** Removes the rule that was added last; only after {@link #leave}. */
  Numbered takeLast() {
    return added.removeLast();
  }

  /** The number of rules of each kind. */
  RuleTally tally() {
    return tally;
  }

  int size() {
    return added.size();
  }

  /** All rules in order of addition. */
  List<Rule> all() {
    return rulesOf(added);
  }

  List<Numbered> numbered() {
    return added;
  }

  List<Rule> some(RulePage page) {
    List<Numbered> all = page.byName() ? byKey : added;
    int from = page.from() == null ? 0 : placeFrom(page.from());
    from += Math.min(page.skip(), all.size() - from);
    int until = from + Math.min(page.most(), all.size() - from);
    return rulesOf(all.subList(from, until));
  }

  /** The position of a name in order of names, or where it would be. */
  private int placeFrom(String name) {
    int at = place(name.toLowerCase(Locale.ROOT));
    return at < 0 ? ~at : at;
  }

  private static List<Rule> rulesOf(List<Numbered> some) {
    return some.stream().map(Numbered::rule).toList();
  }

  @Nullable Rule named(String name) {
    int at = place(name.toLowerCase(Locale.ROOT));
    return at < 0 ? null : byKey.get(at).rule();
  }

  /** The position of a key; below 0 when there is none. */
  private int place(String key) {
    int from = 0;
    int until = byKey.size();
    while (from < until) {
      int middle = (from + until) >>> 1;
      int order = byKey.get(middle).key().compareTo(key);
      if (order == 0) {
        return middle;
      }
      from = order < 0 ? middle + 1 : from;
      until = order < 0 ? until : middle;
    }
    return ~from;
  }

  /** Adds a rule with a new key and a number above all others. */
  void add(int number, Rule rule) {
    Numbered one = new Numbered(number, rule.key(), rule);
    added.add(one);
    tally.add(rule);
    byKey.add(~place(one.key()), one);
  }

  /** Removes the rule of a name; null when there is none. */
  @Nullable Numbered remove(String name) {
    int at = place(name.toLowerCase(Locale.ROOT));
    if (at < 0) {
      return null;
    }
    Numbered removed = byKey.remove(at);
    tally.remove(removed.rule());
    int from = 0;
    int until = added.size();
    while (until - from > 1) {
      int middle = (from + until) >>> 1;
      boolean isBehind = added.get(middle).number() > removed.number();
      from = isBehind ? from : middle;
      until = isBehind ? middle : until;
    }
    added.remove(from);
    return removed;
  }

  /** Replaces all rules, in order of addition; keys must be unique. */
  void replace(List<Numbered> all) {
    added = new ArrayList<>(all);
    tally = new RuleTally();
    all.forEach(one -> tally.add(one.rule()));
    byKey = new ArrayList<>(all);
    byKey.sort(BY_KEY);
  }
}
