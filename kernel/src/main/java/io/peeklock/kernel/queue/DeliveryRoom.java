package io.peeklock.kernel.queue;

import io.peeklock.kernel.DeliveryPortion;

/**
 * The bytes that may be under way to all receivers of a shard in sum, so that those who do not read
 * cannot fill the memory of all. Below half of it each receiver may have {@link
 * Receiver#BUDGET_BYTES}; above, only so much that it goes on; at the whole nobody is given
 * anything until some have left. Volatile.
 */
public final class DeliveryRoom {

  /** A large message passes in pieces: no receiver holds more of it than this. */
  private static final long MOST_OF_ONE = 2 * Receiver.BUDGET_BYTES;

  private long most = Long.MAX_VALUE;
  private long taken;
  private long heldUp;

  DeliveryRoom() {}

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

  /** The bytes that are under way to one receiver are other ones now. */
  void changed(long before, long after) {
    taken += Math.min(after, MOST_OF_ONE) - Math.min(before, MOST_OF_ONE);
  }

  /** What it allows, from least to most. */
  enum Level {
    /** Nobody is given anything. */
    NONE,

    /** Those who have little under way are given something. */
    SCARCE,

    /** Each receiver may have all that it may at most. */
    AMPLE
  }

  Level level() {
    return levelAt(taken);
  }

  private Level levelAt(long bytes) {
    if (bytes < most / 2) {
      return Level.AMPLE;
    }
    return bytes < most ? Level.SCARCE : Level.NONE;
  }

  Draw draw() {
    return new Draw(this);
  }

  /** What one decision takes of it, before that is applied. */
  static final class Draw {
    private final DeliveryRoom room;
    private long taken;

    private Draw(DeliveryRoom room) {
      this.room = room;
      this.taken = room.taken;
    }

    void take(long bytes) {
      taken += Math.min(bytes, MOST_OF_ONE);
    }

    /** Whether a receiver with so many bytes under way may be given another message. */
    boolean allows(long underWay) {
      return switch (room.levelAt(taken)) {
        case AMPLE -> underWay < Receiver.BUDGET_BYTES;
        case SCARCE -> underWay < DeliveryPortion.BYTES;
        case NONE -> false;
      };
    }
  }
}
