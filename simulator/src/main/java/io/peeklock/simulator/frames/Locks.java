package io.peeklock.simulator.frames;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Locks by names that no other lock of a run has. */
final class Locks {
  /** A token that no process gave. */
  static final UUID NOBODY = new UUID(1, 2);

  private final Map<UUID, Long> names = new HashMap<>();
  private final Map<Long, Lock> locks = new HashMap<>();
  private long last;

  /**
   * A lock.
   *
   * @param on the link that its delivery came on; null for a deferred message
   */
  record Lock(UUID token, @Nullable Link on, long deliveryId) {}

  /** The name of a new lock, or of one that has one. */
  long name(UUID token, @Nullable Link on, long deliveryId) {
    var known = names.get(token);
    if (known == null) {
      known = ++last;
      names.put(token, known);
    }
    locks.put(known, new Lock(token, on, deliveryId));
    return known;
  }

  @Nullable Lock lock(long name) {
    return locks.get(name);
  }

  UUID token(long name) {
    var lock = locks.get(name);
    return lock == null ? NOBODY : lock.token();
  }

  /** Its delivery is settled by the client, once. */
  void settled(long name) {
    locks.computeIfPresent(name, (same, lock) -> new Lock(lock.token(), null, 0));
  }

  /** Tokens of another process mean nothing. */
  void restarted() {
    names.clear();
    locks.clear();
  }

  /** The token in a delivery tag, whose first half is in .NET's order. */
  static UUID ofTag(byte[] tag) {
    var little = ByteBuffer.wrap(tag).order(ByteOrder.LITTLE_ENDIAN);
    var high =
        ((long) little.getInt()) << 32
            | (little.getShort() & 0xffffL) << 16
            | (little.getShort() & 0xffffL);
    return new UUID(high, little.order(ByteOrder.BIG_ENDIAN).getLong());
  }
}
