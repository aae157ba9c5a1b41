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

  @Test
  void thereAreShapesOfManyKinds() {
    assertThat(taken()).hasSizeGreaterThanOrEqualTo(30);
    assertThat(refused()).hasSizeGreaterThanOrEqualTo(10);
  }
}
