package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The program as a process: what it prints and how it ends. */
@Timeout(300)
class ServeProcessTest {
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void itSaysWhenItIsReadyAndEndsWithZeroOnSigterm() throws Exception {
    var process = serve("--in-memory", "--port", "0", "--queue", "orders");

    var banner = readUntil(process, "Emulator Service is Successfully Up!");
    process.destroy();

    assertThat(banner).anyMatch(line -> line.matches("listening +127\\.0\\.0\\.1:[0-9]+ .*"));
    assertThat(banner).anyMatch(line -> line.matches("queues +orders"));
    assertThat(banner).anyMatch(line -> line.matches("connect +Endpoint=sb://localhost:.*"));
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  @Test
  void aWrongOptionEndsWithTwoAndOneSentence() throws Exception {
    var process = serve("--prot", "0");

    assertThat(errorsOf(process))
        .isEqualTo("peeklock: serve has no option \"--prot\" (did you mean --port?)\n");
    assertThat(process.waitFor()).isEqualTo(2);
  }

  @Test
  void aPortInUseEndsWithOneAndNamesTheProcess() throws Exception {
    var first = serve("--in-memory", "--port", "0");
    var port = portIn(readUntil(first, "Emulator Service is Successfully Up!"));

    var second = serve("--in-memory", "--port", port);

    assertThat(errorsOf(second))
        .startsWith("peeklock: port " + port + " on 127.0.0.1 is in use")
        .hasLineCount(1);
    assertThat(second.waitFor()).isEqualTo(1);
  }

  @Test
  void helpAndVersionArePrinted() throws Exception {
    var help = serve("--help");
    var version = serve("--version");

    assertThat(outputOf(help)).contains("--queue NAME[,Property=value]...");
    assertThat(outputOf(version)).startsWith("peeklock ");
    assertThat(help.waitFor()).isZero();
    assertThat(version.waitFor()).isZero();
  }

  private Process serve(String... options) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<>(List.of(java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xlog:disable"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(PeeklockMain.class.getName(), "serve"));
    command.addAll(List.of(options));
    var process = new ProcessBuilder(command).start();
    started.add(process);
    return process;
  }

  private static List<String> readUntil(Process process, String last) throws IOException {
    var lines = new ArrayList<String>();
    var reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (var line = reader.readLine(); line != null; line = reader.readLine()) {
      lines.add(line);
      if (line.equals(last)) {
        return lines;
      }
    }
    throw new AssertionError("it ended with " + lines + errorsOf(process));
  }

  private static String portIn(List<String> banner) {
    var line = banner.stream().filter(text -> text.startsWith("listening")).findFirst();
    return line.orElseThrow().replaceAll(".*:([0-9]+) .*", "$1");
  }

  private static String outputOf(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String errorsOf(Process process) throws IOException {
    var text = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    // A JDK from 24 on warns about libraries that reach for its inside.
    return text.lines()
        .filter(line -> !line.startsWith("WARNING: "))
        .map(line -> line + "\n")
        .reduce("", String::concat);
  }
}
