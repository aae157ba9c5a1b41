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
 * Counts connections against their limits. Whoever comes is let in as a stranger, and makes another
 * stranger leave where there are too many; only who shows who it is can be one too many. Callable
 * from any thread; touched a few times in the life of a connection, never by a message.
 */
final class Admission {
  /** A quarter of them that say nothing are many: who has just come is seldom among so many. */
  private static final int MUTE_PART = 4;

  private final ConnectionLimits limits;
  private final LongSupplier nanos;

  /** Those who have not shown who they are, in the order in which they came. */
  private final Map<Channel, Stranger> strangers = new LinkedHashMap<>();

  private final Map<Origin, Crowd> crowds = new HashMap<>();
  private final RecentHandshakes recent;
  private final Map<Channel, Origin> known = new HashMap<>();
  private final Map<Origin, Integer> knownFrom = new HashMap<>();
  private long entered;
  private long evicted;
  private long refused;

  Admission(ConnectionLimits limits) {
    this(limits, System::nanoTime);
  }

  /** For tests, which own the time. */
  Admission(ConnectionLimits limits, LongSupplier nanos) {
    this.limits = limits;
    this.nanos = nanos;
    this.recent = new RecentHandshakes(nanos.getAsLong());
  }

  /**
   * Lets a connection in, which must {@link #leave}. Where there are as many strangers as may be,
   * one of them is closed: of those of which nothing was heard yet, where these are many, the one
   * that came first; else, of the origin that has most of them and asked for most handshakes
   * lately, the one that was not heard for longest. So whoever keeps connections open without a
   * login shuts out nobody, though he has many addresses.
   *
   * @return whether another one had to go
   */
  boolean enter(Channel channel, InetAddress address) {
    var origin = Origin.of(address);
    Stranger stranger;
    Channel gone = null;
    synchronized (this) {
      entered++;
      stranger = new Stranger(crowds.computeIfAbsent(origin, Crowd::new), nanos);
      stranger.crowd().enter();
      if (strangers.size() >= limits.strangers()) {
        gone = stillest();
        strangerNoMore(gone);
        evicted++;
      }
      strangers.put(channel, stranger);
    }
    channel.pipeline().addFirst("stranger", stranger);
    if (gone != null) {
      Listener.dropAtOnce(gone); // outside of the lock: others may hear of its end at once
    }
    return gone != null;
  }

  private void strangerNoMore(Channel channel) {
    var stranger = strangers.remove(channel);
    if (stranger != null && stranger.crowd().leave()) {
      crowds.remove(stranger.crowd().origin());
    }
  }

  /**
   * A stranger asks for a handshake.
   *
   * @return how many its origin asked for lately without a login behind them, about, with this one;
   *     0 when it is no stranger
   */
  synchronized int asksForHandshake(Channel channel) {
    var stranger = strangers.get(channel);
    if (stranger == null) {
      return 0;
    }
    var crowd = stranger.crowd();
    recent.asked(crowd.origin(), nanos.getAsLong());
    crowd.asks(recent.of(crowd.origin()));
    return recent.of(crowd.origin());
  }

  private Channel stillest() {
    Channel first = null;
    var mute = 0;
    for (var each : strangers.entrySet()) {
      if (each.getValue().isMute()) {
        first = first == null ? each.getKey() : first;
        mute++;
      }
    }
    return first == null || mute < strangers.size() / MUTE_PART ? stillestOfMost() : first;
  }

  private Channel stillestOfMost() {
    Map.Entry<Channel, Stranger> stillest = null;
    for (var each : strangers.entrySet()) {
      if (stillest == null || each.getValue().goesBefore(stillest.getValue())) {
        stillest = each;
      }
    }
    if (stillest == null) {
      throw new IllegalStateException("there are no strangers");
    }
    return stillest.getKey();
  }

  /** How many there are, and were. */
  synchronized ConnectionCounts counts() {
    return new ConnectionCounts(
        new ConnectionCounts.Part(strangers.size(), limits.strangers()),
        new ConnectionCounts.Part(known.size(), limits.total()),
        entered,
        evicted,
        refused);
  }

  /**
   * The peer has shown who it is. On its event loop.
   *
   * @return why it must go all the same, or null when it may stay
   */
  @Nullable String recognise(Channel channel) {
    Stranger stranger;
    synchronized (this) {
      stranger = strangers.get(channel);
      if (stranger == null) {
        return null; // it is known, or gone
      }
      var origin = stranger.crowd().origin();
      var refusal = refusal(origin);
      if (refusal != null) {
        refused++;
        return refusal;
      }
      strangerNoMore(channel);
      recent.loggedIn(origin);
      known.put(channel, origin);
      knownFrom.merge(origin, 1, Integer::sum);
    }
    stranger.isKnown();
    return null;
  }

  private @Nullable String refusal(Origin origin) {
    if (known.size() >= limits.total()) {
      return "there are " + limits.total() + " connections already";
    }
    if (!origin.local() && knownFrom.getOrDefault(origin, 0) >= limits.perAddress()) {
      return "there are " + limits.perAddress() + " connections from its address already";
    }
    return null;
  }

  synchronized void leave(Channel channel) {
    strangerNoMore(channel);
    var origin = known.remove(channel);
    if (origin != null) {
      knownFrom.computeIfPresent(origin, (from, count) -> count == 1 ? null : count - 1);
    }
  }

  synchronized List<Channel> all() {
    var all = new ArrayList<>(strangers.keySet());
    all.addAll(known.keySet());
    return all;
  }
}
