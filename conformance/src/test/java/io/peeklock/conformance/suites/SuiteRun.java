package io.peeklock.conformance.suites;

import io.peeklock.conformance.Authority;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A suite with a broker of its own: installs what it needs, runs, and leaves its report. */
final class SuiteRun {
  private static final Duration PATIENCE = Duration.ofMinutes(20);
  private static final int COULD_NOT_START = 2;
  private static final int SAID_LINES = 60;

  private final Suite suite;
  private final Store store;
  private final Path report;
  private final Path said;

  SuiteRun(Suite suite, Store store) throws IOException {
    var reports = Files.createDirectories(Folders.module().resolve("target/suites"));
    var name = store == Store.MEMORY ? suite.language() + ".memory" : suite.language();
    this.suite = suite;
    this.store = store;
    this.report = reports.resolve(name + ".jsonl");
    this.said = reports.resolve(name + ".log");
    Files.deleteIfExists(report);
  }

  /** Runs it; fails when it could not start at all, with what it said. */
  SuiteReport run() throws IOException, InterruptedException {
    var options = new ArrayList<>(suite.entityOptions());
    options.addAll(store.options());
    try (var broker = BrokerProcess.start(Folders.fresh(suite.language()), options);
        var control = new Control(broker)) {
      var code = execute(broker, control);
      if (code == COULD_NOT_START || !Files.exists(report)) {
        throw new AssertionError("the suite ended with " + code + ":\n" + lastSaid());
      }
      var told = SuiteReport.read(report);
      if (told.stories().isEmpty() || (code != 0 && told.stories().stream().allMatch(this::good))) {
        throw new AssertionError("the suite ended with " + code + ":\n" + lastSaid());
      }
      return told;
    }
  }

  private boolean good(SuiteReport.Story story) {
    return story.ok() || story.notRun() != null;
  }

  private int execute(BrokerProcess broker, Control control)
      throws IOException, InterruptedException {
    var cache = Files.createDirectories(Folders.module().resolve("target/suites-cache"));
    var builder =
        new ProcessBuilder(List.of(suite.folder().resolve("run").toString()))
            .directory(suite.folder().toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().put("PEEKLOCK_CONNECTION", broker.connectionString());
    builder.environment().put("PEEKLOCK_CONTROL", control.address());
    builder.environment().put("PEEKLOCK_CA", Authority.of(broker).toString());
    builder.environment().put("SUITE_CACHE", cache.resolve(suite.language()).toString());
    builder.environment().put("SUITE_REPORT", report.toString());
    builder.environment().put("SUITE_STORE", store.name().toLowerCase(Locale.ROOT));
    var process = builder.start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the suite did not end within " + PATIENCE + ":\n" + lastSaid());
      }
      return process.exitValue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private String lastSaid() throws IOException {
    var lines = Files.readAllLines(said);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - SAID_LINES), lines.size()));
  }
}
