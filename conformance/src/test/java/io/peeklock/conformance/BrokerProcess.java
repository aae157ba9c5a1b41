package io.peeklock.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The real program, started by the launcher as anybody would, on a folder of its own.
 *
 * <p>A restart keeps folder and port, so that clients find the broker again. Not for several
 * threads at once, but {@link #output} is.
 */
public final class BrokerProcess implements AutoCloseable {
  /** The policy that a broker on loopback knows without being told. */
  public static final String KEY_NAME = "RootManageSharedAccessKey";

  /** Its key. */
  public static final String KEY = "SAS_KEY_VALUE";

  private static final Pattern PORT = Pattern.compile("^listening +\\S*:(\\d+)");
  private static final Pattern READY = Pattern.compile("Successfully Up");
  private static final Duration PATIENCE = Duration.ofMinutes(2); // for a machine with other work

  private final Path data;
  private final List<String> options;
  private final String jvmFlags;
  private final Map<String, String> environment;
  private List<String> under;
  private BrokerOutput output = new BrokerOutput();
  private Process process;
  private int port;
  private Duration readyAfter = Duration.ZERO;

  private BrokerProcess(Path data, List<String> options, String jvmFlags, List<String> under) {
    this(data, options, jvmFlags, Map.of(), under);
  }

  private BrokerProcess(
      Path data,
      List<String> options,
      String jvmFlags,
      Map<String, String> environment,
      List<String> under) {
    this.environment = Map.copyOf(environment);
    this.data = data;
    this.options = List.copyOf(options);
    this.jvmFlags = jvmFlags;
    this.under = List.copyOf(under);
    this.process = launch();
  }

  /**
   * Starts a broker on a free port and waits until it is ready.
   *
   * @param data its folder; made when it is not there
   * @param options of {@code serve}, beside port and folder
   */
  public static BrokerProcess start(Path data, List<String> options) {
    return start(data, options, "");
  }

  /**
   * The same with flags for the broker's JVM.
   *
   * @param jvmFlags parted by blanks
   */
  public static BrokerProcess start(Path data, List<String> options, String jvmFlags) {
    return ready(new BrokerProcess(data, options, jvmFlags, List.of()));
  }

  /**
   * The same with these variables in its environment.
   *
   * @param options those of {@code --port} and {@code --data} are left to variables when they are
   *     among these
   */
  public static BrokerProcess startWith(
      Map<String, String> environment, Path data, List<String> options) {
    return ready(new BrokerProcess(data, options, "", environment, List.of()));
  }

  /**
   * The same under another program, which is to run the broker as its child.
   *
   * @param under the words before the broker's own command
   */
  public static BrokerProcess startUnder(List<String> under, Path data, List<String> options) {
    return ready(new BrokerProcess(data, options, "", under));
  }

  private static BrokerProcess ready(BrokerProcess broker) {
    broker.awaitReady();
    return broker;
  }

  /**
   * Runs it under another program, such as a tracer, that ends with the broker's exit code. Does
   * not wait. A restart is without that program.
   *
   * @param under that program and its arguments
   */
  public static BrokerProcess under(List<String> under, Path data, List<String> options) {
    var broker = new BrokerProcess(data, options, "", under);
    broker.under = List.of();
    return broker;
  }

  /** Starts a broker with these queues, each {@code NAME[,Property=value…]}. */
  public static BrokerProcess withQueues(Path data, String... queues) {
    return start(data, queueOptions(List.of(queues)));
  }

  /** {@code --queue} before each. */
  public static List<String> queueOptions(List<String> queues) {
    var options = new ArrayList<String>();
    for (var queue : queues) {
      options.add("--queue");
      options.add(queue);
    }
    return options;
  }

  /** Runs {@code serve} where it is expected to give up by itself, and waits for that. */
  public static BrokerProcess refused(Path data, int port, List<String> options) {
    var all = new ArrayList<>(options);
    all.addAll(List.of("--port", Integer.toString(port)));
    var broker = new BrokerProcess(data, all, "", List.of());
    broker.awaitExit();
    return broker;
  }

  /** Whether all that it has is gone when it ends. */
  public boolean isInMemory() {
    return options.contains("--in-memory");
  }

  private Process launch() {
    var command = new ArrayList<>(under);
    command.addAll(List.of(Installation.launcher().toString(), "serve"));
    if (!options.contains("--port") && !environment.containsKey("PEEKLOCK_PORT")) {
      command.addAll(List.of("--port", Integer.toString(port)));
    }
    if (!environment.containsKey("PEEKLOCK_DATA") && !isInMemory()) {
      command.addAll(List.of("--data", data.toString()));
    }
    command.addAll(options);
    output = new BrokerOutput();
    try {
      var builder = new ProcessBuilder(command).directory(Installation.root().toFile());
      builder.environment().put("PEEKLOCK_NO_BUILD", "true");
      builder.environment().put("PEEKLOCK_JVM_FLAGS", jvmFlags);
      builder.environment().putAll(environment);
      var started = builder.start();
      started.getOutputStream().close();
      output.collect(started.getInputStream(), "broker-out");
      output.collect(started.getErrorStream(), "broker-err");
      return started;
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot run " + command, failed);
    }
  }

  /** Waits until the broker says that it is ready; fails with its output otherwise. */
  public void awaitReady() {
    var began = System.nanoTime();
    if (output.await(0, READY, PATIENCE).isEmpty()) {
      var said = output.text();
      killQuietly();
      throw new AssertionError("the broker did not become ready. It said:\n" + said);
    }
    readyAfter = Duration.ofNanos(System.nanoTime() - began);
    port =
        output
            .await(0, PORT, PATIENCE)
            .map(found -> Integer.parseInt(found.group(1)))
            .orElseThrow(() -> new AssertionError("no port in:\n" + output.text()));
  }

  /** From launch to the ready line, at the last start. */
  public Duration readyAfter() {
    return readyAfter;
  }

  /** Where it listens on loopback. */
  public int port() {
    return port;
  }

  /** Of the broker itself: the launcher replaces itself with it. */
  public long pid() {
    return process.pid();
  }

  /** Its folder. */
  public Path data() {
    return data;
  }

  /** What it printed since it was last started. */
  public BrokerOutput output() {
    return output;
  }

  /** Whether it runs. */
  public boolean alive() {
    return process.isAlive();
  }

  /** What an application puts into its configuration, with the well-known key. */
  public String connectionString() {
    return connectionString(KEY);
  }

  /** The same with another key. */
  public String connectionString(String key) {
    return String.format(
        Locale.ROOT,
        "Endpoint=sb://localhost:%d;SharedAccessKeyName=%s;SharedAccessKey=%s;%s",
        Recorder.before(port, options),
        KEY_NAME,
        key,
        "UseDevelopmentEmulator=true");
  }

  // Through the handle: Process itself would close the streams, and the last words were lost.

  /** Asks it to stop (SIGTERM) and waits. Returns the exit code. */
  public int stop() {
    process.toHandle().destroy();
    return awaitExit();
  }

  /** Asks it to stop (SIGTERM) and returns at once. */
  public void askToStop() {
    process.toHandle().destroy();
  }

  /** Asks it to read its configuration again (SIGHUP) and returns at once. */
  public void hangUp() {
    try {
      var sent = new ProcessBuilder("kill", "-HUP", Long.toString(pid())).start().waitFor();
      if (sent != 0) {
        throw new AssertionError("the signal could not be sent: " + sent);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot signal the broker", failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the broker was signalled", interrupted);
    }
  }

  /** Waits until it is gone. Returns the exit code. */
  public int awaitExit() {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        killQuietly();
        throw new AssertionError("the broker did not end. It said:\n" + output.tail(50));
      }
      return process.exitValue();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the broker ended", interrupted);
    }
  }

  /** SIGKILL, to the launcher's children too should it have any; returns when it is gone. */
  public void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.toHandle().destroyForcibly();
    awaitExit();
  }

  /**
   * SIGSTOP, to the launcher's children too; returns once no thread of them runs any more. One that
   * is in a system call stays there: what the call brings, nobody will hear.
   */
  public void freeze() {
    Patience.until("frozen", this::frozen);
  }

  private boolean frozen() {
    if (!process.isAlive()) {
      throw new AssertionError("the broker ended by itself. It said:\n" + output.tail(50));
    }
    // A tracer must go on: it has to let the signal through.
    var top = under.isEmpty() ? Stream.of(process.toHandle()) : Stream.<ProcessHandle>empty();
    var all =
        Stream.concat(top, process.descendants()).map(each -> Long.toString(each.pid())).toList();
    try {
      // A child of the launcher may have ended meanwhile; then this is done once more.
      var stopped =
          new ProcessBuilder("sh", "-c", "kill -STOP " + String.join(" ", all)).start().waitFor();
      return stopped == 0 && all.stream().allMatch(pid -> isFrozen(Path.of("/proc", pid, "task")));
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot freeze the broker", failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the broker froze", interrupted);
    }
  }

  private static boolean isFrozen(Path threads) {
    try (var all = Files.list(threads)) {
      for (var thread : all.toList()) {
        var stat = Files.readString(thread.resolve("stat"));
        // Stopped, so under a tracer, in a call that cannot be interrupted, or ended already.
        if ("TtDZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) < 0) {
          return false;
        }
      }
      return true;
    } catch (NoSuchFileException ended) {
      return false; // a thread that was just ending; the others are asked again
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void killQuietly() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.toHandle().destroyForcibly();
  }

  /** Starts it again on the same folder and port, and waits until it is ready. */
  public void restart() {
    launchAgain();
    awaitReady();
  }

  /** Starts it again on the same folder and port, and does not wait. */
  public void launchAgain() {
    if (process.isAlive()) {
      throw new IllegalStateException("the broker still runs");
    }
    process = launch();
  }

  /** Resident memory in bytes, as the kernel sees it. */
  public long residentBytes() {
    try {
      for (var line : Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
        }
      }
    } catch (IOException gone) {
      throw new UncheckedIOException("the broker is gone. It said:\n" + output.tail(50), gone);
    }
    throw new IllegalStateException("no VmRSS in /proc/" + pid() + "/status");
  }

  /** Kills it and removes its folder. */
  @Override
  public void close() {
    kill();
    if (!Files.exists(data)) {
      return;
    }
    try (var files = Files.walk(data)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
