package io.peeklock.server.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Where the broker can be reached.
 *
 * @param bind the address to listen on
 * @param ports at least one, each for every protocol; 0 takes any free one. The first is the one
 *     that clients are told
 * @param asked whether somebody named the ports; else one that cannot be had is done without, but
 *     not the first
 * @param hostNames names by which clients call it, beside those of this machine
 * @param origins of pages that may talk to it, beside its own
 */
public record Listening(
    InetAddress bind,
    List<Integer> ports,
    boolean asked,
    List<String> hostNames,
    List<String> origins) {
  /** AMQP, and where the vendor's emulator has its HTTP. */
  static final List<Integer> DEFAULT_PORTS = List.of(5_672, 5_300);

  /** Takes copies. */
  public Listening {
    ports = List.copyOf(ports);
    hostNames = List.copyOf(hostNames);
    origins = List.copyOf(origins);
  }

  /** Any free port of loopback. */
  static Listening anywhereOnLoopback() {
    return new Listening(InetAddress.getLoopbackAddress(), List.of(0), true, List.of(), List.of());
  }

  /** The first port. */
  public InetSocketAddress address() {
    return new InetSocketAddress(bind, ports.getFirst());
  }

  /** The others. */
  public List<InetSocketAddress> others() {
    return ports.stream().skip(1).map(port -> new InetSocketAddress(bind, port)).toList();
  }
}
