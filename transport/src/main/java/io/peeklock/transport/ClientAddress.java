package io.peeklock.transport;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Whom connections of one address are counted for. With IPv6 that is the network, 64 bits: who has
 * one address of it has them all.
 *
 * @param name the same for the same origin
 * @param local whether it is this machine, where every client has the same address
 */
record ClientAddress(String name, boolean local) {
  private static final int NETWORK_BYTES = 8;

  static ClientAddress of(InetAddress address) {
    var bytes = address.getAddress();
    var counted =
        address instanceof Inet6Address && !address.isLoopbackAddress()
            ? Arrays.copyOf(bytes, NETWORK_BYTES)
            : bytes;
    return new ClientAddress(HexFormat.of().formatHex(counted), address.isLoopbackAddress());
  }
}
