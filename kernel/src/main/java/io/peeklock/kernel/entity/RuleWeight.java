package io.peeklock.kernel.entity;

import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import java.util.Map;

/**
 * How much a rule says, in characters of its texts and bytes of its values, and how much of the
 * heap it takes when it is read: some hundred bytes, and up to 60 for a character of a text of many
 * parts. The cloud bounds the texts alone (S-365). Here both are bounded in every profile, for who
 * may add rules must not fill the memory with them; asked when a rule is made, never about one that
 * is there.
 */
public final class RuleWeight {
  /** The most of one rule: its filter and its action may have the longest text there is. */
  public static final int MOST = 3 * 65_536;

  /** The most of all rules of a topic: 160 for each of 100,000 correlation filters (S-365). */
  public static final int MOST_OF_TOPIC = 16_000_000;

  /** How many rules a topic may have, whatever they select. */
  public static final int MOST_RULES = 110_000;

  /** What a value weighs beside its bytes. */
  private static final int VALUE = 16;

  /**
   * What a subscription and its topic keep for each rule: the rule, two entries of maps with what
   * they lead to, two places in lists.
   */
  private static final int PLACES = 224;

  /** A place among those that select all. */
  private static final int ALWAYS = 64;

  /** A string beside its characters, of which each may take two bytes. */
  private static final int STRING = 48;

  private RuleWeight() {}

  /**
   * Bytes of the heap that a rule takes at most, beside what the rules of its topic share: names of
   * application properties, and cells to compute in.
   */
  public static long heapBytes(Rule rule) {
    SqlAction action = rule.action();
    long name = STRING + 2L * rule.name().length();
    long names = rule.key().equals(rule.name()) ? name : 2 * name;
    return PLACES + names + heapBytes(rule.filter()) + (action == null ? 0 : action.heapBytes());
  }

  /** The same for one that shares nothing. */
  public static long mostHeapBytes(Rule rule) {
    return heapBytes(rule)
        + switch (rule.filter()) {
          case SqlFilter sql -> sql.sharedBytes();
          case CorrelationFilter correlation -> correlation.sharedBytes();
          default -> 0;
        };
  }

  private static long heapBytes(Filter filter) {
    return switch (filter) {
      case Filter.True all -> ALWAYS;
      case Filter.False none -> 0;
      case SqlFilter sql -> sql.heapBytes();
      case CorrelationFilter correlation -> correlation.heapBytes();
    };
  }

  /** Of one rule, its name included; from 1. */
  public static int of(Rule rule) {
    SqlAction action = rule.action();
    long weight = rule.name().length() + of(rule.filter());
    weight += action == null ? 0 : action.text().length() + of(action.parameters());
    return (int) Math.min(Integer.MAX_VALUE, weight);
  }

  private static long of(Filter filter) {
    return switch (filter) {
      case Filter.True all -> 0;
      case Filter.False none -> 0;
      case SqlFilter sql -> sql.text().length() + of(sql.parameters());
      case CorrelationFilter correlation -> {
        long weight = of(correlation.user());
        for (String text : correlation.system().values()) {
          weight += text.length();
        }
        yield weight;
      }
    };
  }

  private static long of(Map<String, FilterValue> values) {
    long weight = 0;
    for (Map.Entry<String, FilterValue> entry : values.entrySet()) {
      weight += entry.getKey().length() + VALUE + entry.getValue().length();
    }
    return weight;
  }
}
