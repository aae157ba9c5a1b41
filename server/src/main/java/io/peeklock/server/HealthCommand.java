package io.peeklock.server;

import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import io.peeklock.transport.AnyCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks a broker whether messages are taken, for the health checks of containers: images without a
 * shell or curl have nothing else to ask with. Over a bare socket, as a client of HTTP takes longer
 * to load than the answer to come.
 */
final class HealthCommand {
  private static final int HEALTHY = 0;
  private static final int UNHEALTHY = 1;
  private static final int TIMEOUT_MILLIS = 4_000;
  private static final int MOST_BYTES = 64 << 10;

  private URI url = URI.create("http://localhost/health");
  private @Nullable Integer port;

  private HealthCommand() {}

  /**
   * Asks, and prints one line.
   *
   * @return 0 for healthy, 1 for anything else that is no mistake in the command
   * @throws ConfigurationException when the options cannot be
   */
  static int run(List<String> options, Map<String, String> environment, PrintStream print) {
    var command = new HealthCommand();
    var rest = options.iterator();
    while (rest.hasNext()) {
      command.take(rest.next(), rest);
    }
    return command.ask(environment, print);
  }

  private void take(String option, Iterator<String> rest) {
    var equals = option.indexOf('=');
    var name = equals < 0 ? option : option.substring(0, equals);
    if (!name.equals("--port") && !name.equals("--url")) {
      throw new ConfigurationException(
          "health has no option \"" + name + "\"; there are --port and --url");
    }
    if (equals < 0 && !rest.hasNext()) {
      throw new ConfigurationException(name + " needs a value");
    }
    var value = equals < 0 ? rest.next() : option.substring(equals + 1);
    if (name.equals("--port")) {
      port = number(value);
    } else {
      url = address(value);
    }
  }

  private static int number(String value) {
    try {
      var number = Integer.parseInt(value);
      if (number > 0 && number <= 65_535) {
        return number;
      }
    } catch (NumberFormatException notOne) {
      // said below
    }
    throw new ConfigurationException("--port: \"" + value + "\" is not a port, 1 to 65535");
  }

  private static URI address(String value) {
    try {
      var address = new URI(value);
      var scheme = address.getScheme();
      if (address.getHost() != null && ("http".equals(scheme) || "https".equals(scheme))) {
        return address;
      }
    } catch (URISyntaxException none) {
      // said below
    }
    throw new ConfigurationException(
        "--url: \"" + value + "\" is not an address such as http://localhost:5672/health");
  }

  private int ask(Map<String, String> environment, PrintStream print) {
    var at = port != null ? port : url.getPort() > 0 ? url.getPort() : usualPort(environment);
    try {
      var answer = answer(at);
      var healthy = answer.startsWith("HTTP/1.1 200 ");
      var body = answer.substring(Math.max(0, answer.indexOf("\r\n\r\n"))).strip();
      print.println(body.isEmpty() ? answer.lines().findFirst().orElse("no answer") : body);
      return healthy ? HEALTHY : UNHEALTHY;
    } catch (IOException failed) {
      print.println(
          "no answer from "
              + url.getHost()
              + ":"
              + at
              + ": "
              + String.valueOf(failed.getMessage()));
      return UNHEALTHY;
    }
  }

  /** Where a broker would listen that has no options, in this environment. */
  private static int usualPort(Map<String, String> environment) {
    return ServeOptions.read(List.of("--in-memory"), ports(environment))
        .listening()
        .ports()
        .stream()
        .filter(each -> each != 0)
        .findFirst()
        .orElse(5_672);
  }

  private static Map<String, String> ports(Map<String, String> environment) {
    var named = environment.get("PEEKLOCK_PORT");
    // What Kubernetes says about a service of this name is no port.
    return named == null || named.contains("://") ? Map.of() : Map.of("PEEKLOCK_PORT", named);
  }

  /** In clear at first; a broker that wants TLS closes such a connection without a word. */
  private String answer(int at) throws IOException {
    if ("http".equals(url.getScheme())) {
      try (var socket = connected(at)) {
        var plain = talk(socket, at);
        if (!plain.isEmpty()) {
          return plain;
        }
      } catch (java.net.SocketException reset) {
        if (reset instanceof java.net.ConnectException) {
          throw reset;
        }
      }
    }
    try (var socket = connected(at);
        var secure =
            AnyCertificate.context()
                .getSocketFactory()
                .createSocket(socket, url.getHost(), at, true)) {
      return talk(secure, at);
    }
  }

  private Socket connected(int at) throws IOException {
    var socket = new Socket();
    socket.connect(new InetSocketAddress(url.getHost(), at), TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  private String talk(Socket socket, int at) throws IOException {
    var path =
        url.getRawPath() == null || url.getRawPath().length() < 2 ? "/health" : url.getRawPath();
    var request =
        "GET "
            + path
            + " HTTP/1.1\r\nHost: "
            + url.getHost()
            + ":"
            + at
            + "\r\nConnection: close\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
    return read(socket.getInputStream());
  }

  private static String read(InputStream in) throws IOException {
    return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
  }

  static String help() {
    return """
    Usage: peeklock health [--port N] [--url URL]

    Asks a broker whether it takes messages, and prints its answer. For health checks of containers:
    it needs no shell and no curl.

      --port N     the port on this machine (default: the first of PEEKLOCK_PORT, or 5672)
      --url URL    such as http://broker:5672/health, or /health/alive there

    A certificate is not checked. Ends with 0 when the broker is healthy, 1 when it is not or does not
    answer, 2 for a wrong option.
    """;
  }
}
