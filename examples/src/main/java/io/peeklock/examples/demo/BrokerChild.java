package io.peeklock.examples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The real program on a folder of its own, started by its launcher and stopped with us. */
final class BrokerChild implements AutoCloseable {
  /** Queues of the scenes, as {@code serve --queue} wants them. */
  static final List<String> QUEUES =
      List.of(
          "transfers",
          "settled-at-once",
          "locks",
          "lapsing,LockDuration=PT5S",
          "overtaken,LockDuration=PT5S",
          "renewed,LockDuration=PT5S",
          "failing,MaxDeliveryCount=3",
          "abandoned",
          "deferred",
          "reasons",
          "taken",
          "jobs,LockDuration=PT5S");

  private static final Pattern PORT = Pattern.compile("Endpoint=sb://[^;/]*:(\\d+)");
  private static final int STOP_SECONDS = 10;

  private final Process process;
  private final Path folder;
  private final int port;

  private BrokerChild(Process process, Path folder, int port) {
    this.process = process;
    this.folder = folder;
    this.port = port;
  }

  /** Starts it and waits until it says that it is ready. */
  static BrokerChild start() throws IOException {
    var folder = Files.createTempDirectory("peeklock-demo");
    var launcher =
        Optional.ofNullable(System.getenv("PEEKLOCK_LAUNCHER"))
            .orElseThrow(() -> new IOException("PEEKLOCK_LAUNCHER does not say what to start"));
    var command =
        new ArrayList<>(List.of(launcher, "serve", "--port", "0", "--data", folder.toString()));
    QUEUES.forEach(queue -> command.addAll(List.of("--queue", queue)));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    var port = awaitReady(said);
    Thread.ofVirtual().name("broker-output").start(() -> drain(said));
    return new BrokerChild(process, folder, port);
  }

  private static int awaitReady(BufferedReader said) throws IOException {
    var all = new StringBuilder();
    var port = 0;
    for (var line = said.readLine(); line != null; line = said.readLine()) {
      all.append(line).append('\n');
      var found = PORT.matcher(line);
      if (found.find()) {
        port = Integer.parseInt(found.group(1));
      }
      if (line.contains("Successfully Up")) {
        return port;
      }
    }
    throw new IOException("the broker did not start. It said:\n" + all);
  }

  /** Reads on, so that the broker never waits for us. */
  private static void drain(BufferedReader said) {
    try {
      said.transferTo(Writer.nullWriter());
    } catch (IOException gone) {
      // The broker ended, or we closed it: there is nothing more to read.
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
