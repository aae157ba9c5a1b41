package io.peeklock.transport;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
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
  }

  /**
   * Lets a connection in, which must {@link #leave}. Where there are as many strangers as may be,
   * one of them is closed: of those of which nothing was heard yet, where these are many, the one
   * that came first; else, of the origin that has most of them, the one that was not heard for
   * longest. So whoever keeps connections open without a login shuts out nobody, though he has many
   * addresses.
   *
   * @return whether another one had to go
   */
  boolean enter(Channel channel, InetAddress address) {
    var stranger = new Stranger(Origin.of(address), nanos);
    Channel gone = null;
    synchronized (this) {
      entered++;
      if (strangers.size() >= limits.strangers()) {
        gone = stillest();
        strangers.remove(gone);
        evicted++;
      }
      strangers.put(channel, stranger);
    }
    channel.pipeline().addFirst("stranger", stranger);
    if (gone != null) {
      Listener.drop(gone); // outside of the lock: others may hear of its end at once
    }
    return gone != null;
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
    var ofOrigins = new HashMap<Origin, Integer>();
    strangers.values().forEach(each -> ofOrigins.merge(each.origin(), 1, Integer::sum));
    var most = Collections.max(ofOrigins.values());
    Map.Entry<Channel, Stranger> stillest = null;
    for (var each : strangers.entrySet()) {
      if (most.equals(ofOrigins.get(each.getValue().origin()))
          && (stillest == null || each.getValue().isStillerThan(stillest.getValue()))) {
        stillest = each;
      }
    }
    if (stillest == null) {
      throw new IllegalStateException("no origin has the most strangers");
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
      var refusal = refusal(stranger.origin());
      if (refusal != null) {
        refused++;
        return refusal;
      }
      strangers.remove(channel);
      known.put(channel, stranger.origin());
      knownFrom.merge(stranger.origin(), 1, Integer::sum);
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
    strangers.remove(channel);
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
