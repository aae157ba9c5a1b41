package io.peeklock.transport;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts connections against their limits. A new one is let in unauthenticated, and takes the place
 * of another such one where there are too many; only who logs in can be one too many. Callable from
 * any thread; touched a few times in the life of a connection, never by a message.
 */
final class ConnectionLimiter {
  /** A quarter of them that say nothing are many: who has just come is seldom among so many. */
  private static final int SILENT_PART = 4;

  private final ConnectionLimits limits;
  private final LongSupplier nanos;

  /** In the order in which they came. */
  private final Map<Channel, UnauthenticatedPeer> unauthenticated = new LinkedHashMap<>();

  private final Map<ClientAddress, OriginGroup> groups = new HashMap<>();
  private final RecentHandshakes recent;
  private final Map<Channel, ClientAddress> authenticated = new HashMap<>();
  private final Map<ClientAddress, Integer> authenticatedFrom = new HashMap<>();
  private long entered;
  private long evicted;
  private long refused;
  private long unheard;

  ConnectionLimiter(ConnectionLimits limits) {
    this(limits, System::nanoTime);
  }

  /** For tests, which own the time. */
  ConnectionLimiter(ConnectionLimits limits, LongSupplier nanos) {
    this.limits = limits;
    this.nanos = nanos;
    this.recent = new RecentHandshakes(nanos.getAsLong());
  }

  /**
   * Lets a connection in, which must {@link #leave}. Where as many are unauthenticated as may be,
   * one of them is closed: of those of which nothing was heard yet, where these are many, the one
   * that came first. Else, where most wait for their handshakes, one of them, and if not, one of
   * the others: of the origin that has most places and for which most handshakes were computed
   * lately, who was not heard for longest; of those that wait, who came last, for the first of them
   * is next. So whoever keeps connections open without a login shuts out nobody, though he has many
   * addresses, and who asks for handshakes nobody who wants none.
   *
   * @return whether another one had to go
   */
  boolean enter(Channel channel, InetAddress address) {
    var origin = ClientAddress.of(address);
    UnauthenticatedPeer peer;
    Channel gone = null;
    synchronized (this) {
      entered++;
      peer = new UnauthenticatedPeer(groupOf(origin), nanos);
      peer.group().enter();
      if (unauthenticated.size() >= limits.unauthenticated()) {
        recent.halve(nanos.getAsLong());
        gone = nextToGo();
        removeUnauthenticated(gone);
        evicted++;
      }
      unauthenticated.put(channel, peer);
    }
    channel.pipeline().addFirst("unauthenticated", peer);
    if (gone != null) {
      Disconnect.atOnce(gone); // outside of the lock: others may hear of its end at once
    }
    return gone != null;
  }

  private OriginGroup groupOf(ClientAddress origin) {
    return groups.computeIfAbsent(origin, its -> new OriginGroup(its, recent.of(its)));
  }

  private void removeUnauthenticated(Channel channel) {
    var peer = unauthenticated.remove(channel);
    if (peer != null && peer.leaves()) {
      groups.remove(peer.group().origin());
    }
  }

  /**
   * An unauthenticated peer asks for a handshake.
   *
   * @return its rank among those that do, see {@link OriginGroup#rank}; 0 when it has logged in
   */
  synchronized int asksForHandshake(Channel channel) {
    var peer = unauthenticated.get(channel);
    if (peer == null) {
      return 0;
    }
    recent.halve(nanos.getAsLong());
    peer.asksForHandshake();
    return peer.group().rank();
  }

  /** The handshake that an unauthenticated peer asked for is computed. */
  synchronized void handshakeIsComputed(Channel channel) {
    var peer = unauthenticated.get(channel);
    if (peer != null) {
      recent.halve(nanos.getAsLong());
      peer.handshakeIsComputed();
    }
  }

  private Channel nextToGo() {
    Map.Entry<Channel, UnauthenticatedPeer> firstSilent = null;
    Map.Entry<Channel, UnauthenticatedPeer> waiting = null;
    Map.Entry<Channel, UnauthenticatedPeer> other = null;
    var silent = 0;
    var waiters = 0;
    for (var each : unauthenticated.entrySet()) {
      var peer = each.getValue();
      if (peer.waitsForUs()) {
        waiters++;
        waiting = first(waiting, each);
        continue;
      }
      if (peer.isSilent()) {
        firstSilent = firstSilent == null ? each : firstSilent;
        silent++;
      }
      other = first(other, each);
    }
    if (firstSilent != null && silent >= unauthenticated.size() / SILENT_PART) {
      return firstSilent.getKey();
    }
    var gone = other == null || waiters > unauthenticated.size() / 2 ? waiting : other;
    if (gone == null) {
      throw new IllegalStateException("nobody is unauthenticated");
    }
    return gone.getKey();
  }

  /** Which of two goes before the other. */
  private static Map.Entry<Channel, UnauthenticatedPeer> first(
      Map.@Nullable Entry<Channel, UnauthenticatedPeer> one,
      Map.Entry<Channel, UnauthenticatedPeer> other) {
    return one == null || other.getValue().goesBefore(one.getValue()) ? other : one;
  }

  /** One that came and hung up is not let in. */
  synchronized void closedUnheard() {
    unheard++;
  }

  /** How many there are, and were. */
  synchronized ConnectionCounts counts() {
    return new ConnectionCounts(
        new ConnectionCounts.Part(unauthenticated.size(), limits.unauthenticated()),
        new ConnectionCounts.Part(authenticated.size(), limits.total()),
        entered,
        evicted,
        refused,
        unheard);
  }

  /**
   * The peer has logged in. On its event loop.
   *
   * @return why it must go all the same, or null when it may stay
   */
  @Nullable String recognise(Channel channel) {
    UnauthenticatedPeer peer;
    synchronized (this) {
      peer = unauthenticated.get(channel);
      if (peer == null) {
        return null; // it has logged in, or is gone
      }
      var origin = peer.group().origin();
      var refusal = refusal(origin);
      if (refusal != null) {
        refused++;
        return refusal;
      }
      removeUnauthenticated(channel);
      peer.logsIn();
      authenticated.put(channel, origin);
      authenticatedFrom.merge(origin, 1, Integer::sum);
    }
    peer.authenticated();
    return null;
  }

  private @Nullable String refusal(ClientAddress origin) {
    if (authenticated.size() >= limits.total()) {
      return "there are " + limits.total() + " connections already";
    }
    if (!origin.local() && authenticatedFrom.getOrDefault(origin, 0) >= limits.perAddress()) {
      return "there are " + limits.perAddress() + " connections from its address already";
    }
    return null;
  }

  synchronized void leave(Channel channel) {
    removeUnauthenticated(channel);
    var origin = authenticated.remove(channel);
    if (origin != null) {
      authenticatedFrom.computeIfPresent(origin, (from, count) -> count == 1 ? null : count - 1);
    }
  }

  synchronized List<Channel> all() {
    var all = new ArrayList<>(unauthenticated.keySet());
    all.addAll(authenticated.keySet());
    return all;
  }
}
