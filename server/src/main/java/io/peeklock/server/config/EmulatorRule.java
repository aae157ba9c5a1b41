package io.peeklock.server.config;

import com.fasterxml.jackson.core.JsonToken;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.SystemProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the vendor emulator's file. One that cannot be understood ends the start: left out, it
 * would let messages go astray.
 */
final class EmulatorRule {
  private static final String NAME = "Name";
  private static final String PROPERTIES = "Properties";
  private static final String TYPE = "FilterType";
  private static final String SQL = "SqlFilter";
  private static final String CORRELATION = "CorrelationFilter";
  private static final String ACTION = "Action";
  private static final String EXPRESSION = "SqlExpression";

  /** What a rule holds; the last four belong into its properties. */
  static final List<String> NAMES = List.of(NAME, PROPERTIES, TYPE, CORRELATION, SQL, ACTION);

  private static final List<String> OF_PROPERTIES =
      List.of(TYPE, CORRELATION, SQL, ACTION, EXPRESSION);

  private static final List<String> OF_CORRELATION =
      List.of(
          "ContentType",
          "CorrelationId",
          "Label",
          "Subject",
          "MessageId",
          "ReplyTo",
          "ReplyToSessionId",
          "SessionId",
          "To",
          PROPERTIES);

  private final EmulatorObject rule;
  private final EmulatorObject properties;

  private EmulatorRule(EmulatorObject rule) {
    this.rule = rule.warnOfUnknown();
    this.properties = rule.object(PROPERTIES, OF_PROPERTIES).warnOfUnknown();
  }

  /**
   * What is asked for.
   *
   * @throws ConfigurationException when that cannot be told
   */
  static RuleConfig read(EmulatorObject rule) {
    return new EmulatorRule(rule).given();
  }

  private RuleConfig given() {
    var name = rule.text(NAME);
    if (name == null) {
      throw rule.wrong("has no " + NAME);
    }
    var action = expression(ACTION);
    var type = type();
    warnOfOther(type.equals("sql") ? CORRELATION : SQL, type);
    return switch (type) {
      case "true" -> new RuleConfig(name, null, null, action, rule.where());
      case "correlation" ->
          new RuleConfig(name, null, correlation(holder(CORRELATION)), action, rule.where());
      case "sql" -> {
        var filter = expression(SQL);
        if (filter == null && properties.get(EXPRESSION) != null) {
          properties.warn(EXPRESSION, "belongs into " + SQL + ", and is taken");
          filter = properties.text(EXPRESSION);
        }
        if (filter == null) {
          throw holder(SQL).wrong(SQL, "has no " + EXPRESSION);
        }
        yield new RuleConfig(name, filter, null, action, rule.where());
      }
      default -> throw holder(TYPE).wrong(TYPE, "should be Sql or Correlation, not " + said(TYPE));
    };
  }

  /** What kind of filter it is; told by what is there when the type is not said. */
  private String type() {
    var type = said(TYPE);
    if (type != null) {
      var bare = type.strip().toLowerCase(Locale.ROOT).replace("filter", "");
      var near = Nearest.miss(bare, List.of("correlation", "sql", "true"));
      if (near != null && !near.equalsIgnoreCase(type.strip())) {
        holder(TYPE).warn(TYPE, type + " is taken for " + near);
      }
      return near == null ? "" : near;
    }
    var sql = holder(SQL).get(SQL) != null || properties.get(EXPRESSION) != null;
    var correlation = holder(CORRELATION).get(CORRELATION) != null;
    if (sql == correlation) {
      throw properties.wrong(
          "has no " + TYPE + ", and " + (sql ? "filters of both kinds" : "no filter"));
    }
    properties.warn(TYPE, "is missing; the filter that is there is taken");
    return sql ? "sql" : "correlation";
  }

  private void warnOfOther(String other, String type) {
    if (holder(other).get(other) != null) {
      holder(other).warn(other, "is left out, as the type of the filter is " + type);
    }
  }

  private @Nullable String said(String name) {
    return holder(name).text(name);
  }

  /** Where a key stands: in the properties, or astray beside them. */
  private EmulatorObject holder(String name) {
    if (properties.get(name) != null || rule.get(name) == null) {
      return properties;
    }
    return rule;
  }

  /** The SQL of a key: an object with an expression, or nearly that, the expression itself. */
  private @Nullable String expression(String name) {
    var holder = holder(name);
    if (holder.get(name) instanceof JsonPart.Scalar) {
      holder.warn(name, "should be an object with " + EXPRESSION + "; its text is taken for that");
      return holder.text(name);
    }
    return holder.object(name, List.of(EXPRESSION)).warnOfUnknown().text(EXPRESSION);
  }

  private RuleConfig.Correlation correlation(EmulatorObject holder) {
    var filter = holder.object(CORRELATION, OF_CORRELATION).warnOfUnknown();
    var system = new LinkedHashMap<SystemProperty, String>();
    for (var name : OF_CORRELATION) {
      var property = SystemProperty.named(name);
      var value = name.equals(PROPERTIES) ? null : filter.text(name);
      if (property != null && value != null) {
        system.put(property, value);
      }
    }
    return new RuleConfig.Correlation(system, custom(filter));
  }

  private static Map<String, FilterValue> custom(EmulatorObject filter) {
    var custom = new LinkedHashMap<String, FilterValue>();
    var part = filter.get(PROPERTIES);
    if (part == null) {
      return custom;
    }
    if (!(part instanceof JsonPart.Fields fields)) {
      throw filter.wrong(PROPERTIES, "should be an object, in braces");
    }
    for (var field : fields.fields()) {
      if (!(field.part() instanceof JsonPart.Scalar value) || value.isNull()) {
        throw filter.wrong(PROPERTIES, field.key() + " should be a text, number or truth");
      }
      custom.put(field.key(), valueOf(value));
    }
    return custom;
  }

  private static FilterValue valueOf(JsonPart.Scalar value) {
    if (value.kind() == JsonToken.VALUE_TRUE || value.kind() == JsonToken.VALUE_FALSE) {
      return FilterValue.of(value.kind() == JsonToken.VALUE_TRUE);
    }
    if (value.kind() == JsonToken.VALUE_NUMBER_INT && value.text().length() <= 18) {
      return FilterValue.of(Long.parseLong(value.text()));
    }
    return value.kind() == JsonToken.VALUE_STRING
        ? FilterValue.of(value.text())
        : FilterValue.of(Double.parseDouble(value.text()));
  }
}
