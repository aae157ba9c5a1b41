package io.peeklock.kernel.state;

import io.peeklock.kernel.request.DeliveryPortion;

/**
 * The bytes that may be under way to all receivers of a shard in sum, so that those who do not read
 * cannot fill the memory of all. Below half of it each receiver may have {@link
 * Receiver#BUDGET_BYTES}; above, only so much that it goes on. The last quarter is for queues that
 * have little under way, each as much as a small part of what is left of it, so that receivers of
 * one queue that do not read leave something to those of others; at the whole nobody is given
 * anything until some have left. Volatile.
 */
public final class DeliveryBudget {

  /** A large message passes in pieces: no receiver holds more of it than this. */
  private static final long MOST_OF_ONE = 2 * Receiver.BUDGET_BYTES;

  private static final int KEPT_PART = 4;
  private static final int QUEUE_PART = 16;

  /** In the last part a message takes no more than a quarter of what is left of it. */
  private static final int MESSAGE_PART = QUEUE_PART / 4;

  private long most = Long.MAX_VALUE;
  private long taken;
  private long heldUp;
  private int starved;

  DeliveryBudget() {}

  /** From now on this is all there is. */
  public void bound(long bytes) {
    most = bytes;
  }

  /** How much may be. */
  public long most() {
    return most;
  }

  /** Bytes that are under way. */
  public long taken() {
    return taken;
  }

  /** How often a queue with messages and receivers was found to have to wait. */
  public long heldUp() {
    return heldUp;
  }

  void holdUp() {
    heldUp++;
  }

  /** So many more queues wait for room with nothing under way, or below 0, fewer. */
  void starves(int change) {
    starved += change;
  }

  /**
   * How many queues with messages and receivers wait for room with nothing under way. One for which
   * room has come meanwhile counts until it is looked at.
   */
  public int starved() {
    return starved;
  }

  /** The bytes that are under way to one receiver are other ones now; by how many they count. */
  public long changed(long before, long after) {
    long change = Math.min(after, MOST_OF_ONE) - Math.min(before, MOST_OF_ONE);
    taken += change;
    return change;
  }

  /** Whether a queue may have its next message under way too. */
  public boolean isFor(QueueState queue) {
    return asks(queue) <= mostForMoreAt(taken);
  }

  /**
   * What {@link #mostForMore} must be for a queue: what it has under way, or a part of its next
   * message where that is more, for whoever has nothing under way may have a message.
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

  /** The most that a queue {@link #asks} that may have more; below 0 for none. */
  long mostForMore() {
    return mostForMoreAt(taken);
  }

  private long mostForMoreAt(long bytes) {
    if (bytes >= most) {
      return -1;
    }
    return bytes < most - most / KEPT_PART ? Long.MAX_VALUE - 1 : (most - bytes) / QUEUE_PART;
  }

  public DeliveryBudgetLevel level() {
    return levelAt(taken);
  }

  private DeliveryBudgetLevel levelAt(long bytes) {
    if (bytes < most / 2) {
      return DeliveryBudgetLevel.AMPLE;
    }
    return bytes < most ? DeliveryBudgetLevel.SCARCE : DeliveryBudgetLevel.NONE;
  }

  /** For a queue that has so much under way. */
  public Draw draw(long underWay) {
    return new Draw(this, underWay);
  }

  /** What one decision takes of it, before that is applied. */
  public static final class Draw {
    private final DeliveryBudget room;
    private long taken;
    private long ofQueue;

    private Draw(DeliveryBudget room, long ofQueue) {
      this.room = room;
      this.taken = room.taken;
      this.ofQueue = ofQueue;
    }

    public void take(long bytes) {
      taken += Math.min(bytes, MOST_OF_ONE);
      ofQueue += Math.min(bytes, MOST_OF_ONE);
    }

    /** Whether there is room for a message of so many bytes. */
    public boolean fits(long bytes) {
      return ofMessage(bytes) <= room.mostForMoreAt(taken);
    }

    /** Whether a receiver with so many bytes under way may be given another message. */
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
