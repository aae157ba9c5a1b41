package io.peeklock.server;

import io.peeklock.runtime.Catalogue;
import java.io.PrintStream;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is printed when the broker is ready. */
final class Banner {
  /** Scripts wait for this line, which the vendor's emulator prints. */
  static final String READY = "Emulator Service is Successfully Up!";

  private static final String PROTOCOLS = " (AMQP, HTTP, WebSocket, TLS)";
  private static final int NAMED_QUEUES = 20;

  private Banner() {}

  static void print(PeeklockServer server, PrintStream out) {
    var settings = server.settings();
    var address = settings.address().getAddress();
    var data = settings.data();
    var text = new StringBuilder();
    line(text, "Peeklock", Version.current());
    line(text, "listening", address.getHostAddress() + ":" + ports(server) + PROTOCOLS);
    line(text, "certificate", certificate(server));
    line(text, "data", data == null ? "in memory" : data.toAbsolutePath().normalize().toString());
    line(
        text,
        "durability",
        data == null ? "none: gone when this process ends" : "synced before accepted");
    line(text, "profile", settings.profile().word());
    line(text, "queues", queues(server.catalogue()));
    keys(text, server);
    out.print(text.append(READY).append('\n'));
    out.flush();
  }

  private static String ports(PeeklockServer server) {
    return server.ports().stream().map(String::valueOf).collect(Collectors.joining(" and "));
  }

  private static String certificate(PeeklockServer server) {
    var files = server.settings().tls();
    if (files != null) {
      return files.certificate().toString();
    }
    return "made when the first client asks for TLS; ./peeklock certificate export --help";
  }

  static String queues(Catalogue catalogue) {
    var names =
        catalogue.queues().values().stream()
            .map(entry -> entry.definition().path())
            .sorted(String.CASE_INSENSITIVE_ORDER)
            .toList();
    if (names.isEmpty()) {
      return "none; start with --queue NAME to have one";
    }
    var shown = names.stream().limit(NAMED_QUEUES).collect(Collectors.joining(", "));
    var more = names.size() - NAMED_QUEUES;
    return more <= 0 ? shown : shown + " and " + more + " more (" + names.size() + " in all)";
  }

  private static void keys(StringBuilder text, PeeklockServer server) {
    var origin = server.key().origin();
    switch (origin) {
      case WELL_KNOWN, NEW, FLEETING -> line(text, "connect", server.connectionString());
      case KEPT -> line(text, "connect", "with the key that was printed at the first start");
    }
    if (origin == NamespaceKey.Origin.NEW) {
      line(text, "key", "made now, kept in the data folder, not printed again");
    }
    if (origin == NamespaceKey.Origin.FLEETING) {
      line(text, "key", "made now, for this run only");
    }
    var open = !server.settings().loopback();
    if (open && origin == NamespaceKey.Origin.WELL_KNOWN) {
      line(
          text,
          "INSECURE",
          "everybody knows this key, and every machine that gets here may use it");
    }
    if (open && server.settings().tls() == null && server.settings().takesPlaintext()) {
      line(text, "INSECURE", "nothing is encrypted on the way");
    }
  }

  private static void line(StringBuilder text, String label, String value) {
    text.append(String.format(Locale.ROOT, "%-11s %s\n", label, value));
  }
}
