package io.peeklock.server;

import io.peeklock.runtime.Catalogue;
import io.peeklock.server.config.NamespaceSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is printed when the broker is ready. */
final class Banner {
  /** Scripts wait for this line, which the vendor's emulator prints. */
  static final String READY = "Emulator Service is Successfully Up!";

  private static final String PROTOCOLS = " (AMQP, HTTP, WebSocket, TLS)";
  private static final int NAMED_QUEUES = 20;

  private Banner() {}

  static void print(PeeklockServer server, PrintStream out) throws IOException {
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
    keys(text, server.key(), server.connectionString());
    for (var namespace : server.settings().namespaces()) {
      namespace(text, server, namespace);
    }
    var alone = server.leftAlone();
    if (!alone.isEmpty()) {
      line(text, "left alone", String.join(", ", alone) + ": on disk, and not in the settings");
    }
    warn(text, server);
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

  private static void namespace(
      StringBuilder text, PeeklockServer server, NamespaceSettings namespace) {
    var names = new ArrayList<>(List.of(namespace.name() + ".*"));
    names.addAll(namespace.hosts());
    server.boundPorts(namespace.name()).forEach(port -> names.add("port " + port));
    line(text, "namespace", namespace.name() + " (" + String.join(", ", names) + ")");
    var open = server.namespace(namespace.name());
    line(text, "queues", queues(open.catalogue()));
    keys(text, open.key(), server.connectionString(namespace.name()));
  }

  private static void keys(StringBuilder text, NamespaceKey key, String connectionString) {
    switch (key.origin()) {
      case WELL_KNOWN, NEW, FLEETING -> line(text, "connect", connectionString);
      case KEPT -> line(text, "connect", "with the key that was printed at the first start");
    }
    if (key.origin() == NamespaceKey.Origin.NEW) {
      line(text, "key", "made now, kept in the data folder, not printed again");
    }
    if (key.origin() == NamespaceKey.Origin.FLEETING) {
      line(text, "key", "made now, for this run only");
    }
  }

  private static void warn(StringBuilder text, PeeklockServer server) {
    var open = !server.settings().loopback();
    if (open && server.key().origin() == NamespaceKey.Origin.WELL_KNOWN) {
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
