package io.peeklock.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where a broker is and how to log in, as Service Bus writes it.
 *
 * @param tls false with {@code UseDevelopmentEmulator=true}
 */
record ConnectionString(String host, int port, boolean tls, String keyName, String key) {
  /** Opens a broker that was started on this machine with nothing else said. */
  static final String LOCAL =
      "Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=RootManageSharedAccessKey;"
          + "SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true";

  private static final int PLAIN_PORT = 5672;
  private static final int TLS_PORT = 5671;
  private static final int LAST_PORT = 65_535;

  /**
   * Reads one.
   *
   * @throws CliFailure when something is missing; the text never holds the key
   */
  static ConnectionString parse(String text) {
    var parts = parts(text);
    var endpoint = endpoint(required(parts, "Endpoint"));
    var plain = parts.getOrDefault("usedevelopmentemulator", "").equalsIgnoreCase("true");
    var port = endpoint.getPort();
    return new ConnectionString(
        endpoint.getHost(),
        port >= 0 ? port : plain ? PLAIN_PORT : TLS_PORT,
        !plain,
        required(parts, "SharedAccessKeyName"),
        required(parts, "SharedAccessKey"));
  }

  /**
   * The host to connect to. Names below {@code localhost} are this machine (RFC 6761), also where
   * the system does not know that; which of them is called tells namespaces apart.
   */
  String address() {
    return host.toLowerCase(Locale.ROOT).endsWith(".localhost") ? "localhost" : host;
  }

  private static Map<String, String> parts(String text) {
    var parts = new TreeMap<String, String>();
    for (var part : text.split(";", -1)) {
      var equals = part.indexOf('=');
      if (equals > 0) {
        var name = part.substring(0, equals).strip().toLowerCase(Locale.ROOT);
        parts.put(name, part.substring(equals + 1).strip());
      } else if (!part.isBlank()) {
        throw CliFailure.usage("the connection string has a part that is not name=value");
      }
    }
    return parts;
  }

  private static String required(Map<String, String> parts, String name) {
    var value = parts.get(name.toLowerCase(Locale.ROOT));
    if (value == null || value.isEmpty()) {
      throw CliFailure.usage("the connection string has no " + name);
    }
    return value;
  }

  /** What was written is not said: who forgot a semicolon has a key in it. */
  private static URI endpoint(String text) {
    try {
      var endpoint = new URI(text);
      if (endpoint.getHost() != null && endpoint.getPort() <= LAST_PORT) {
        return endpoint;
      }
    } catch (URISyntaxException notOne) {
      throw noAddress();
    }
    throw noAddress();
  }

  private static CliFailure noAddress() {
    return CliFailure.usage(
        "the Endpoint of the connection string is not an address like sb://localhost:5672");
  }

  @Override
  public String toString() {
    return keyName + " at " + host + ":" + port;
  }
}
