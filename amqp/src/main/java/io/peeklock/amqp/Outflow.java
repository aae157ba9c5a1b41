package io.peeklock.amqp;

import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How a client takes what is written to it: which links hear that it is on its way, which hold what
 * it does not take, and since when it takes nothing. On the connection's event loop.
 */
final class Outflow {
  /** Who takes nothing for so long holds what others wait for, and is closed. */
  static final long STALL_MILLIS = 120_000;

  /** Answers above this stop the reading, see {@link #isUnread}. */
  private static final long UNREAD_HIGH_BYTES = 4 << 20;

  /** What is too little to be told at once is told after so long. */
  private static final long LATE_MILLIS = 1_000;

  private static final long NEVER = Long.MAX_VALUE;

  private final AmqpConnection connection;
  private final Channel channel;
  private final List<NodeLink> soon = new ArrayList<>();
  private final List<NodeLink> late = new ArrayList<>();
  private final Set<NodeLink> holding = new LinkedHashSet<>();
  private long lateAtMillis = NEVER;
  private long stalledSinceMillis = NEVER;
  private long leftBytes;

  Outflow(AmqpConnection connection, Channel channel) {
    this.connection = connection;
    this.channel = channel;
  }

  /** A link wants {@link NodeLink#written} once the present output is on its way. */
  void tell(NodeLink link) {
    soon.add(link);
  }

  /** A link wants {@link NodeLink#writtenLate}. */
  void tellLate(NodeLink link) {
    late.add(link);
    if (late.size() == 1) {
      lateAtMillis = connection.nowMillis() + LATE_MILLIS;
      connection.dueIn(LATE_MILLIS);
    }
  }

  /**
   * A link holds what its client does not take now: {@link NodeLink#checkHeld} every second.
   *
   * @return whether it did not yet
   */
  boolean watch(NodeLink link) {
    if (holding.isEmpty()) {
      connection.dueIn(LATE_MILLIS);
    }
    return holding.add(link);
  }

  void forget(NodeLink link) {
    holding.remove(link);
    soon.remove(link);
    late.remove(link);
  }

  /**
   * Whether so much waits for the socket that nothing more is read: who asks and never reads must
   * not fill our memory. Well above what deliveries take, which wait for room, so that a slow
   * reader can always settle.
   */
  boolean isUnread() {
    return channel.bytesBeforeWritable() > UNREAD_HIGH_BYTES;
  }

  /** Something was handed to the socket, or the socket takes more. */
  void handedOver() {
    if (channel.isWritable()) {
      stalledSinceMillis = NEVER;
      for (var i = 0; i < soon.size(); i++) {
        soon.get(i).written();
      }
      soon.clear();
    } else if (stalledSinceMillis == NEVER) {
      connection.dueIn(0); // looks from now on
    }
  }

  /**
   * Looks at the socket, and tells those who are due.
   *
   * @return when to look again, on the monotonic clock
   */
  long check(long nowMillis) {
    var left = channel.isWritable() ? 0 : Math.max(1, channel.bytesBeforeWritable());
    if (left == 0) {
      stalledSinceMillis = NEVER;
    } else if (stalledSinceMillis == NEVER || left < leftBytes) {
      stalledSinceMillis = nowMillis;
    }
    leftBytes = left;
    if (nowMillis >= lateAtMillis && left == 0) {
      lateAtMillis = NEVER;
      for (var i = 0; i < late.size(); i++) {
        late.get(i).writtenLate();
      }
      late.clear();
    } else if (nowMillis >= lateAtMillis) {
      lateAtMillis = nowMillis + LATE_MILLIS;
    }
    var stalled = stalledSinceMillis == NEVER ? NEVER : stalledSinceMillis + STALL_MILLIS;
    return Math.min(Math.min(lateAtMillis, stalled), checkHolding(nowMillis));
  }

  private long checkHolding(long nowMillis) {
    for (var link : List.copyOf(holding)) {
      if (!link.checkHeld(nowMillis)) {
        holding.remove(link);
      }
    }
    return holding.isEmpty() ? NEVER : nowMillis + LATE_MILLIS;
  }

  /** Whether the client has taken nothing of what waits for it for too long. */
  boolean isStalled(long nowMillis) {
    return stalledSinceMillis != NEVER && nowMillis - stalledSinceMillis >= STALL_MILLIS;
  }
}
