package io.peeklock.http;

import java.net.InetSocketAddress;

/**
 * Who is at the other end of a connection.
 *
 * @param remote its address
 * @param tls whether bytes come through TLS
 * @param recognised to be run when it is authenticated
 * @param upgrade what it may become by a WebSocket upgrade
 */
public record HttpPeer(
    InetSocketAddress remote, boolean tls, Runnable recognised, Upgrade upgrade) {

  /** Whether it is on this machine; a browser here may then be led to us by any page. */
  boolean loopback() {
    return remote.getAddress().isLoopbackAddress();
  }
}
