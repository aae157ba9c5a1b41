package io.peeklock.transport;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection at the moment when it is known what it speaks.
 *
 * @param remote the peer
 * @param tls whether bytes come through TLS
 * @param serverName the name of the server that the peer asked for in its TLS handshake (SNI), as
 *     sent; null for none
 * @param pastHandshake to be run once, on the event loop, when the peer is authenticated; it then
 *     no longer counts in {@link ConnectionLimits#unauthenticated()}, or is closed when it is one
 *     too many of the others
 */
public record Arrival(
    InetSocketAddress remote, boolean tls, @Nullable String serverName, Runnable pastHandshake) {

  /** Whether the peer itself, not the listener, has a loopback address. */
  public boolean loopback() {
    return remote.getAddress().isLoopbackAddress();
  }
}
