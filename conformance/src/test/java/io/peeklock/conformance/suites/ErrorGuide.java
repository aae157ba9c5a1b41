package io.peeklock.conformance.suites;

import io.peeklock.conformance.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code docs/guide/errors.md}: what each client raises for each refusal. The committed page is the
 * expectation; {@code -Dguide.write=true} writes it anew from what the clients raised.
 */
final class ErrorGuide {
  private static final Path PAGE = Path.of("docs/guide/errors.md");
  private static final String MARK = "<!-- written by SuitesTest; -Dguide.write=true -->";

  /** What the broker answers, by case. */
  private static final Map<String, String> CASES = cases();

  private final Map<String, Map<String, String>> columns = new LinkedHashMap<>();

  private static Map<String, String> cases() {
    var lockLost = "`com.microsoft:message-lock-lost`";
    var cases = new LinkedHashMap<String, String>();
    cases.put("unknown-entity-send", "404 at the token, `amqp:not-found` at the link");
    cases.put("unknown-entity-receive", "the same");
    cases.put("wrong-key", "401 at the token");
    cases.put("unknown-policy", "401 at the token");
    cases.put("expired-token", "401 at the token");
    cases.put("message-too-large", "`amqp:link:message-size-exceeded`");
    cases.put("batch-too-large", "the client itself, from the link's limits");
    cases.put("message-id-too-long", "`com.microsoft:argument-out-of-range`");
    cases.put("send-to-dead-letter-queue", "`amqp:not-allowed`");
    cases.put("complete-lock-lost", lockLost);
    cases.put("abandon-lock-lost", lockLost);
    cases.put("defer-lock-lost", lockLost);
    cases.put("dead-letter-lock-lost", lockLost);
    cases.put("renew-lock-lost", "410 " + lockLost);
    cases.put("receive-deferred-unknown", "404 `com.microsoft:message-not-found`");
    cases.put("broker-gone", "nothing");
    return cases;
  }

  /** Takes what a client raised for the cases of the table; the last word counts. */
  void add(String client, List<SuiteReport.Refusal> refusals) {
    var cells = columns.computeIfAbsent(client, unseen -> new TreeMap<>());
    for (var refusal : refusals) {
      if (CASES.containsKey(refusal.name())) { // a suite may note more for its own ends
        cells.put(refusal.name(), cell(refusal));
      }
    }
  }

  private static String cell(SuiteReport.Refusal refusal) {
    if (refusal.type().isEmpty()) {
      return "nothing: the client takes it for success";
    }
    var text = new StringBuilder("`").append(refusal.type()).append('`');
    if (!refusal.code().isBlank()) {
      text.append(" `").append(refusal.code()).append('`');
    }
    if (refusal.isTransient() != null) {
      text.append(refusal.isTransient() ? ", transient" : ", final");
    }
    return text.toString();
  }

  /** What differs from the page, a line each; nothing after the page was written. */
  List<String> differences() throws IOException {
    var page = Folders.module().resolveSibling(PAGE);
    var lines = Files.exists(page) ? Files.readAllLines(page) : List.<String>of();
    var written = read(lines);
    if (Boolean.getBoolean("guide.write")) {
      Files.writeString(page, text(written) + byHand(lines));
      return List.of();
    }
    var differences = new ArrayList<String>();
    columns.forEach(
        (client, cells) ->
            cells.forEach(
                (name, raised) -> {
                  var expected = cell(written, client, name);
                  if (!raised.equals(expected)) {
                    differences.add(
                        client
                            + ", "
                            + name
                            + ": raised "
                            + raised
                            + ", "
                            + PAGE
                            + " says "
                            + expected);
                  }
                }));
    return differences;
  }

  private static String cell(Map<?, ?> written, String client, String name) {
    return written.get(client) instanceof Map<?, ?> cells && cells.get(name) instanceof String text
        ? text
        : "";
  }

  private static Map<String, Map<String, String>> read(List<String> lines) {
    var columns = new LinkedHashMap<String, Map<String, String>>();
    List<String> clients = List.of();
    for (var line : lines) {
      if (line.startsWith("## ")) {
        break;
      }
      if (!line.startsWith("| ")) {
        continue;
      }
      var cells = List.of(line.substring(2, line.length() - 2).split(" \\| ", -1));
      if (clients.isEmpty()) {
        clients = cells;
        continue;
      }
      for (var i = 2; i < cells.size(); i++) {
        columns
            .computeIfAbsent(clients.get(i), unseen -> new TreeMap<>())
            .put(cells.get(0), cells.get(i));
      }
    }
    return columns;
  }

  /** What follows the table, from its first heading on: nothing here writes that. */
  private static String byHand(List<String> lines) {
    var kept = new StringBuilder();
    for (var line : lines) {
      if (line.startsWith("## ") || !kept.isEmpty()) {
        kept.append(kept.isEmpty() ? "\n" : "").append(line).append('\n');
      }
    }
    return kept.toString();
  }

  /** The table; a client that did not run keeps the column that it had. */
  private String text(Map<?, ?> written) {
    var clients = new ArrayList<String>(columns.keySet());
    written.keySet().forEach(old -> addMissing(clients, String.valueOf(old)));
    var page = new StringBuilder(head());
    page.append("| Case | The broker says | ").append(String.join(" | ", clients)).append(" |\n");
    page.append("|---|---|").append("---|".repeat(clients.size())).append('\n');
    CASES.forEach(
        (name, answer) -> {
          page.append("| ").append(name).append(" | ").append(answer).append(" |");
          for (var client : clients) {
            var raised = columns.getOrDefault(client, Map.of()).get(name);
            page.append(' ')
                .append(raised == null ? cell(written, client, name) : raised)
                .append(" |");
          }
          page.append('\n');
        });
    return page.toString();
  }

  private static void addMissing(List<String> clients, String client) {
    if (!clients.contains(client)) {
      clients.add(client);
    }
  }

  private static String head() {
    return """
        # What a client raises when the broker refuses

        For each refusal the class of the error, what tells it from others of that class, and whether the client itself calls
        it worth a retry. An empty cell: the client has no such call, or cannot be brought to make it. The text of every
        refusal of the broker carries a tracking id, which stands in the broker's log too.

        """
        + MARK
        + "\n\n";
  }
}
