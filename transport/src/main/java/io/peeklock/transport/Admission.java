package io.peeklock.transport;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
  private final Set<Channel> strangers = new HashSet<>();
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
  synchronized @Nullable String enter(Channel channel, InetAddress address) {
    var refusal = refusal(address);
    if (refusal != null) {
      refused++;
      return refusal;
    }
    entered++;
    perAddress.merge(address, 1, Integer::sum);
    strangers.add(channel);
    open.add(channel);
    return null;
  }

  private @Nullable String refusal(InetAddress address) {
    if (open.size() >= limits.total()) {
      return "there are " + limits.total() + " connections already";
    }
    if (strangers.size() >= limits.strangers()) {
      return "there are " + limits.strangers() + " connections without a login already";
    }
    var fromThere = perAddress.getOrDefault(address, 0);
    if (fromThere >= limits.perAddress()) {
      return "there are " + limits.perAddress() + " connections from its address already";
    }
    return null;
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
