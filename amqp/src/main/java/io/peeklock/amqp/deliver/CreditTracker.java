package io.peeklock.amqp.deliver;

import org.jspecify.annotations.Nullable;

/**
 * A receiver's credit, told to the shard. The client and the shard count deliveries from the start
 * of the link, but not alike: a drain that the client took back in between uses up demand at the
 * shard and none at the client. The difference is kept here. While the shard works on a drain,
 * nothing else is told, so that its answer is never mistaken.
 */
final class CreditTracker {
  private long askedLimit;
  private boolean askedDrain;
  private boolean changed;

  private long shardTaken;
  private long shardLimit;
  private long drainAskedLimit = -1;
  private boolean draining;
  private boolean drainDone;
  private boolean capped;

  /** What to tell the shard. */
  record Change(long limit, boolean drain) {}

  /** The client said this. */
  void asked(long limit, boolean drain) {
    askedLimit = limit;
    askedDrain = drain;
    changed = true;
    drainDone &= drainAskedLimit == limit;
  }

  /** The shard gave messages. */
  void given(int count) {
    shardTaken += count;
  }

  /** Messages went back to the shard undelivered. */
  void returned(int count) {
    shardTaken -= count;
  }

  /** The shard has used up its demand for the drain. */
  void drained() {
    draining = false;
    shardTaken = Math.max(shardTaken, shardLimit);
    drainDone = drainAskedLimit == askedLimit;
    changed |= !drainDone;
  }

  /** Whether the client may be told that its drain is over. */
  boolean drainIsDone(long limit) {
    if (drainDone && drainAskedLimit == limit) {
      drainDone = false;
      return true;
    }
    return false;
  }

  boolean isCapped() {
    return capped;
  }

  /**
   * What to tell the shard now.
   *
   * @param taken deliveries that the client has, or that wait for it
   * @param cap as many deliveries as the client may have, for its unsettled ones
   * @return null when there is nothing new
   */
  @Nullable Change next(long taken, long cap) {
    if (draining || !(changed || capped)) {
      return null;
    }
    changed = false;
    capped = askedLimit > cap;
    var limit = shardTaken + Math.min(askedLimit, cap) - taken;
    var drain = askedDrain;
    if (limit == shardLimit && !drain) {
      return null;
    }
    shardLimit = Math.max(0, limit);
    if (drain) {
      draining = true;
      drainAskedLimit = askedLimit;
      askedDrain = false;
    }
    return new Change(shardLimit, drain);
  }
}
