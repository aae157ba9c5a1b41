package io.peeklock.kernel.state;

import io.peeklock.kernel.request.DeliveryPortion;

/**
 * Limits the bytes that are in flight to all receivers of a shard together, so that receivers that
 * do not read cannot fill the memory. Below half of it each receiver may have {@link
 * Receiver#BUDGET_BYTES}; above, only enough to keep going. The last quarter is for queues that
 * have little in flight: each may have a small part of what is left of it, so that idle receivers
 * of one queue leave room for those of others. When all of it is used nobody gets anything until
 * some bytes have left. Volatile.
 */
public final class DeliveryBudget {

  /** The most bytes that a message counts as: a large one passes in pieces. */
  private static final long MOST_OF_ONE = 2 * Receiver.BUDGET_BYTES;

  private static final int KEPT_PART = 4;
  private static final int QUEUE_PART = 16;

  /** In the last part a message may take a quarter of what is left at most. */
  private static final int MESSAGE_PART = QUEUE_PART / 4;

  private long most = Long.MAX_VALUE;
  private long taken;
  private long heldUp;
  private int starved;

  DeliveryBudget() {}

  /** Sets the budget, in bytes. */
  public void bound(long bytes) {
    most = bytes;
  }

  /** The budget, in bytes. */
  public long most() {
    return most;
  }

  /** The bytes in flight. */
  public long taken() {
    return taken;
  }

  /** How often a queue with messages and receivers had to start waiting for room. */
  public long heldUp() {
    return heldUp;
  }

  void holdUp() {
    heldUp++;
  }

  /** Changes the number of queues that wait for room with nothing in flight. */
  void starves(int change) {
    starved += change;
  }

  /**
   * How many queues with messages and receivers wait for room with nothing in flight. A queue that
   * has room by now counts until it is refreshed.
   */
  public int starved() {
    return starved;
  }

  /** Changes the bytes in flight to one receiver, and returns the change as it counts. */
  public long changed(long before, long after) {
    long change = Math.min(after, MOST_OF_ONE) - Math.min(before, MOST_OF_ONE);
    taken += change;
    return change;
  }

  /** Whether there is room for the next message of a queue. */
  public boolean isFor(QueueState queue) {
    return asks(queue) <= mostForMoreAt(taken);
  }

  /**
   * The least {@link #mostForMore} with which a queue may deliver: its bytes in flight, or a part
   * of its next message if that is more.
   */
  long asks(QueueState queue) {
    long underWay = queue.underWay;
    return taken < most - most / KEPT_PART
        ? underWay // there is room for all
        : Math.max(underWay, ofMessage(NextDelivery.bytes(queue)));
  }

  private static long ofMessage(long bytes) {
    return Math.min(bytes, MOST_OF_ONE) / MESSAGE_PART;
  }

  /** The largest {@link #asks} of a queue that may deliver; below 0 when none may. */
  long mostForMore() {
    return mostForMoreAt(taken);
  }

  private long mostForMoreAt(long bytes) {
    if (bytes >= most) {
      return -1;
    }
    return bytes < most - most / KEPT_PART ? Long.MAX_VALUE - 1 : (most - bytes) / QUEUE_PART;
  }

  /** The level at the bytes in flight now. */
  public DeliveryBudgetLevel level() {
    return levelAt(taken);
  }

  private DeliveryBudgetLevel levelAt(long bytes) {
    if (bytes < most / 2) {
      return DeliveryBudgetLevel.AMPLE;
    }
    return bytes < most ? DeliveryBudgetLevel.SCARCE : DeliveryBudgetLevel.NONE;
  }

  /** Begins a draw for a queue with {@code underWay} bytes in flight. */
  public Draw draw(long underWay) {
    return new Draw(this, underWay);
  }

  /** What one decision takes of the budget, before it is applied. */
  public static final class Draw {
    private final DeliveryBudget room;
    private long taken;
    private long ofQueue;

    private Draw(DeliveryBudget room, long ofQueue) {
      this.room = room;
      this.taken = room.taken;
      this.ofQueue = ofQueue;
    }

    /** Takes the bytes of one message. */
    public void take(long bytes) {
      taken += Math.min(bytes, MOST_OF_ONE);
      ofQueue += Math.min(bytes, MOST_OF_ONE);
    }

    /** Whether there is room for a message of this size. */
    public boolean fits(long bytes) {
      return ofMessage(bytes) <= room.mostForMoreAt(taken);
    }

    /** Whether a receiver with this many bytes in flight may get another message. */
    public boolean allows(long underWay) {
      if (ofQueue > room.mostForMoreAt(taken)) {
        return false;
      }
      return switch (room.levelAt(taken)) {
        case AMPLE -> underWay < Receiver.BUDGET_BYTES;
        case SCARCE -> underWay < DeliveryPortion.BYTES;
        case NONE -> false;
      };
    }
  }
}
