package io.peeklock.codec;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlExpression;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.filter.SystemProperty;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules as fields: filters and actions are stored as the texts and values that clients gave. */
final class RuleCodec {
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int CORRELATION = 3;
  private static final int SQL = 4;

  /** In front of a filter, where a rule has attributes. */
  private static final int ATTRIBUTES = 5;

  private RuleCodec() {}

  static void write(Rule rule, FactWriter out) {
    out.text(rule.name());
    out.signed(rule.createdAtMillis());
    if (!rule.attributes().isEmpty()) {
      out.oneByte(ATTRIBUTES);
      out.natural(rule.attributes().size());
      for (var attribute : rule.attributes().entrySet()) {
        out.text(attribute.getKey());
        out.text(attribute.getValue());
      }
    }
    switch (rule.filter()) {
      case Filter.True ignored -> out.oneByte(TRUE);
      case Filter.False ignored -> out.oneByte(FALSE);
      case CorrelationFilter correlation -> {
        out.oneByte(CORRELATION);
        write(correlation, out);
      }
      case SqlFilter sql -> {
        out.oneByte(SQL);
        write(sql, out);
      }
    }
    var action = rule.action();
    out.flag(action != null);
    if (action != null) {
      write(action, out);
    }
  }

  private static void write(SqlExpression expression, FactWriter out) {
    out.text(expression.text());
    write(expression.parameters(), out);
  }

  static Rule read(FactReader in) throws UnreadableFact {
    var name = in.text();
    var createdAtMillis = in.signed();
    var attributes = new LinkedHashMap<String, String>();
    var kind = in.oneByte();
    if (kind == ATTRIBUTES) {
      var count = in.count();
      for (var i = 0; i < count; i++) {
        attributes.put(in.text(), in.text());
      }
      kind = in.oneByte();
    }
    return new Rule(name, filter(kind, in), action(in), createdAtMillis, attributes);
  }

  private static Filter filter(int kind, FactReader in) throws UnreadableFact {
    return switch (kind) {
      case TRUE -> new Filter.True();
      case FALSE -> new Filter.False();
      case CORRELATION -> correlation(in);
      case SQL -> done(SqlFilter.parse(in.text(), values(in), FilterLimits.CEILING));
      default -> throw new UnreadableFact("a filter of kind " + kind + " is not known");
    };
  }

  private static @Nullable SqlAction action(FactReader in) throws UnreadableFact {
    return in.flag() ? done(SqlAction.parse(in.text(), values(in), FilterLimits.CEILING)) : null;
  }

  private static <T> T done(Parsed<T> parsed) throws UnreadableFact {
    return switch (parsed) {
      case Parsed.Done<T> done -> done.value();
      case Parsed.Wrong<T> wrong ->
          throw new UnreadableFact("a stored rule is not understood: " + wrong.problem());
    };
  }

  private static void write(CorrelationFilter filter, FactWriter out) {
    out.natural(filter.system().size());
    for (var entry : filter.system().entrySet()) {
      out.text(entry.getKey().sqlName());
      out.text(entry.getValue());
    }
    write(filter.user(), out);
  }

  private static CorrelationFilter correlation(FactReader in) throws UnreadableFact {
    var system = new LinkedHashMap<SystemProperty, String>();
    var count = in.count();
    for (var i = 0; i < count; i++) {
      var name = in.text();
      var property = SystemProperty.named(name);
      if (property == null) {
        throw new UnreadableFact("a filter asks for a property that messages do not have");
      }
      system.put(property, in.text());
    }
    return done(CorrelationFilter.of(system, values(in)));
  }

  private static void write(Map<String, FilterValue> values, FactWriter out) {
    out.natural(values.size());
    for (var entry : values.entrySet()) {
      out.text(entry.getKey());
      ValueCodec.write(entry.getValue(), out);
    }
  }

  private static Map<String, FilterValue> values(FactReader in) throws UnreadableFact {
    var values = new LinkedHashMap<String, FilterValue>();
    var count = in.count();
    for (var i = 0; i < count; i++) {
      values.put(in.text(), ValueCodec.read(in));
    }
    return values;
  }
}
