package io.peeklock.conformance.crowd;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Members in a process of another language; the script beside its suite brings them. */
final class ScriptCrowd implements AutoCloseable {
  private static final String LANGUAGE = "javascript";
  private static final int COULD_NOT_START = 2;
  private static final String RECEIPT = "receipt";

  private final Process process;
  private final BufferedReader said;
  private final BufferedWriter words;
  private final int members;

  private ScriptCrowd(Process process, int members) {
    this.process = process;
    this.members = members;
    this.said = process.inputReader(StandardCharsets.UTF_8);
    this.words = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Installs and starts the script; empty when this machine cannot run it. */
  static Optional<ScriptCrowd> start(BrokerProcess broker, List<String> queues, int members)
      throws IOException, InterruptedException {
    var folder = Folders.module().resolve(LANGUAGE);
    var cache = Folders.module().resolve("target/suites-cache").resolve(LANGUAGE);
    var log = Files.createDirectories(Folders.module().resolve("target/suites"));
    var install =
        new ProcessBuilder(folder.resolve("install").toString())
            .redirectErrorStream(true)
            .redirectOutput(log.resolve("crowd-install.log").toFile());
    install.environment().put("SUITE_CACHE", cache.toString());
    if (exitOf(install.start()) == COULD_NOT_START) {
      return Optional.empty();
    }
    var script =
        new ProcessBuilder(folder.resolve("crowd/run").toString())
            .redirectError(log.resolve("crowd.log").toFile());
    script.environment().put("SUITE_CACHE", cache.toString());
    script.environment().put("PEEKLOCK_CONNECTION", broker.connectionString());
    script.environment().put("CROWD_CLIENTS", Integer.toString(members));
    script.environment().put("CROWD_QUEUES", String.join(",", queues));
    return Optional.of(new ScriptCrowd(script.start(), members));
  }

  private static int exitOf(Process install) throws InterruptedException {
    if (!install.waitFor(3, TimeUnit.MINUTES)) {
      install.descendants().forEach(ProcessHandle::destroyForcibly);
      install.destroyForcibly();
      throw new AssertionError("the client for " + LANGUAGE + " could not be installed in time");
    }
    return install.exitValue();
  }

  /** One round trip of each. */
  List<Receipt> roundTrips() throws IOException {
    say("go");
    var receipts = new ArrayList<Receipt>();
    while (receipts.size() < members) {
      var line = said.readLine();
      if (line == null || !line.startsWith(RECEIPT)) {
        throw new IOException(LANGUAGE + " said: " + line);
      }
      var parts = line.split(" ", -1);
      receipts.add(new Receipt(parts[1], Long.parseLong(parts[2])));
    }
    return receipts;
  }

  private void say(String word) throws IOException {
    words.write(String.format(Locale.ROOT, "%s%n", word));
    words.flush();
  }

  @Override
  public void close() throws IOException {
    try {
      say("end");
      if (!process.waitFor(15, TimeUnit.SECONDS)) {
        throw new IOException(LANGUAGE + " did not end");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
