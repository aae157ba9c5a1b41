package io.peeklock.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who is connected to a broker of ours. */
@Command(
    name = "connections",
    description = "List who is connected over AMQP, in the order in which they came.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "CREDIT is what a receiver asked for beyond what it has, or what a sender may still send;",
      "UNSETTLED is what a receiver has and has not settled.",
      "For example:",
      "  peeklock connections",
      "  peeklock connections --links --output jsonl"
    })
final class ConnectionsCommand implements Callable<Integer> {
  private static final String PATH = "$peeklock/connections";

  @Mixin private AdministrationOption administration = new AdministrationOption();

  @Option(
      names = "--links",
      description = "Each of their links instead, the first 100 of a connection.")
  private boolean links;

  @Override
  public Integer call() {
    var printer = administration.printer();
    if (links) {
      printer.headed("ID", "PEER", "KIND", "ENTITY", "CREDIT", "UNSETTLED");
    } else {
      printer.headed("ID", "PEER", "CLIENT", "POLICIES", "SINCE", "LINKS");
    }
    try (var api = administration.open()) {
      for (var page = page(api, 0); ; page = page(api, number(page.get("next")))) {
        objects(page.get("connections")).forEach(each -> print(each, printer));
        if (page.get("next") == null) {
          printer.end();
          return 0;
        }
      }
    }
  }

  private static Map<String, @Nullable Object> page(AdministrationClient api, long after) {
    return api.json(PATH, "after=" + after + "&");
  }

  private void print(Map<?, ?> connection, Printer printer) {
    if (!links) {
      printer.row(
          fields(connection),
          List.of(
              text(connection, "id"),
              text(connection, "peer"),
              text(connection, connection.get("product") == null ? "container" : "product"),
              words(connection.get("policies")),
              text(connection, "since"),
              text(connection, "linkCount")));
      return;
    }
    for (var link : objects(connection.get("links"))) {
      var fields = new LinkedHashMap<String, @Nullable Object>();
      fields.put("connection", connection.get("id"));
      fields.put("peer", connection.get("peer"));
      fields.putAll(fields(link));
      printer.row(
          fields,
          List.of(
              text(connection, "id"),
              text(connection, "peer"),
              text(link, "kind"),
              text(link, "entity"),
              text(link, "credit"),
              text(link, "unsettled")));
    }
  }

  private static List<? extends Map<?, ?>> objects(@Nullable Object list) {
    return list instanceof List<?> all
        ? all.stream().filter(Map.class::isInstance).<Map<?, ?>>map(Map.class::cast).toList()
        : List.of();
  }

  private static Map<String, @Nullable Object> fields(Map<?, ?> object) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    object.forEach((key, value) -> fields.put(String.valueOf(key), value));
    return fields;
  }

  private static String text(Map<?, ?> object, String key) {
    var value = object.get(key);
    return value == null ? "" : value.toString();
  }

  private static String words(@Nullable Object list) {
    return list instanceof List<?> all
        ? String.join(" ", all.stream().map(String::valueOf).toList())
        : "";
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }
}
