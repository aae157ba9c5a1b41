package io.peeklock.conformance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Command;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart for Kubernetes: what can be read of it, and where there is Helm, what it renders. */
class HelmTest {
  private static final String CHART = "helm/peeklock";
  private static final String KEY = "a-root-key-of-at-least-thirty-two-bytes";
  private static final Pattern VALUE = Pattern.compile("\\.Values\\.([\\w.]+)");
  private static final String[] EVERYTHING = {
    "config.queues.orders.MaxDeliveryCount=7",
    "config.topics.events.subscriptions.audit=null",
    "env.PEEKLOCK_LOG_FORMAT=json",
    "serviceMonitor.enabled=true",
    "prometheusRule.enabled=true",
    "service.annotations.who=me",
    "podAnnotations.who=me",
    "podLabels.who=me",
    "serviceMonitor.labels.who=me",
    "prometheusRule.labels.who=me",
    "nodeSelector.disk=ssd",
    "tolerations[0].operator=Exists",
    "imagePullSecrets[0].name=mine",
    "priorityClassName=high",
    "persistence.storageClass=fast"
  };

  private @TempDir Path folder;

  private static JsonNode values() throws IOException {
    return Shipped.yaml(Shipped.text(CHART + "/values.yaml"));
  }

  private static List<Path> templates() throws IOException {
    try (var files = Files.list(Shipped.file(CHART + "/templates"))) {
      return files.toList();
    }
  }

  private static Set<String> named() throws IOException {
    var named = new TreeSet<String>();
    for (var template : templates()) {
      VALUE.matcher(Files.readString(template)).results().forEach(it -> named.add(it.group(1)));
    }
    return named;
  }

  /** The paths of all values that are no objects, or empty ones. */
  private static List<String> leaves(String path, JsonNode node) {
    if (!node.isObject() || node.isEmpty()) {
      return List.of(path);
    }
    return node.properties().stream()
        .flatMap(
            child ->
                leaves(
                    path.isEmpty() ? child.getKey() : path + "." + child.getKey(), child.getValue())
                    .stream())
        .toList();
  }

  @Test
  void eachValueThatTemplatesNameIsThereAndEachThatIsThereIsNamed() throws IOException {
    var values = values();
    var named = named();

    assertThat(named)
        .hasSizeGreaterThan(20)
        .allMatch(name -> !values.at("/" + name.replace('.', '/')).isMissingNode());
    assertThat(leaves("", values))
        .allMatch(leaf -> named.stream().anyMatch(it -> (leaf + ".").startsWith(it + ".")));
  }

  @Test
  void itsRulesAreThoseThatShipForPrometheus() throws IOException {
    assertThat(Shipped.text(CHART + "/alerts.yml"))
        .isEqualTo(Shipped.text("prometheus/alerts.yml"));
  }

  @Test
  void helmFindsNothingToSay() {
    Shipped.need("helm");

    var said =
        helm("lint", "--strict", Shipped.file(CHART).toString(), "--set", "rootKey.value=" + KEY);

    assertThat(said).contains("0 chart(s) failed").doesNotContain("[WARNING]", "[ERROR]");
  }

  @Test
  void aBrokerStartsWithWhatItRenders() throws IOException {
    Shipped.need("helm");
    var rendered = render(Stream.concat(Stream.of("rootKey.value=" + KEY), Stream.of(EVERYTHING)));
    var pod = of(rendered, "StatefulSet").at("/spec/template/spec");
    var container = pod.at("/containers/0");
    var config = folder.resolve("peeklock.yaml");
    Files.writeString(config, of(rendered, "ConfigMap").at("/data/peeklock.yaml").asText());
    var data = Folders.fresh("chart");
    putKey(rendered, pod, data);

    var environment = new TreeMap<String, String>();
    container
        .path("env")
        .forEach(it -> environment.put(it.path("name").asText(), it.path("value").asText()));
    environment.replace("PEEKLOCK_PORT", "0");
    environment.replace("PEEKLOCK_DATA", data.resolve("broker").toString());
    var options = new ArrayList<String>();
    container.path("args").forEach(it -> options.add(it.asText()));
    assertThat(options.removeFirst()).isEqualTo("serve");
    options.replaceAll(it -> it.replace("/etc/peeklock/peeklock.yaml", config.toString()));

    try (var broker = BrokerProcess.startWith(environment, data, options)) {
      for (var probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
        ask(broker, container.path(probe).path("httpGet"));
      }
      assertThat(broker.output().text()).contains("orders").contains("events").doesNotContain(KEY);
      assertThat(data.resolve("broker/namespace-key")).hasContent(KEY);
    }
  }

