package io.peeklock.conformance.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.fasterxml.jackson.databind.JsonNode;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Command;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.PlainHttp;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rules for Prometheus and the dashboard for Grafana, compared with the page of a broker to
 * which everything has happened that they ask for.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringTest {
  /** A counter appears with its first event, and no test of a sound disk brings this one about. */
  private static final Set<String> NOT_BROUGHT_ABOUT = Set.of("peeklock_errors_server_total");

  private static final Pattern METRIC = Pattern.compile("\\b(?:peeklock|jvm|process)_\\w+");
  private static final Pattern SELECTOR =
      Pattern.compile("\\b((?:peeklock|jvm|process)_\\w+)\\{([^}]*)}");
  private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*[!=]~?\\s*\"");

  /** Labels that Prometheus gives, or that a broker with several namespaces has. */
  private static final Set<String> OF_OTHERS = Set.of("job", "instance", "namespace");

  private final BrokerProcess broker =
      BrokerProcess.withQueues(
          Folders.fresh("monitoring"), "orders,LockDuration=PT1S", "full,MaxSizeInMegabytes=1");
  private String page = "";

  @BeforeAll
  void letThingsHappen() throws IOException {
    settleInEveryWay();
    fill();
    page = PlainHttp.ask(broker.port(), "GET", "/metrics", "", "");
  }

  @AfterAll
  void stop() {
    broker.close();
  }

  private void settleInEveryWay() {
    var connection = Sdk.connection(broker.connectionString());
    try (var sender = connection.sender().queueName("orders").buildClient();
        var receiver =
            connection
                .receiver()
                .queueName("orders")
                .maxAutoLockRenewDuration(Duration.ZERO)
                .buildClient()) {
      Stream.of("complete", "abandon", "defer", "bury", "late")
          .forEach(text -> sender.sendMessage(new ServiceBusMessage(text)));
      receiver.complete(TestQueue.next(receiver));
      receiver.abandon(TestQueue.next(receiver));
      receiver.defer(TestQueue.next(receiver));
      receiver.deadLetter(TestQueue.next(receiver));
      var late = TestQueue.next(receiver);
      Patience.until(
          "its lock is over",
          () -> late.getLockedUntil().isBefore(OffsetDateTime.now(ZoneOffset.UTC)));
      assertThatThrownBy(() -> receiver.complete(late)).isInstanceOf(ServiceBusException.class);
    }
  }

  private void fill() {
    try (var sender =
        Sdk.connection(broker.connectionString()).sender().queueName("full").buildClient()) {
      assertThatThrownBy(
              () -> {
                for (var i = 0; i < 20; i++) {
                  sender.sendMessage(new ServiceBusMessage("x".repeat(200_000)));
                }
              })
          .isInstanceOf(ServiceBusException.class);
    }
  }

  private static List<String> alerts() throws IOException {
    var expressions = new ArrayList<String>();
    for (var group : Shipped.yaml(Shipped.text("prometheus/alerts.yml")).path("groups")) {
      for (var rule : group.path("rules")) {
        assertThat(rule.path("alert").asText()).startsWith("Peeklock");
        assertThat(rule.at("/annotations/summary").asText()).isNotBlank();
        expressions.add(rule.path("expr").asText());
      }
    }
    return expressions;
  }

  private static JsonNode dashboard() throws IOException {
    return Shipped.yaml(Shipped.text("grafana/peeklock.json"));
  }

  private static List<String> panels() throws IOException {
    return dashboard().path("panels").findValuesAsText("expr");
  }

  private boolean shows(String metric) {
    return Pattern.compile("(?m)^" + metric + "[ {]").matcher(page).find();
  }

  @Test
  @Rule("S-493")
  void everyMetricThatTheyNameIsOnThePage() throws IOException {
    var told = Files.readString(Folders.module().resolveSibling("docs/guide/metrics.md"));
    var variables = dashboard().at("/templating/list").findValuesAsText("query");
    var named =
        Stream.of(alerts(), panels(), variables)
            .flatMap(List::stream)
            .flatMap(text -> METRIC.matcher(text).results())
            .map(found -> found.group())
            .distinct()
            .toList();

    assertThat(named).hasSizeGreaterThan(30).containsAll(NOT_BROUGHT_ABOUT);
    assertThat(told).contains(NOT_BROUGHT_ABOUT);
    assertThat(named).filteredOn(name -> !NOT_BROUGHT_ABOUT.contains(name)).allMatch(this::shows);
  }

  @Test
  @Rule("S-493")
  void everyLabelThatTheySelectByIsThere() throws IOException {
    var selectors =
        Stream.concat(alerts().stream(), panels().stream())
            .flatMap(text -> SELECTOR.matcher(text).results())
            .filter(selector -> !NOT_BROUGHT_ABOUT.contains(selector.group(1)))
            .toList();

    assertThat(selectors).hasSizeGreaterThan(20);
    for (var selector : selectors) {
      assertThat(LABEL.matcher(selector.group(2)).results().map(label -> label.group(1)))
          .filteredOn(label -> !OF_OTHERS.contains(label))
          .allMatch(label -> hasLabel(selector.group(1), label), selector.group());
    }
  }

  private boolean hasLabel(String metric, String label) {
    return Pattern.compile("(?m)^" + metric + "\\{(?:[^}]*,)?" + label + "=\"")
        .matcher(page)
        .find();
  }

  @Test
  void panelsHaveTitlesIdsAndPlacesOfTheirOwn() throws IOException {
    var panels = dashboard().path("panels");
    var ids = panels.findValuesAsText("id");

    assertThat(ids).doesNotHaveDuplicates().hasSizeGreaterThan(20);
    assertThat(panels.findValuesAsText("title")).hasSameSizeAs(ids).doesNotHaveDuplicates();
    assertThat(panels.findValues("gridPos").stream().map(JsonNode::toString))
        .doesNotHaveDuplicates();
  }

  @Test
  void promtoolTakesTheRules() {
    Shipped.need("promtool");

    var said =
        Command.run(
            List.of(
                "promtool", "check", "rules", Shipped.file("prometheus/alerts.yml").toString()));

    assertThat(said.exitCode()).as(said.said()).isZero();
    assertThat(said.said()).contains("SUCCESS");
  }

  @Test
  void promtoolTakesWhatThePanelsAsk(@TempDir Path folder) throws IOException {
    Shipped.need("promtool");
    var rules = new StringBuilder("groups: [{name: panels, rules: [");
    var number = 0;
    for (var expression : panels()) {
      var plain = expression.replace("$__rate_interval", "1m");
      rules
          .append("{record: panel")
          .append(number++)
          .append(", expr: '")
          .append(plain)
          .append("'},");
    }
    var file = Files.writeString(folder.resolve("panels.yml"), rules.append("]}]"));

    var said = Command.run(List.of("promtool", "check", "rules", file.toString()));

    assertThat(said.exitCode()).as(said.said()).isZero();
  }
}
