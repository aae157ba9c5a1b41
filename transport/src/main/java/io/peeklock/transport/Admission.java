package io.peeklock.transport;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts connections against their limits. Callable from any thread; touched a few times in the
 * life of a connection, never by a message.
 */
final class Admission {
  private final ConnectionLimits limits;
  private final Map<InetAddress, Integer> perAddress = new HashMap<>();

  /** Those who have not logged in and where they are from, the oldest first. */
  private final Map<Channel, InetAddress> strangers = new LinkedHashMap<>();

  private final Set<Channel> open = new HashSet<>();
  private long entered;
  private long refused;

  Admission(ConnectionLimits limits) {
    this.limits = limits;
  }

  /**
   * Lets a connection in, or says why not. One that was let in must {@link #leave}.
   *
   * @return null when it is in
   */
  @Nullable String enter(Channel channel, InetAddress address) {
    Channel gone;
    String refusal;
    synchronized (this) {
      gone = makeRoomFor(address);
      refusal = refusal(address);
      if (refusal == null) {
        entered++;
        perAddress.merge(address, 1, Integer::sum);
        strangers.put(channel, address);
        open.add(channel);
      } else {
        refused++;
      }
    }
    if (gone != null) {
      Listener.drop(gone); // outside of the lock: others may hear of its end at once
    }
    return refusal;
  }

  private @Nullable String refusal(InetAddress address) {
    if (open.size() >= limits.total()) {
      return "there are " + limits.total() + " connections already";
    }
    if (perAddress.getOrDefault(address, 0) >= limits.perAddress()) {
      return "there are " + limits.perAddress() + " connections from its address already";
    }
    return null;
  }

  /**
   * Where there are as many strangers as may be, or no place is left, the oldest stranger of the
   * address that has most of them must go: whoever keeps connections open without a login shuts out
   * nobody who comes after.
   */
  private @Nullable Channel makeRoomFor(InetAddress address) {
    var full = strangers.size() >= limits.strangers() || open.size() >= limits.total();
    if (!full
        || strangers.isEmpty()
        || perAddress.getOrDefault(address, 0) >= limits.perAddress()) {
      return null;
    }
    var ofPlaces = new HashMap<InetAddress, Integer>();
    strangers.values().forEach(from -> ofPlaces.merge(from, 1, Integer::sum));
    var most = Collections.max(ofPlaces.values());
    for (var stranger : strangers.entrySet()) {
      if (most.equals(ofPlaces.get(stranger.getValue()))) {
        leave(stranger.getKey(), stranger.getValue());
        refused++;
        return stranger.getKey();
      }
    }
    throw new IllegalStateException("no address has the most strangers");
  }

  /** How many there are, and were. */
  synchronized ConnectionCounts counts() {
    return new ConnectionCounts(open.size(), entered, refused);
  }

  /** The peer has shown who it is. */
  synchronized void recognise(Channel channel) {
    strangers.remove(channel);
  }

  synchronized void leave(Channel channel, InetAddress address) {
    if (open.remove(channel)) {
      strangers.remove(channel);
      perAddress.computeIfPresent(address, (ignored, count) -> count == 1 ? null : count - 1);
    }
  }

  synchronized List<Channel> all() {
    return new ArrayList<>(open);
  }
}
