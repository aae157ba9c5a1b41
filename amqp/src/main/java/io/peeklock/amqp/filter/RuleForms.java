package io.peeklock.amqp.filter;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.filter.SystemProperty;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules as clients send them, plain maps (amqp.md 9.1), and as they read them, lists (9.2). */
public final class RuleForms {
  private static final long RULE_DESCRIPTION = 0x0000_0137_0000_0004L;
  private static final long EMPTY_ACTION = 0x0000_0137_0000_0005L;
  private static final long SQL_ACTION = 0x0000_0137_0000_0006L;
  private static final long SQL_FILTER = 0x0000_0013_7000_0006L;
  private static final long TRUE_FILTER = 0x0000_0013_7000_0007L;
  private static final long FALSE_FILTER = 0x0000_0013_7000_0008L;
  private static final long CORRELATION_FILTER = 0x0000_0013_7000_0009L;
  private static final int COMPATIBILITY = 20;

  /** What stands around the texts of a rule. */
  private static final int BESIDE_BYTES = 192;

  private static final int TEXT_BYTES = 5;

  /** A value beside the bytes of a text: the largest is a decimal. */
  private static final int VALUE_BYTES = 32;

  /** Properties of the message in a correlation filter, in the order of its list form. */
  private static final Map<String, SystemProperty> CORRELATED = correlated();

  private RuleForms() {}

  private static Map<String, SystemProperty> correlated() {
    var names = new LinkedHashMap<String, SystemProperty>();
    names.put("correlation-id", SystemProperty.CORRELATION_ID);
    names.put("message-id", SystemProperty.MESSAGE_ID);
    names.put("to", SystemProperty.TO);
    names.put("reply-to", SystemProperty.REPLY_TO);
    names.put("label", SystemProperty.LABEL);
    names.put("session-id", SystemProperty.SESSION_ID);
    names.put("reply-to-session-id", SystemProperty.REPLY_TO_SESSION_ID);
    names.put("content-type", SystemProperty.CONTENT_TYPE);
    return names;
  }

  /**
   * A rule that a client described.
   *
   * @param description the map of amqp.md 9.1
   * @param limits how large it may be
   * @throws BadRule when it cannot be, with the place in its text where there is one
   */
  public static Rule read(
      String name, Map<String, @Nullable Object> description, FilterLimits limits) throws BadRule {
    if (name.isEmpty() || name.length() > Rule.MAX_NAME) {
      throw new BadRule(
          "The name of a rule has from 1 to "
              + Rule.MAX_NAME
              + " characters, not "
              + name.length());
    }
    return new Rule(
        name, filter(description, limits), action(description.get("sql-rule-action"), limits), 0);
  }

  private static Filter filter(Map<String, @Nullable Object> description, FilterLimits limits)
      throws BadRule {
    var sql = description.get("sql-filter");
    var correlation = description.get("correlation-filter");
    if (sql != null && correlation != null) {
      throw new BadRule("A rule has one filter, not two");
    }
    if (sql != null) {
      var text = expression(sql, "sql-filter");
      return text == null ? new Filter.True() : filterOf(text, limits);
    }
    if (correlation != null) {
      return correlation(map(correlation, "correlation-filter"));
    }
    return new Filter.True();
  }

  /** S-323: the constant texts are what clients send for the true and the false filter. */
  private static Filter filterOf(String text, FilterLimits limits) throws BadRule {
    return switch (text.replace(" ", "")) {
      case "1=1" -> new Filter.True();
      case "1=0" -> new Filter.False();
      default -> done(SqlFilter.parse(text, limits), "filter");
    };
  }

  private static @Nullable SqlAction action(@Nullable Object given, FilterLimits limits)
      throws BadRule {
    var text = given == null ? null : expression(given, "sql-rule-action");
    return text == null ? null : done(SqlAction.parse(text, limits), "action");
  }

  private static @Nullable String expression(Object given, String what) throws BadRule {
    return switch (map(given, what).get("expression")) {
      case null -> null;
      case String text -> text.isBlank() ? null : text;
      default -> throw new BadRule("'expression' of '" + what + "' must be a string");
    };
  }

  private static <T> T done(Parsed<T> parsed, String what) throws BadRule {
    return switch (parsed) {
      case Parsed.Done<T> done -> done.value();
      case Parsed.Wrong<T> wrong ->
          throw new BadRule("The " + what + " is wrong: " + wrong.problem());
    };
  }

  private static CorrelationFilter correlation(Map<String, @Nullable Object> given) throws BadRule {
    var system = new EnumMap<SystemProperty, String>(SystemProperty.class);
    for (var entry : CORRELATED.entrySet()) {
      switch (given.get(entry.getKey())) {
        case null -> {}
        case String text -> system.put(entry.getValue(), text);
        default -> throw new BadRule("'" + entry.getKey() + "' of a filter must be a string");
      }
    }
    var user = new LinkedHashMap<String, FilterValue>();
    var properties = given.get("properties");
    if (properties != null) {
      for (var entry : map(properties, "properties").entrySet()) {
        user.put(entry.getKey(), valueOf(entry.getKey(), entry.getValue()));
      }
    }
    return done(CorrelationFilter.of(system, user), "filter");
  }

