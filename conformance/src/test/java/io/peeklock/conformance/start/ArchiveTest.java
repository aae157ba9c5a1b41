package io.peeklock.conformance.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.Command;
import io.peeklock.conformance.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** The archive, unpacked into an empty folder by somebody who has neither Maven nor sources. */
@Isolated
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ArchiveTest {
  private static final String READY = "Emulator Service is Successfully Up!";

  private final Path folder = Folders.fresh("archive");
  private final List<Process> started = new ArrayList<>();
  private Path home = folder;

  @BeforeEach
  void unpack() throws IOException {
    try (var files = Files.list(Folders.module().resolve("../dist/target"))) {
      var archive = files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst();
      Command.must("tar", "xzf", archive.orElseThrow().toString(), "-C", folder.toString());
    }
    try (var unpacked = Files.list(folder)) {
      home = unpacked.findFirst().orElseThrow();
    }
  }

  @AfterEach
  void away() {
    started.forEach(Process::destroyForcibly);
  }

  /** Without any variable of ours, and without Maven on the path. */
  private ProcessBuilder launcher(String... words) {
    var command = new ArrayList<>(List.of(home.resolve("peeklock").toString()));
    command.addAll(List.of(words));
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("PEEKLOCK_"));
    builder.environment().put("PATH", "/usr/bin:/bin");
    builder.environment().put("PEEKLOCK_JAVA", System.getProperty("java.home") + "/bin/java");
    return builder;
  }

  private String said(int exitCode, ProcessBuilder builder) throws Exception {
    var process = builder.start();
    started.add(process);
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(exitCode);
    return said;
  }

  @Test
  void itServesSendsAndReceivesAndIsFasterTheSecondTime() throws Exception {
    assertThat(said(0, launcher("--version"))).startsWith("peeklock ");
    assertThat(said(0, launcher("--help"))).contains("serve").doesNotContain("simulate");

    var first = ready(launcher("serve", "--in-memory", "--port", "0", "--queue", "orders"));

    assertThat(first).contains("making the archive that speeds up the start");
    var sent = launcher("send", "orders", "hello");
    sent.environment().put("PEEKLOCK_CONNECTION", connection(first));
    assertThat(said(0, sent)).contains("accepted");
    var received = launcher("receive", "orders");
    received.environment().put("PEEKLOCK_CONNECTION", connection(first));
    assertThat(said(0, received)).contains("hello");
    assertThat(said(0, launcher("health", "--port", port(first)))).contains("healthy");
    var second = ready(launcher("serve", "--in-memory", "--port", "0"));
    assertThat(second).doesNotContain("making the archive");
    assertThat(folder).isDirectoryNotContaining(file -> file.endsWith("peeklock-data"));
  }

  /** What it printed until it was ready. */
  private String ready(ProcessBuilder builder) throws IOException {
    var process = builder.start();
    started.add(process);
    process.getOutputStream().close();
    var said = new StringBuilder();
    var lines = process.inputReader();
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      said.append(line).append('\n');
      if (line.equals(READY)) {
        return said.toString();
      }
    }
    throw new AssertionError("it was never ready: " + said);
  }

  private static String connection(String said) {
    return after(said, "connect ");
  }

  private static String port(String said) {
    var listening = after(said, "listening ").split(" ", -1)[0];
    return listening.substring(listening.lastIndexOf(':') + 1);
  }

  private static String after(String said, String word) {
    return said.lines()
        .filter(line -> line.startsWith(word))
        .map(line -> line.substring(word.length()).strip())
        .findFirst()
        .orElseThrow();
  }

  /** A library is named there, without its version, whose licence is below or beside that. */
  @Test
  void eachLibraryInItHasItsLicence() throws IOException {
    var named = Files.readString(home.resolve("licences/README.md"));
    var jar = Pattern.compile("(.+?)-[0-9].*\\.jar");
    try (var files = Files.list(home.resolve("lib"))) {
      var libraries =
          files
              .map(file -> jar.matcher(file.getFileName().toString()))
              .filter(Matcher::matches)
              .map(matcher -> matcher.group(1))
              .filter(name -> !name.startsWith("peeklock-"))
              .toList();
      assertThat(libraries).hasSizeGreaterThan(20).allMatch(name -> named.contains(name));
    }
    assertThat(home.resolve("licences/slf4j-api-jar/META-INF/LICENSE.txt")).exists();
    assertThat(home.resolve("licences/LGPL-2.1.txt")).exists();
  }

  @Test
  void itHasWhatItNeedsAndSaysWhatItHasNot() throws Exception {
    assertThat(home.resolve("LICENSE")).exists();
    assertThat(home.resolve("docs/guide/command-line.md")).exists();
    assertThat(home.resolve("deploy/systemd/peeklock.service")).exists();
    assertThat(home.resolve("deploy/prometheus/alerts.yml")).exists();
    assertThat(home.resolve("peeklock.cmd")).content().contains("\r\n");
    assertThat(said(1, launcher("demo"))).contains("demo needs a checkout of the sources");
    assertThat(said(2, launcher("serves"))).contains("no such command: serves");
    assertThat(said(0, launcher("store", "--help"))).contains("verify");
  }
}
