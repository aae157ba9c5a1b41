package io.peeklock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Namespaces on the command line and in the YAML file. */
class NamespacePlanTest {
  private @TempDir Path folder;

  private static ServerSettings options(String... arguments) {
    return ServeOptions.read(List.of(arguments));
  }

  private ServerSettings file(String text, String... options) throws IOException {
    var all = new ArrayList<>(List.of(options));
    all.add("--config=" + Files.writeString(folder.resolve("c.yaml"), text));
    return ServeOptions.read(all);
  }

  @Test
  void anOptionNamesANamespaceWithItsHostsAndPorts() {
    var settings =
        options(
            "--namespace",
            "Tests,Host=queues.example.com,host=b.example.com,Port=6001,Port=0",
            "--namespace=orders");

    assertThat(settings.namespaces())
        .containsExactly(
            new NamespaceSettings(
                "Tests",
                List.of("queues.example.com", "b.example.com"),
                List.of(6001, 0),
                List.of()),
            new NamespaceSettings("orders", List.of(), List.of(), List.of()));
    assertThat(settings.namespaces().getFirst().folder()).isEqualTo("tests");
    assertThat(settings.namespaces().getFirst().localHost()).isEqualTo("tests.localhost");
    assertThat(settings.namespacesFolder()).isEqualTo(Path.of("peeklock-data", "namespaces"));
    assertThat(options("--in-memory").namespacesFolder()).isNull();
  }

  @Test
  void theFileGivesThemEntitiesToo() throws Exception {
    var settings =
        file(
            """
            queues:
              orders:
            namespaces:
              tests:
                hosts: a.example.com, b.example.com
                port: 6001,6002
                queues:
                  orders:
                    MaxDeliveryCount: 5
                  copies:
                    ForwardTo: orders
                topics:
                  events:
                    subscriptions:
                      all:
              empty:
            """);

    assertThat(settings.definitions()).extracting(queue -> queue.path()).containsExactly("orders");
    var tests = settings.namespaces().getFirst();
    assertThat(tests.hosts()).containsExactly("a.example.com", "b.example.com");
    assertThat(tests.ports()).containsExactly(6001, 6002);
    assertThat(tests.entities())
        .extracting(entity -> entity.definition().path())
        .containsExactly("orders", "copies", "events", "events/Subscriptions/all");
    assertThat(tests.entities().getFirst().definition().maxDeliveryCount()).isEqualTo(5);
    assertThat(settings.namespaces().getLast().entities()).isEmpty();
  }

  @Test
  void anOptionChangesHostsAndPortsOfTheFileAndKeepsItsEntities() throws Exception {
    var text = "namespaces:\n  Tests:\n    port: 6001\n    hosts: a.b\n    queues:\n      q:\n";

    var settings = file(text, "--namespace=tests,Port=6002", "--namespace=more");

    assertThat(settings.namespaces())
        .extracting(NamespaceSettings::name)
        .containsExactly("Tests", "more");
    var tests = settings.namespaces().getFirst();
    assertThat(tests.ports()).containsExactly(6002);
    assertThat(tests.hosts()).containsExactly("a.b");
    assertThat(tests.entities()).hasSize(1);
  }

  @Test
  @Rule("S-059")
  void aNameHasAtMostFiftyCharacters() {
    var longest = "n".repeat(50);

    assertThat(options("--namespace=" + longest).namespaces()).hasSize(1);
    assertThatThrownBy(() -> options("--namespace=" + longest + "n"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageEndingWith("the name has more than 50 characters");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1a | --namespace 1a: the name should be letters, digits and hyphens, begin with a",
        "a- | --namespace a-: the name should be",
        "a.b | --namespace a.b: the name should be",
        "../x | --namespace ../x: the name should be",
        "'' | --namespace : the name should be",
        "Default | --namespace Default: the default namespace is called so",
        "localhost | --namespace localhost: the default namespace is called so",
        "a,Port=70000 | --namespace a: ",
        "a,Port=x | --namespace a: ",
        "a,Port=5672 | --namespace a: the port 5672 is named twice",
        "a,Port=7,Port=7 | --namespace a: the port 7 is named twice",
        "a,Host=x y | --namespace a: \"x y\" is not a host name",
        "a,Host= | --namespace a: \"\" is not a host name",
        "a,Host=b.c,Host=B.C | --namespace a: the host \"B.C\" is named twice",
        "a,Hots=b | --namespace a: there is no property \"Hots\" (did you mean Host?); queues",
        "a,5672 | --namespace a: \"5672\" should read Host=NAME or Port=N",
      })
  void whatCannotBeIsRefusedWithTheReason(String option, String start) {
    assertThatThrownBy(() -> options("--namespace", option))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(start);
  }

  @Test
  void twoOfOneNameAreRefusedInOneSource() {
    assertThatThrownBy(() -> options("--namespace=a", "--namespace=A"))
        .hasMessage("--namespace A: it is named twice");
    assertThatThrownBy(() -> options("--namespace=a,Port=7", "--namespace=b,Port=7"))
        .hasMessage("--namespace b: the port 7 is named twice");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "namespaces: x | 1: namespaces should hold names, each followed by a colon",
        "namespaces:\\n  a: x | 2: namespace a should hold queues, topics, policies, hosts or port",
        "namespaces:\\n  a:\\n    host: x | 3: a namespace has no key \"host\" (did you mean hosts?)",
        "namespaces:\\n  a:\\n    port: x | 3: port: ",
        "namespaces:\\n  a:\\n    port: | 3: port should have one value",
        "namespaces:\\n  a-:\\n    port: 1 | 2: namespace a-: the name should be",
        "namespaces:\\n  a:\\n    queues:\\n      q:\\n        MaxDelivery: 1 | 5: queue q: there is no",
        "namespace:\\n  a: | 1: there is no key \"namespace\" (did you mean namespaces?)",
      })
  void theFileIsReadStrictly(String text, String reason) {
    assertThatThrownBy(() -> file(text.replace("\\n", "\n")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("c.yaml, line " + reason);
  }
}
