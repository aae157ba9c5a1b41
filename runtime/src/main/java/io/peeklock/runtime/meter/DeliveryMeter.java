package io.peeklock.runtime.meter;

import io.peeklock.kernel.queue.DeliveryRoom;

/**
 * What is under way to the receivers of a shard, and how much that may be. Written on the home,
 * read from any thread.
 */
public final class DeliveryMeter {
  private volatile long most = Long.MAX_VALUE;
  private volatile long taken;
  private volatile long heldUp;
  private long heldUpBefore;

  /** From the next start of the shard on this is all there is; to be called before it. */
  public void bound(long bytes) {
    most = bytes;
  }

  /** A machine begins, with nothing under way. */
  public void begin(DeliveryRoom room) {
    heldUpBefore = heldUp;
    room.bound(most);
    note(room);
  }

  /** A step is over. */
  public void note(DeliveryRoom room) {
    taken = room.taken();
    heldUp = heldUpBefore + room.heldUp();
  }

  /** Whether so much is under way that receivers are given little, or wait for each other. */
  public boolean isScarce() {
    return taken >= most / 2;
  }

  /** Whoever finds it full is not refused but waits. */
  public BudgetUse use() {
    return new BudgetUse("deliveries", taken, most, heldUp);
  }
}
