package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.runtime.Catalogue;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files for the vendor's emulator in the shapes in which people have them: each starts a broker
 * with all that it names, or ends the start with a sentence. {@code expected.txt} has a line for
 * each: its entities, and how many rules the subscriptions of a topic have; or words of the
 * sentence.
 */
@Timeout(120)
class ConfigCorpusTest {
  private static final Path FOLDER = folder();

  private static Path folder() {
    try {
      var here = Objects.requireNonNull(ConfigCorpusTest.class.getResource("corpus/expected.txt"));
      return Objects.requireNonNull(Path.of(here.toURI()).getParent());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static List<Path> taken() {
    return files(FOLDER);
  }

  static List<Path> refused() {
    return files(FOLDER.resolve("refused"));
  }

  private static String expected(Path file) throws IOException {
    var name = FOLDER.relativize(file) + ": ";
    return Files.readAllLines(FOLDER.resolve("expected.txt"), StandardCharsets.UTF_8).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("expected.txt says nothing of " + name));
  }

  private static PeeklockServer start(Path file) throws IOException {
    return PeeklockServer.start(
        ServeOptions.read(List.of("--in-memory", "--port=0", "--config=" + file)));
  }

  private static String told(Catalogue catalogue) {
    return String.join(
        ", ", catalogue.queues().values().stream().map(ConfigCorpusTest::told).sorted().toList());
  }

  private static String told(Catalogue.Entry entry) {
    return entry.rules() == 0
        ? entry.definition().path()
        : entry.definition().path() + " with " + entry.rules() + " rules";
  }

  @ParameterizedTest
  @MethodSource("taken")
  void whatItNamesIsThere(Path file) throws Exception {
    try (var server = start(file)) {
      assertThat(told(server.catalogue())).isEqualTo(expected(file));
    }
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatCannotBeIsSaidWithItsPlace(Path file) throws Exception {
    var words = expected(file);

    assertThatThrownBy(() -> start(file).close())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(words)
        .hasMessageNotContaining("Exception");
  }

  @ParameterizedTest
  @CsvSource({
    "every-property.json, invoices, 60000, 3600000, 3, false, 0",
    "every-property.json, events/Subscriptions/billing, 60000, 3600000, 3, false, 0",
    "one-queue.json, work, 60000, 3600000, 3, false, 0",
    "null-properties.json, a, 60000, 3600000, 3, false, 0",
    "numbers-as-texts.json, a, 60000, 3600000, 10, true, 0",
    "durations.json, a, 300000, 1800000, 3, false, 0",
    "durations.json, b, 60000, 3600000, 3, false, 0",
    "durations.json, c, 90000, 3600000, 3, false, 0",
    "lower-case-keys.json, orders, 30000, 3600000, 10, false, 0",
    "properties-beside.json, a, 30000, 3600000, 7, false, 0",
    "trailing-commas.json, orders, 60000, 3600000, 5, false, 0",
    "comments.json, orders, 30000, 3600000, 3, false, 0",
    "sessions.json, t/Subscriptions/ordered, 60000, 3600000, 3, true, 0",
    "duplicate-detection.json, a, 60000, 3600000, 3, false, 300000",
    "short-window.json, a, 60000, 3600000, 3, false, 20000",
    "window-without-detection.json, a, 60000, 3600000, 3, false, 0"
  })
  void itHasTheProperties(
      String file, String path, long lock, long life, int deliveries, boolean session, long window)
      throws Exception {
    try (var server = start(FOLDER.resolve(file))) {
      var made = Objects.requireNonNull(server.catalogue().queue(path)).definition();

      assertThat(made.lockDurationMillis()).isEqualTo(lock);
      assertThat(made.defaultTimeToLiveMillis()).isEqualTo(life);
      assertThat(made.maxDeliveryCount()).isEqualTo(deliveries);
      assertThat(made.requiresSession()).isEqualTo(session);
      assertThat(made.duplicateWindowMillis()).isEqualTo(window);
    }
  }

  @Test
  void thereAreShapesOfManyKinds() {
    assertThat(taken()).hasSizeGreaterThanOrEqualTo(30);
    assertThat(refused()).hasSizeGreaterThanOrEqualTo(10);
  }
}
