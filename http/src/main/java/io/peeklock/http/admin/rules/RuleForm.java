package io.peeklock.http.admin.rules;

import io.peeklock.http.admin.atom.AtomWriter;
import io.peeklock.http.admin.atom.Instants;
import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.atom.XmlNamespaces;
import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.SqlAction;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.runtime.naming.EntityNames;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads and writes the description of a rule (admin-http.md 7). */
public final class RuleForm {
  private static final String COMPATIBILITY = "20";

  /** In the order in which they are written; the element is called as SQL calls the property. */
  private static final List<SystemProperty> CORRELATED =
      List.of(
          SystemProperty.CORRELATION_ID,
          SystemProperty.MESSAGE_ID,
          SystemProperty.TO,
          SystemProperty.REPLY_TO,
          SystemProperty.LABEL,
          SystemProperty.SESSION_ID,
          SystemProperty.REPLY_TO_SESSION_ID,
          SystemProperty.CONTENT_TYPE);

  private RuleForm() {}

  /** The name in a description; null when it says none. */
  public static @Nullable String name(XmlNode description) {
    var name = description.child("Name");
    return name == null || name.value().isEmpty() ? null : name.value();
  }

  /**
   * A rule that a client described.
   *
   * @param name the one it is to have, whatever the description says
   * @throws Problem with the place in its filter or action where that is wrong
   */
  public static Rule read(String name, XmlNode description, FilterLimits limits) {
    var wrong = EntityNames.wrongWithRule(name);
    if (!wrong.isEmpty()) {
      throw Problem.bad("The name of a rule " + wrong);
    }
    var filter = filter(description.child("Filter"), limits);
    var action = action(description.child("Action"), limits);
    var attributes = new TreeMap<String, String>();
    Spelling.read("Filter", description.child("Filter"), attributes);
    if (action != null) {
      Spelling.read("Action", description.child("Action"), attributes);
    }
    return new Rule(name, filter, action, 0, attributes);
  }

  private static Filter filter(@Nullable XmlNode given, FilterLimits limits) {
    if (given == null || given.nil()) {
      return new Filter.True();
    }
    return switch (type(given)) {
      case "TrueFilter" -> new Filter.True();
      case "FalseFilter" -> new Filter.False();
      case "SqlFilter" ->
          done(SqlFilter.parse(expression(given), parameters(given), limits), "filter");
      case "CorrelationFilter" -> correlation(given);
      default ->
          throw Problem.bad(
              "The type of a filter must be SqlFilter, TrueFilter, FalseFilter or"
                  + " CorrelationFilter");
    };
  }

  private static @Nullable SqlAction action(@Nullable XmlNode given, FilterLimits limits) {
    if (given == null || given.nil()) {
      return null;
    }
    return switch (type(given)) {
      case "SqlRuleAction" -> {
        var text = expression(given);
        yield text.isBlank()
            ? null
            : done(SqlAction.parse(text, parameters(given), limits), "action");
      }
      case "EmptyRuleAction" -> null;
      default ->
          throw Problem.bad("The type of an action must be SqlRuleAction or EmptyRuleAction");
    };
  }

  private static String type(XmlNode given) {
    return given.type() == null ? "" : given.type();
  }

  private static String expression(XmlNode given) {
    var expression = given.child("SqlExpression");
    return expression == null ? "" : expression.text();
  }

  private static Map<String, FilterValue> parameters(XmlNode given) {
    return values(given.child("Parameters"));
  }

  private static Map<String, FilterValue> values(@Nullable XmlNode given) {
    var values = new LinkedHashMap<String, FilterValue>();
    for (var pair : given == null ? List.<XmlNode>of() : given.children()) {
      var key = pair.child("Key");
      var value = pair.child("Value");
      if (key == null || value == null || key.text().isEmpty()) {
        throw Problem.bad("A property or parameter of a rule needs a Key and a Value");
      }
      values.put(key.text(), TypedValue.read(key.text(), value));
    }
    return values;
  }

  private static <T> T done(Parsed<T> parsed, String what) {
    return switch (parsed) {
      case Parsed.Done<T> done -> done.value();
      case Parsed.Wrong<T> wrong ->
          throw Problem.bad("The " + what + " is wrong: " + wrong.problem());
    };
  }

  private static CorrelationFilter correlation(XmlNode given) {
    var system = new EnumMap<SystemProperty, String>(SystemProperty.class);
    for (var property : CORRELATED) {
      var node = given.child(property.sqlName());
      if (node != null && !node.nil()) {
        system.put(property, node.text());
      }
    }
    return done(CorrelationFilter.of(system, values(given.child("Properties"))), "filter");
  }

  /** Writes the description of a rule. */
  public static void write(Rule rule, AtomWriter out) {
    out.open("RuleDescription")
        .attribute("xmlns", XmlNamespaces.SERVICE_BUS)
        .attribute("xmlns:i", XmlNamespaces.INSTANCE);
    write(rule.filter(), Spelling.of("Filter", rule.attributes()), out);
    var action = rule.action();
    if (action == null) { // never left out: clients look into it
      out.open("Action").attribute("i:type", "EmptyRuleAction").close();
    } else {
      var spelling = Spelling.of("Action", rule.attributes());
      sql("Action", "SqlRuleAction", action.text(), action.parameters(), spelling, out);
    }
    out.element("CreatedAt", Instants.text(rule.createdAtMillis()))
        .element("Name", rule.name())
        .close();
  }

  private static void write(Filter filter, Spelling spelling, AtomWriter out) {
    switch (filter) {
      case Filter.True all -> sql("Filter", "TrueFilter", "1=1", Map.of(), spelling, out);
      case Filter.False none -> sql("Filter", "FalseFilter", "1=0", Map.of(), spelling, out);
      case SqlFilter sql -> sql("Filter", "SqlFilter", sql.text(), sql.parameters(), spelling, out);
      case CorrelationFilter correlation -> write(correlation, spelling, out);
    }
  }

  private static void sql(
      String element,
      String type,
      String text,
      Map<String, FilterValue> parameters,
      Spelling spelling,
      AtomWriter out) {
    out.open(element)
        .attribute("i:type", type)
        .element("SqlExpression", text)
        .element("CompatibilityLevel", COMPATIBILITY);
    values("Parameters", parameters, spelling, out);
    spelling.preprocessing().ifPresent(kept -> out.element(Spelling.PREPROCESSING, kept));
    out.close();
  }

  private static void write(CorrelationFilter filter, Spelling spelling, AtomWriter out) {
    out.open("Filter").attribute("i:type", "CorrelationFilter");
    for (var property : CORRELATED) {
      var text = filter.system().get(property);
      if (text != null) {
        out.element(property.sqlName(), text);
      }
    }
    values("Properties", filter.user(), spelling, out);
    out.close();
  }

  private static void values(
      String element, Map<String, FilterValue> values, Spelling spelling, AtomWriter out) {
    if (values.isEmpty()) {
      return;
    }
    out.open(element);
    values.forEach(
        (key, value) -> {
          out.open("KeyValueOfstringanyType").element("Key", key);
          TypedValue.write(value, spelling.of(key), out);
          out.close();
        });
    out.close();
  }
}
