package io.peeklock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The YAML file: what it can say, and that it is read strictly. */
class ConfigFileTest {
  private @TempDir Path folder;

  @Test
  void everySettingAndQueuesCanBeSaid() throws Exception {
    var settings =
        read(
            """
            # a broker for one team
            data: /srv/peeklock
            disk-reserve-megabytes: 512
            checkpoint-megabytes: 64
            port: 0
            bind: 0.0.0.0
            profile: standard
            allow-plaintext: true
            tls-certificate: c.pem
            tls-key: k.pem
            queues:
              orders:
                LockDuration: PT30S
                maxdeliverycount: 5
              invoices:
              returns: {}
            """);

    assertThat(settings.data()).isEqualTo(Path.of("/srv/peeklock"));
    assertThat(settings.diskReserveBytes()).isEqualTo(512L << 20);
    assertThat(settings.checkpointBytes()).isEqualTo(64L << 20);
    assertThat(settings.address().getPort()).isZero();
    assertThat(settings.profile()).isEqualTo(Profile.STANDARD);
    assertThat(settings.allowPlaintext()).isTrue();
    assertThat(settings.tls())
        .isEqualTo(new ServerSettings.TlsFiles(Path.of("c.pem"), Path.of("k.pem")));
    assertThat(settings.definitions())
        .extracting(queue -> queue.path() + " " + queue.maxDeliveryCount())
        .containsExactly("orders 5", "invoices 10", "returns 10");
  }

  @Test
  void budgetsAreAMappingOrAsOnTheCommandLine() throws Exception {
    var one = Map.of("transfers", 64L << 20, "replies", 16L << 20);

    assertThat(read("limits:\n  transfers: 64\n  replies: 16\n").budgets()).isEqualTo(one);
    assertThat(read("limits: transfers=64,replies=16\n").budgets()).isEqualTo(one);
    assertThat(read("limits:\n").budgets()).isEmpty();
    assertThat(read("limits: {}\n").budgets()).isEmpty();
    assertThatThrownBy(() -> read("port: 0\nlimits:\n  replys: 16\n"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "line 2: limits: there is no budget \"replys\" (did you mean replies?)");
    assertThatThrownBy(() -> read("limits: [1]\n"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("limits should hold budgets and MiB, such as transfers: 64");
  }

  @Test
  void aBudgetThatTheCommandLineDoesNotNameIsAsTheFileSays() throws Exception {
    var settings = read("limits:\n  transfers: 64\n  replies: 16\n", "--limits=replies=8,links=4");

    assertThat(settings.budgets())
        .isEqualTo(Map.of("transfers", 64L << 20, "replies", 8L << 20, "links", 4L << 20));
  }

  @Test
  void anOptionWinsOverTheFileAndItsQueuesAreAdded() throws Exception {
    var settings = read("in-memory: true\nport: 1\nqueues:\n  a:\n", "--port", "2", "--queue", "b");

    assertThat(settings.address().getPort()).isEqualTo(2);
    assertThat(settings.data()).isNull();
    assertThat(settings.definitions()).extracting(queue -> queue.path()).containsExactly("a", "b");
  }

  @Test
  void aDataFolderOnTheCommandLineWinsOverMemoryInTheFile() throws Exception {
    var settings = read("in-memory: true\n", "--data", "d");

    assertThat(settings.data()).isEqualTo(Path.of("d"));
  }

  @ParameterizedTest
  @CsvSource({"''", "'# nothing\n'", "'---\n'", "'queues:\n'"})
  void aFileThatSaysNothingIsFine(String text) throws Exception {
    assertThat(read(text).definitions()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`port: 1\nprot: 2\n` | line 2: there is no key \"prot\" (did you mean port?)",
        "`queue:\n  a:\n` | line 1: there is no key \"queue\" (did you mean queues?)",
        "`port: 1\nport: 2\n` | line 2: Duplicate field 'port'",
        "`port: x\n` | line 1: port: \"x\" is not a whole number",
        "`port:\n` | line 1: port should have one value",
        "`port: [1]\n` | line 1: port should have one value",
        "`profile: lax\n` | line 1: profile: there is no profile \"lax\"",
        "`- a\n` | line 1: the file should hold keys and values",
        "`queues: a\n` | line 1: queues should hold names",
        "`queues:\n  - a\n` | line 2: queues should hold names",
        "`queues:\n  a: b\n` | line 2: queue a should hold properties",
        "`queues:\n  a:\n    LockDuratoin: PT5S\n` | line 3: queue a: there is no property",
        "`queues:\n  a:\n    LockDuration: 5\n` | line 3: queue a, LockDuration: \"5\" is not",
        "`queues:\n  a?b:\n` | line 2: the queue name \"a?b\" holds a character",
        "`topics:\n  t:\n    LockDuration: PT5S\n` | line 3: topic t: there is no property",
        "`topics:\n  t:\n    subscriptions: 5\n` | line 3: subscriptions should hold names",
        "`topics:\n  t:\n    subscriptions:\n      s:\n        rules:\n          r:\n            filtre: a\n` | line 7: a rule has no key \"filtre\" (did you mean filter?)",
        "`topics:\n  t:\n    subscriptions:\n      s:\n        rules:\n          r:\n            filter: a =\n` | line 6: rule r: its filter is wrong: line 1, column",
        "`port: 1\n  bind: x\n` | line 2: ",
        "`port: 1\n---\nport: 2\n` | line 3: a second document begins here",
      })
  void whatCannotBeIsRefusedWithItsLine(String text, String sentence) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(folder.resolve("peeklock.yaml") + ", line ")
        .hasMessageContaining(sentence)
        .extracting(Throwable::getMessage)
        .asString()
        .doesNotContain("\n");
  }

  private ServerSettings read(String text, String... options) throws IOException {
    var file = Files.writeString(folder.resolve("peeklock.yaml"), text);
    var arguments = new ArrayList<>(List.of(options));
    arguments.add("--config");
    arguments.add(file.toString());
    return ServeOptions.read(arguments);
  }
}
