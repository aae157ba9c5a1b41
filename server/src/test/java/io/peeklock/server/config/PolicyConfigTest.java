package io.peeklock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.proof.Rule;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.access.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The policies of namespaces, as the file names them. */
class PolicyConfigTest {
  private static final String LONG = "Canary7Qx-which-has-more-than-32-bytes";

  @TempDir Path folder;

  private ServerSettings read(String text, String... options) throws IOException {
    var all = new ArrayList<>(List.of(options));
    all.add("--config=" + Files.writeString(folder.resolve("c.yaml"), text));
    return ServeOptions.read(all);
  }

  @Test
  @Rule({"S-470", "S-471", "S-468"})
  void aPolicyHasRightsAndOneKeyOrTwo() throws IOException {
    var settings =
        read(
            """
            policies:
              seller: {rights: Send, primary-key: a, secondary-key: b}
              boss: {rights: "listen, SEND, Manage", primary-key: c}
            """);

    assertThat(settings.policies())
        .containsExactly(
            new Policy("seller", "", Secret.of("a"), Secret.of("b"), Set.of(Right.SEND)),
            new Policy("boss", "", Secret.of("c"), Secret.of("c"), Set.of(Right.values())));
    assertThat(read("queues:\n").policies()).isEmpty();
    assertThat(settings.policies().toString()).contains("hidden").doesNotContain("=a,", "=c,");
  }

  @ParameterizedTest
  @Rule({"S-470", "S-471", "S-441"})
  @ValueSource(
      strings = {
        "p: {rights: Own, primary-key: Canary7Qx} | rights should be some of Send",
        "p: {primary-key: Canary7Qx} | rights should be some of Send",
        "p: {rights: 'Manage,Send', primary-key: Canary7Qx} | Manage must come with Send and Listen",
        "p: {rights: Send} | primary-key should have 1 to 256",
        "p: {rights: Send, key: Canary7Qx} | a policy has no key \"key\"",
        "RootManageSharedAccessKey: {rights: Send, primary-key: Canary7Qx} | in the data folder",
        "{p: {rights: Send, primary-key: a}, P: {rights: Send, primary-key: b}} | named twice",
        "5 | policies should hold names",
      })
  void whatIsNoPolicyIsRefusedWithoutItsKey(String given) {
    var parts = given.split(" \\| ", -1);
    var all = parts[0].startsWith("{") || parts[0].equals("5") ? parts[0] : "{" + parts[0] + "}";

    assertThatThrownBy(() -> read("policies: " + all + "\n"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(parts[1])
        .hasMessageNotContaining("Canary7Qx");
  }

  @Test
  @Rule("S-441")
  void aNamespaceHasTwelveInAll() throws IOException {
    var eleven =
        IntStream.range(0, 11)
            .mapToObj(i -> "p" + i + ": {rights: Send, primary-key: k}")
            .collect(Collectors.joining(", "));

    assertThat(read("policies: {" + eleven + "}\n").policies()).hasSize(11);
    assertThatThrownBy(() -> read("policies: {" + eleven + ", x: {rights: Send, primary-key: k}}"))
        .hasMessageContaining("at most 11 beside its first");
  }

  @Test
  @Rule("S-470")
  void otherMachinesMustNotGuessAKey() throws IOException {
    var policy = "policies: {p: {rights: Send, primary-key: %s}}\n";
    var options = new String[] {"--bind=0.0.0.0", "--allow-plaintext"};

    assertThatThrownBy(() -> read(policy.replace("%s", "Canary7Qx"), options))
        .hasMessageContaining("primary-key is shorter than 32 bytes")
        .hasMessageNotContaining("Canary7Qx");
    assertThat(read(policy.replace("%s", LONG), options).policies()).hasSize(1);
    assertThat(read(policy.replace("%s", "x"), "--bind=0.0.0.0", "--profile=emulator").policies())
        .hasSize(1);
  }
}
