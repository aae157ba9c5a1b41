package io.peeklock.kernel.entity;

import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import java.util.Map;

/**
 * The size of a rule, in characters of its texts and bytes of its values, and the heap that it
 * takes once parsed: some hundred bytes, and up to 60 for each character of a text of many parts.
 * The cloud limits the texts alone (S-365). Here both are limited in every profile, so that clients
 * who may add rules cannot fill the memory; checked when a rule is added only.
 */
public final class RuleWeight {
  /** The largest rule: its filter and its action may both have the longest text. */
  public static final int MOST = 3 * 65_536;

  /**
   * The most that all rules of a topic may weigh: 160 for each of 100,000 correlation filters
   * (S-365).
   */
  public static final int MOST_OF_TOPIC = 16_000_000;

  /** The most rules of a topic, of any kind. */
  public static final int MOST_RULES = 110_000;

  /** What a value weighs in addition to its bytes. */
  private static final int VALUE = 16;

  /**
   * What a subscription and its topic keep for each rule: the rule, two entries of maps with what
   * they lead to, two places in lists.
   */
  private static final int PLACES = 224;

  /** A place among the rules that select all. */
  private static final int ALWAYS = 64;

  /** A string without its characters, which may take two bytes each. */
  private static final int STRING = 48;

  /** An entry of the map of attributes with its two strings, and its part of the map. */
  private static final int ATTRIBUTE = 2 * STRING + 160;

  private RuleWeight() {}

  /**
   * The most bytes of heap that a rule takes, without what the rules of its topic share: names of
   * application properties, and cells for computing.
   */
  public static long heapBytes(Rule rule) {
    SqlAction action = rule.action();
    long name = STRING + 2L * rule.name().length();
    long names = rule.key().equals(rule.name()) ? name : 2 * name;
    long kept = 0;
    for (Map.Entry<String, String> attribute : rule.attributes().entrySet()) {
      kept += ATTRIBUTE + 2L * (attribute.getKey().length() + attribute.getValue().length());
    }
    return PLACES
        + names
        + kept
        + heapBytes(rule.filter())
        + (action == null ? 0 : action.heapBytes());
  }

  /** The same for a rule that shares nothing. */
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

  /** The weight of a rule with its name; at least 1. */
  public static int of(Rule rule) {
    SqlAction action = rule.action();
    long weight = rule.name().length() + of(rule.filter());
    weight += action == null ? 0 : action.text().length() + of(action.parameters());
    for (Map.Entry<String, String> attribute : rule.attributes().entrySet()) {
      weight += attribute.getKey().length() + VALUE + attribute.getValue().length();
    }
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