  /** By way of its encoding, so that one place knows the types of the wire. */
  private static FilterValue valueOf(String name, @Nullable Object value) throws BadRule {
    var out = Unpooled.buffer();
    AmqpValues.encode(out, value);
    var bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    var wrapped = Unpooled.wrappedBuffer(bytes);
    var into = new FilterValue();
    WireValues.read(new AmqpReader().reset(wrapped, 0, bytes.length), bytes, into);
    return switch (into.type()) {
      case MISSING, OTHER ->
          throw new BadRule(
              "Property '" + name + "' of a filter is of a type that filters do not compare");
      default -> into;
    };
  }

  private static Map<String, @Nullable Object> map(Object value, String what) throws BadRule {
    if (!(value instanceof Map<?, ?> map)) {
      throw new BadRule("'" + what + "' must be a map");
    }
    var texts = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((key, each) -> texts.put(String.valueOf(key), each));
    return texts;
  }

  /** How many bytes {@link #write} takes for these, at most. */
  public static long mostBytes(List<Rule> rules) {
    var bytes = 0L;
    for (var rule : rules) {
      var action = rule.action();
      bytes += BESIDE_BYTES + textBytes(rule.name()) + mostBytes(rule.filter());
      bytes += action == null ? 0 : textBytes(action.text());
    }
    return bytes;
  }

  private static long mostBytes(Filter filter) {
    return switch (filter) {
      case SqlFilter sql -> textBytes(sql.text());
      case CorrelationFilter correlation -> {
        var bytes = 0L;
        for (var text : correlation.system().values()) {
          bytes += textBytes(text);
        }
        for (var entry : correlation.user().entrySet()) {
          bytes += textBytes(entry.getKey()) + VALUE_BYTES + entry.getValue().length();
        }
        yield bytes;
      }
      case Filter.True ignored -> 0;
      case Filter.False ignored -> 0;
    };
  }

  private static long textBytes(@Nullable String text) {
    return text == null ? 0 : TEXT_BYTES + ByteBufUtil.utf8Bytes(text);
  }

  /** Writes a list of rules. */
  public static void write(ByteBuf out, List<Rule> rules) {
    var list = AmqpWriter.beginList(out);
    for (var rule : rules) {
      var map = AmqpWriter.beginMap(out);
      AmqpWriter.writeString(out, "rule-description");
      AmqpWriter.writeDescriptor(out, RULE_DESCRIPTION);
      write(out, rule);
      AmqpWriter.endMap(out, map, 2);
    }
    AmqpWriter.endList(out, list, rules.size());
  }

  private static void write(ByteBuf out, Rule rule) {
    var list = AmqpWriter.beginList(out);
    write(out, rule.filter());
    var action = rule.action();
    if (action == null) { // never null: clients look into it
      AmqpWriter.writeDescriptor(out, EMPTY_ACTION);
      AmqpWriter.endList(out, AmqpWriter.beginList(out), 0);
    } else {
      writeExpression(out, SQL_ACTION, action.text());
    }
    AmqpWriter.writeString(out, rule.name());
    AmqpWriter.writeTimestamp(out, rule.createdAtMillis());
    AmqpWriter.endList(out, list, 4);
  }

  private static void write(ByteBuf out, Filter filter) {
    switch (filter) {
      case Filter.True ignored -> {
        AmqpWriter.writeDescriptor(out, TRUE_FILTER);
        AmqpWriter.endList(out, AmqpWriter.beginList(out), 0);
      }
      case Filter.False ignored -> {
        AmqpWriter.writeDescriptor(out, FALSE_FILTER);
        AmqpWriter.endList(out, AmqpWriter.beginList(out), 0);
      }
      case SqlFilter sql -> writeExpression(out, SQL_FILTER, sql.text());
      case CorrelationFilter correlation -> write(out, correlation);
    }
  }

  private static void writeExpression(ByteBuf out, long descriptor, String text) {
    AmqpWriter.writeDescriptor(out, descriptor);
    var list = AmqpWriter.beginList(out);
    AmqpWriter.writeString(out, text);
    AmqpWriter.writeInt(out, COMPATIBILITY);
    AmqpWriter.endList(out, list, 2);
  }

  private static void write(ByteBuf out, CorrelationFilter filter) {
    AmqpWriter.writeDescriptor(out, CORRELATION_FILTER);
    var list = AmqpWriter.beginList(out);
    for (var property : CORRELATED.values()) {
      AmqpWriter.writeString(out, filter.system().get(property));
    }
    var map = AmqpWriter.beginMap(out);
    for (var entry : filter.user().entrySet()) {
      AmqpWriter.writeString(out, entry.getKey());
      WireValues.write(out, entry.getValue());
    }
    AmqpWriter.endMap(out, map, 2 * filter.user().size());
    AmqpWriter.endList(out, list, CORRELATED.size() + 1);
  }
}
