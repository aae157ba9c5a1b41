package io.peeklock.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;

/** The port is another process's. */
public final class PortInUseException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int port;

  private PortInUseException(int port, String message, Throwable cause) {
    super(message, cause);
    this.port = port;
  }

  /** Which one. */
  public int port() {
    return port;
  }

  /** Tells a port in use from other reasons why it could not be opened. */
  static IOException orOther(InetSocketAddress address, Throwable cause) {
    var where = "port " + address.getPort() + " on " + address.getHostString();
    var text = String.valueOf(cause.getMessage());
    // epoll and NIO throw different types; both quote the system's words.
    if (text.toLowerCase(Locale.ROOT).contains("address already in use")) {
      return new PortInUseException(address.getPort(), where + " is in use", cause);
    }
    return new IOException(where + " cannot be opened: " + text, cause);
  }
}
