package io.peeklock.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What makes a rule, or another one in its place. */
abstract class RuleCommand implements Callable<Integer> {
  private static final Map<String, String> CORRELATED = correlated();

  @Mixin private AdministrationOption administration = new AdministrationOption();

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "What it is called: TOPIC/SUBSCRIPTION/RULE.")
  private String name = "";

  @Option(
      names = "--filter",
      paramLabel = "SQL",
      description = "Selects messages, as in \"price > 100\" (default: selects all).")
  private @Nullable String filter;

  @Option(
      names = "--correlation",
      paramLabel = "PROPERTY=TEXT",
      description = {
        "Selects messages that have this property: CorrelationId, MessageId, To, ReplyTo,",
        "Label, SessionId, ReplyToSessionId or ContentType. May be repeated."
      })
  private Map<String, String> correlation = new LinkedHashMap<>();

  @Option(
      names = "--action",
      paramLabel = "SQL",
      description = "Changes the copies, as in \"SET seen = 1\".")
  private @Nullable String action;

  private static Map<String, String> correlated() {
    var names = new TreeMap<String, String>();
    for (var name :
        List.of(
            "CorrelationId",
            "MessageId",
            "To",
            "ReplyTo",
            "Label",
            "SessionId",
            "ReplyToSessionId",
            "ContentType")) {
      names.put(name.toLowerCase(Locale.ROOT), name);
    }
    return names;
  }

  /** Makes one. */
  @Command(
      name = "create",
      description = "Make a rule.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Create extends RuleCommand {
    @Override
    public Integer call() {
      return put(false);
    }
  }

  /** Puts another in its place. */
  @Command(
      name = "update",
      description = "Put another rule in the place of the one of this name, in one step.",
      sortOptions = false,
      mixinStandardHelpOptions = true)
  static final class Update extends RuleCommand {
    @Override
    public Integer call() {
      return put(true);
    }
  }

  /** Sends it. */
  int put(boolean exists) {
    var path = Noun.RULE.path(name);
    var wanted = wanted();
    try (var api = administration.open()) {
      var now = exists ? api.update(path, wanted) : api.create(path, wanted);
      administration.say("rule " + name + (exists ? " changed" : " made"), now);
    }
    return 0;
  }

  private Description wanted() {
    var wanted = Description.empty(Noun.RULE);
    if (filter != null && !correlation.isEmpty()) {
      throw CliFailure.usage("a rule has one filter: --filter or --correlation");
    }
    if (filter != null) {
      wanted.set("Filter", "SqlFilter", Map.of("SqlExpression", filter));
    } else if (correlation.isEmpty()) {
      wanted.set("Filter", "TrueFilter", Map.of("SqlExpression", "1=1"));
    } else {
      wanted.set("Filter", "CorrelationFilter", properties());
    }
    if (action != null) {
      wanted.set("Action", "SqlRuleAction", Map.of("SqlExpression", action));
    }
    wanted.set("Name", name.substring(name.lastIndexOf('/') + 1));
    return wanted;
  }

  private Map<String, String> properties() {
    var properties = new LinkedHashMap<String, String>();
    correlation.forEach(
        (given, text) -> {
          var known = CORRELATED.get(given.toLowerCase(Locale.ROOT));
          if (known == null) {
            throw CliFailure.usage(
                "--correlation knows "
                    + String.join(", ", CORRELATED.values())
                    + ", not "
                    + given
                    + Nearest.hint(given, CORRELATED.values()));
          }
          properties.put(known, text);
        });
    return properties;
  }

  /** The filter of a rule in a few words. */
  static String filter(Description rule) {
    return part(rule, "Filter");
  }

  /** The action of a rule in a few words. */
  static String action(Description rule) {
    return rule.type("Action").equals("EmptyRuleAction") ? "" : part(rule, "Action");
  }

  private static String part(Description rule, String name) {
    if (!(rule.fields().get(name) instanceof Map<?, ?> fields)) {
      return "";
    }
    var sql = fields.get("SqlExpression");
    if (sql != null) {
      return sql.toString();
    }
    var texts = new StringBuilder();
    fields.forEach(
        (field, text) -> {
          if (!"type".equals(field)) {
            texts.append(texts.isEmpty() ? "" : ", ").append(field).append('=').append(text);
          }
        });
    return texts.toString();
  }
}