  /** As the pod's first container does. */
  private void putKey(Map<String, JsonNode> rendered, JsonNode pod, Path data) throws IOException {
    var secret = of(rendered, "Secret").path("stringData");
    Files.writeString(folder.resolve("namespace-key"), secret.path("namespace-key").asText());
    var words = new ArrayList<String>();
    for (var word : pod.at("/initContainers/0/command")) {
      words.add(word.asText().replace("/root-key/", folder + "/").replace("/data/", data + "/"));
    }
    var said = Command.run(words);
    assertThat(said.exitCode()).as(said.said()).isZero();
  }

  private static void ask(BrokerProcess broker, JsonNode probe) {
    assertThat(probe.path("scheme").asText()).isEqualTo("HTTPS");
    var url = "https://localhost:" + broker.port() + probe.path("path").asText();
    // A machine with other work may keep one question waiting for too long.
    Patience.until(url, () -> Program.run("health", "--url", url).exitCode() == 0);
  }

  @Test
  void thePodHasNoRightsAndAReadOnlyRoot() throws IOException {
    Shipped.need("helm");
    var pod = of(render(Stream.empty()), "StatefulSet").at("/spec/template/spec");

    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
    var context = pod.at("/containers/0/securityContext");
    assertThat(context.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(context.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(context.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
    assertThat(pod.path("initContainers").isMissingNode()).isTrue();
  }

  @Test
  void whatSomebodyElseHasMadeIsTaken() throws IOException {
    Shipped.need("helm");
    var rendered =
        render(
            Stream.concat(
                Stream.of("rootKey.existingSecret=mine", "tls.existingSecret=theirs"),
                Stream.of(EVERYTHING)));

    assertThat(rendered).doesNotContainKey("Secret").containsKeys("ServiceMonitor");
    var volumes = of(rendered, "StatefulSet").at("/spec/template/spec/volumes");
    assertThat(volumes.findValuesAsText("secretName")).containsExactly("mine", "theirs");
    var login = of(rendered, "ServiceMonitor").at("/spec/endpoints/0/basicAuth");
    assertThat(login.findValuesAsText("name")).containsExactly("mine", "mine");
    assertThat(of(rendered, "PrometheusRule").at("/spec/groups"))
        .isEqualTo(Shipped.yaml(Shipped.text("prometheus/alerts.yml")).path("groups"));
  }

  /** Renders it; of each kind the first, by its kind. */
  private static Map<String, JsonNode> render(Stream<String> set) {
    var words = new ArrayList<>(List.of("template", "shop", Shipped.file(CHART).toString()));
    set.forEach(each -> words.addAll(List.of("--set", each)));
    var byKind = new TreeMap<String, JsonNode>();
    for (var text : helm(words.toArray(String[]::new)).split("(?m)^---$", -1)) {
      if (!text.isBlank()) {
        var document = parse(text);
        byKind.putIfAbsent(document.path("kind").asText(), document);
      }
    }
    return byKind;
  }

  private static JsonNode of(Map<String, JsonNode> rendered, String kind) {
    return Objects.requireNonNull(rendered.get(kind), kind);
  }

  private static JsonNode parse(String text) {
    try {
      return Shipped.yaml(text);
    } catch (IOException wrong) {
      throw new UncheckedIOException(text, wrong);
    }
  }

  private static String helm(String... words) {
    var command = Command.run(Stream.concat(Stream.of("helm"), Stream.of(words)).toList());
    assertThat(command.exitCode()).as(command.said()).isZero();
    return command.said();
  }
}
