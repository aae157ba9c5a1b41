package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole broker on the file of the vendor's emulator, again and again on one data folder. */
@Timeout(300)
class EmulatorStartTest {
  private @TempDir Path folder;

  private PeeklockServer start(String queue, String rules, String... options) throws IOException {
    var text =
        "{'UserConfig': {'Namespaces': [{'Queues': [{'Name': 'q', 'Properties': {"
            + queue
            + "}}], 'Topics': [{'Name': 't', 'Subscriptions': [{'Name': 's', 'Rules': ["
            + rules
            + "]}]}]}]}}";
    var file = Files.writeString(folder.resolve("Config.json"), text.replace('\'', '"'));
    var all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--config=" + file, "--port=0", "--data=" + folder.resolve("data")));
    return PeeklockServer.start(ServeOptions.read(all));
  }

  private static String sql(String name, String expression) {
    return "{'Name': '"
        + name
        + "', 'Properties': {'FilterType': 'Sql', 'SqlFilter': {'SqlExpression': '"
        + expression
        + "'}}}";
  }

  private static int deliveries(PeeklockServer server) {
    return Objects.requireNonNull(server.catalogue().queue("q")).definition().maxDeliveryCount();
  }

  private static int rules(PeeklockServer server) {
    return Objects.requireNonNull(server.catalogue().queue("t")).rules();
  }

  @Test
  void whatTheFileSaysOtherwiseIsChangedAtTheNextStart() throws Exception {
    try (var server = start("'MaxDeliveryCount': 5", sql("a", "x=1") + "," + sql("b", "x=2"))) {
      assertThat(deliveries(server)).isEqualTo(5);
      assertThat(rules(server)).isEqualTo(2);
    }
    try (var server = start("'MaxDeliveryCount': 5", sql("a", "x=1") + "," + sql("b", "x=2"))) {
      assertThat(deliveries(server)).isEqualTo(5);
      assertThat(rules(server)).isEqualTo(2);
    }

    try (var server = start("'MaxDeliveryCount': 7", sql("A", "x=1"))) {
      assertThat(deliveries(server)).isEqualTo(7);
      assertThat(rules(server)).isEqualTo(1);
    }
    try (var server = start("", sql("a", "x=9") + "," + sql("c", "x=1") + "," + sql("d", "x=2"))) {
      assertThat(deliveries(server)).isEqualTo(3);
      assertThat(rules(server)).isEqualTo(3);
    }
  }

  @Test
  void whatIsFixedEndsTheStartWithASentence() throws Exception {
    start("'RequiresSession': false", "").close();

    assertThatThrownBy(() -> start("'RequiresSession': true", "").close())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("queue q exists, and RequiresSession cannot be changed");
  }

  @Test
  void theEmulatorMakesAnewWhatCannotBeChanged() throws Exception {
    startWith("", "").close();

    try (var server = startWith("'RequiresSession': true", sql("a", "x=1"))) {
      assertThat(Objects.requireNonNull(server.catalogue().queue("q")).definition())
          .matches(queue -> queue.requiresSession());
    }
    try (var server = startWith("", sql("a", "x=1"), "'RequiresDuplicateDetection': true")) {
      var catalogue = server.catalogue();
      assertThat(Objects.requireNonNull(catalogue.queue("t")).definition().duplicateWindowMillis())
          .isPositive();
      assertThat(Objects.requireNonNull(catalogue.queue("t")).rules()).isEqualTo(1);
      assertThat(catalogue.queue("t/subscriptions/s")).isNotNull();
    }
    try (var server = startWith("", sql("b", "x=2"), "")) {
      assertThat(rules(server)).isEqualTo(1);
      assertThat(deliveries(server)).isEqualTo(3);
    }
  }

  private PeeklockServer startWith(String queue, String rules) throws IOException {
    return startWith(queue, rules, "");
  }

  /** As a container is started, with the emulator's variables. */
  private PeeklockServer startWith(String queue, String rules, String topic) throws IOException {
    var text =
        "{'UserConfig': {'Namespaces': [{'Queues': [{'Name': 'q', 'Properties': {"
            + queue
            + "}}], 'Topics': [{'Name': 't', 'Properties': {"
            + topic
            + "}, 'Subscriptions': [{'Name': 's', 'Rules': ["
            + rules
            + "]}]}]}]}}";
    var variables =
        Map.of(
            "ACCEPT_EULA",
            "Y",
            "CONFIG_JSON",
            text.replace('\'', '"'),
            "PEEKLOCK_PORT",
            "0",
            "PEEKLOCK_DATA",
            folder.resolve("data").toString());
    return PeeklockServer.start(ServeOptions.read(List.of(), variables));
  }

  @Test
  void theBannerHasTheEmulatorsLastLineAndSaysWhatIsInsecure() throws Exception {
    assertThat(banner()).contains("emulator").endsWith("Emulator Service is Successfully Up!\n");
    assertThat(banner()).doesNotContain("INSECURE");
    assertThat(banner("--bind=0.0.0.0"))
        .contains("INSECURE    everybody knows this key")
        .contains("INSECURE    nothing is encrypted");
  }

  private String banner(String... options) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var server = start("", "", options)) {
      Banner.print(server, new PrintStream(out, true, StandardCharsets.UTF_8));
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
