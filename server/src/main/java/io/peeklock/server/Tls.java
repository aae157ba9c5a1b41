package io.peeklock.server;

import io.peeklock.server.config.ServerSettings;
import io.peeklock.transport.LocalAuthority;
import io.peeklock.transport.PemFiles;
import io.peeklock.transport.TlsSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Where certificates come from, and the thread that reads or makes them. */
final class Tls implements AutoCloseable {
  /** In the data folder. */
  static final String FOLDER = "tls";

  private static final long LOOK_SECONDS = 2;

  /** By which containers and their hosts call an emulator. */
  private static final List<String> USUAL =
      List.of("localhost", "127.0.0.1", "::1", "host.docker.internal", "servicebus-emulator");

  private final TlsSource source;
  private final ScheduledExecutorService thread;

  private Tls(TlsSource source, ScheduledExecutorService thread) {
    this.source = source;
    this.thread = thread;
  }

  /**
   * What these settings ask for.
   *
   * @throws IOException when the operator's files are no good
   */
  static Tls of(ServerSettings settings) throws IOException {
    var files = settings.tls();
    var given = files == null ? null : PemFiles.load(files.certificate(), files.key());
    var thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("certificates").daemon().factory());
    if (given != null) {
      var unused =
          thread.scheduleWithFixedDelay(
              given::refresh, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
      return new Tls(given, thread);
    }
    var data = settings.data();
    var folder = data == null ? null : data.resolve(FOLDER);
    return new Tls(new LocalAuthority(folder, names(settings), thread), thread);
  }

  TlsSource source() {
    return source;
  }

  /** The names by which clients call this broker. */
  static List<String> names(ServerSettings settings) {
    var names = new ArrayList<>(USUAL);
    var bind = settings.listening().bind();
    if (!bind.isAnyLocalAddress() && !bind.isLoopbackAddress()) {
      names.add(bind.getHostAddress());
    }
    var machine = machine();
    if (!machine.isEmpty()) {
      names.add(machine);
    }
    names.addAll(settings.listening().hostNames());
    for (var namespace : settings.namespaces()) {
      names.add(namespace.localHost());
      names.addAll(namespace.hosts());
    }
    return names;
  }

  /** Asked of nobody on the network, which could take long. */
  private static String machine() {
    var windows = System.getenv("COMPUTERNAME");
    if (windows != null) {
      return windows;
    }
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException elsewhere) {
      return "";
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
