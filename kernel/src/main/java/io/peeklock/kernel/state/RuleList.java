package io.peeklock.kernel.state;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RulePage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a subscription, in order of addition and in order of their keys. There may be a
 * hundred thousand: a page costs what it has, and a rule that comes or goes moves references.
 *
 * @param <S> whose rules they are, the state of a subscription, which itself knows its rules
 */
final class RuleList<S> {
  private static final Comparator<Numbered> BY_KEY = Comparator.comparing(Numbered::key);

  private List<Numbered> added = new ArrayList<>();
  private List<Numbered> byKey = new ArrayList<>();
  private RuleTally tally = new RuleTally();
  private @Nullable S owner;

  /** A rule, its key, and the number that it has in its topic's table: later ones have larger. */
  record Numbered(int number, String key, Rule rule) {}

  /** None so far. */
  RuleList(S owner) {
    this.owner = owner;
  }

  /** For whom they select; null for nobody any more. */
  @Nullable S owner() {
    return owner;
  }

  /** They select for another one, as he is made again. */
  void moveTo(S newOwner) {
    owner = newOwner;
  }

  /** They select for nobody; what is left is to be let go. */
  void leave() {
    owner = null;
    byKey = new ArrayList<>();
    tally = new RuleTally();
  }

  /** Takes the last one that was added, of some, after they have left. */
  Numbered takeLast() {
    return added.removeLast();
  }

  /** How many of each kind there are. */
  RuleTally tally() {
    return tally;
  }

  int size() {
    return added.size();
  }

  /** In order of addition. */
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

  /** Where a name is in order of names, or would be. */
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

  /** Where a key is; below 0 when it is not there. */
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

  /** Adds one whose key is not there, with a number above all others. */
  void add(int number, Rule rule) {
    Numbered one = new Numbered(number, rule.key(), rule);
    added.add(one);
    tally.add(rule);
    byKey.add(~place(one.key()), one);
  }

  /** Removes one; null when it is not there. */
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

  /** Has these and no others, in order of addition; no two with one key. */
  void replace(List<Numbered> all) {
    added = new ArrayList<>(all);
    tally = new RuleTally();
    all.forEach(one -> tally.add(one.rule()));
    byKey = new ArrayList<>(all);
    byKey.sort(BY_KEY);
  }
}
