package io.peeklock.server;

import io.peeklock.server.config.ServerSettings;
import java.net.Inet6Address;
import java.net.InetAddress;

/** Writes the connection string that a client needs to connect. */
final class ConnectionStringWriter {
  private static final String POLICY = "RootManageSharedAccessKey";

  private ConnectionStringWriter() {}

  /** For clients of this broker; holds the key, so it is for the banner only. */
  static String write(ServerSettings settings, int port, NamespaceKey key) {
    return write(settings, host(settings.listening().bind()), port, key);
  }

  /** The same with the host that clients call. */
  static String write(ServerSettings settings, String host, int port, NamespaceKey key) {
    var inClear = settings.tls() == null && settings.takesPlaintext();
    return "Endpoint=sb://"
        + host
        + ":"
        + port
        + ";SharedAccessKeyName="
        + POLICY
        + ";SharedAccessKey="
        + key.text()
        // This word makes the vendor's clients connect without TLS.
        + (inClear ? ";UseDevelopmentEmulator=true;" : ";");
  }

  private static String host(InetAddress address) {
    if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
      return "localhost";
    }
    var literal = address.getHostAddress();
    return address instanceof Inet6Address ? "[" + literal + "]" : literal;
  }
}
