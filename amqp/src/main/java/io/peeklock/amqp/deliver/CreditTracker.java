package io.peeklock.amqp.deliver;

import org.jspecify.annotations.Nullable;

/**
 * Translates a receiver's credit to demand at the shard. Both count deliveries from the start of
 * the link, but differently: a drain that the client took back uses up demand at the shard and none
 * at the client. The difference is kept here. While the shard works on a drain nothing else is sent
 * to it, so that its answer is unambiguous.
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

  /** The demand to send to the shard. */
  record Change(long limit, boolean drain) {}

  /** Notes the client's credit. */
  void asked(long limit, boolean drain) {
    askedLimit = limit;
    askedDrain = drain;
    changed = true;
    drainDone &= drainAskedLimit == limit;
  }

  /** Notes messages that the shard delivered. */
  void given(int count) {
    shardTaken += count;
  }

  /** Notes messages given back undelivered. */
  void returned(int count) {
    shardTaken -= count;
  }

  /** Notes that the shard has ended the drain. */
  void drained() {
    draining = false;
    shardTaken = Math.max(shardTaken, shardLimit);
    drainDone = drainAskedLimit == askedLimit;
    changed |= !drainDone;
  }

  /** Whether the drain can be confirmed to the client. */
  boolean drainIsDone(long limit) {
    if (drainDone && drainAskedLimit == limit) {
      drainDone = false;
      return true;
    }
    return false;
  }

  /** Notes that the client took a drain back whose end it was to be told. */
  void takenBack() {
    changed = true;
  }

  boolean isCapped() {
    return capped;
  }

  /**
   * What to tell the shard now.
   *
   * @param taken deliveries that were written, or wait here
   * @param cap the most deliveries that its unsettled ones allow
   * @return null when there is nothing new
   */
  @Nullable Change next(long taken, long cap) {
    if (draining || drainDone || !(changed || capped)) {
      return null; // a drain that the client does not know to be over is no demand
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
