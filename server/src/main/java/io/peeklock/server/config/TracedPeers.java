package io.peeklock.server.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The clients whose frames are written to the log.
 *
 * @param hosts null for every client
 * @param port theirs; 0 for any
 */
public record TracedPeers(@Nullable List<InetAddress> hosts, int port)
    implements Predicate<InetSocketAddress> {
  private static final String ALL = "all";

  /**
   * Reads {@code all} or {@code HOST[:PORT]}, an IPv6 address in brackets where a port follows.
   *
   * @throws IllegalArgumentException when it is neither
   */
  static TracedPeers of(String text) {
    if (text.equals(ALL)) {
      return new TracedPeers(null, 0);
    }
    var colon = text.lastIndexOf(':');
    var isPort = colon >= 0 && (text.indexOf(':') == colon || text.charAt(colon - 1) == ']');
    var host = isPort ? text.substring(0, colon) : text;
    try {
      var port = isPort ? (int) QueueDraft.number(text.substring(colon + 1), 1, 65_535) : 0;
      if (!host.isBlank()) {
        return new TracedPeers(Arrays.asList(InetAddress.getAllByName(host)), port);
      }
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException("there is no address \"" + host + "\"", unknown);
    }
    throw new IllegalArgumentException("HOST[:PORT] or all is wanted");
  }

  @Override
  public boolean test(InetSocketAddress peer) {
    var all = hosts;
    return (all == null || all.contains(peer.getAddress()))
        && (port == 0 || port == peer.getPort());
  }
}
