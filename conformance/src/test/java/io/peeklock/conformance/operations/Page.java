package io.peeklock.conformance.operations;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.regex.Pattern;

/** A page in the text format of Prometheus, as it was at one moment. */
final class Page {
  private final String text;

  private Page(String text) {
    this.text = text;
  }

  /** Reads the page of a broker on this machine. */
  static Page of(int port) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var answer =
          client.send(
              HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics")).build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException(answer.statusCode() + ": " + answer.body());
      }
      return new Page(answer.body());
    }
  }

  /** The value of a metric of one entity; 0 when it is not there. */
  double of(String metric, String entity) {
    return sum(metric, "entity=\"" + Pattern.quote(entity) + "\"");
  }

  /** The value of a gauge of one entity in one state. */
  double of(String metric, String entity, String state) {
    return sum(metric, "entity=\"" + Pattern.quote(entity) + "\".*state=\"" + state + "\"");
  }

  /** How many active messages of an entity are of some kind. */
  double part(String entity, String part) {
    return sum(
        "peeklock_active_messages",
        "entity=\"" + Pattern.quote(entity) + "\".*part=\"" + part + "\"");
  }

  /** How many deliveries from an entity were such an attempt. */
  double attempts(String entity, String attempt) {
    return sum(
        "peeklock_messages_attempts_total",
        "attempt=\"" + attempt + "\".*entity=\"" + Pattern.quote(entity) + "\"");
  }

  /** The value of a metric without entity. */
  double of(String metric) {
    return sum(metric, "");
  }

  private double sum(String metric, String labels) {
    var line =
        Pattern.compile(
            "(?m)^"
                + metric
                + (labels.isEmpty() ? "(?:\\{[^}]*})?" : "\\{[^}]*" + labels + "[^}]*}")
                + " (\\S+)$");
    return line.matcher(text).results().mapToDouble(it -> Double.parseDouble(it.group(1))).sum();
  }

  /** The names of everything that is on it. */
  String[] names() {
    return Arrays.stream(text.split("\n", -1))
        .filter(line -> line.startsWith("# TYPE "))
        .map(line -> line.split(" ", -1)[2])
        .toArray(String[]::new);
  }
}
