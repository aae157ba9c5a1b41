package io.peeklock.amqp.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * An amount of memory that many connections share. Who takes must give back. Safe for any thread.
 */
public final class Budget {
  private final long most;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  public Budget(long most) {
    this.most = most;
  }

  /** Takes the amount whole, or nothing; false when there is not so much left. */
  public boolean take(long amount) {
    return takeBelow(most, amount);
  }

  /** The same for those who may fill it no further than to a mark. */
  public boolean takeBelow(long mark, long amount) {
    if (taken.addAndGet(amount) <= mark) {
      return true;
    }
    taken.addAndGet(-amount);
    refuse();
    return false;
  }

  /** Takes the amount in any case; false when that is more than there was. */
  public boolean takeAnyway(long amount) {
    if (taken.addAndGet(amount) <= most) {
      return true;
    }
    refuse();
    return false;
  }

  /** Counts one who is refused because of a bound of its own, which keeps it from this one. */
  public void refuse() {
    refused.incrementAndGet();
  }

  /** How often somebody was refused. */
  public long refused() {
    return refused.get();
  }

  /** Gives back what was taken. */
  public void give(long amount) {
    taken.addAndGet(-amount);
  }

  /** How much may be taken in all. */
  public long most() {
    return most;
  }

  /** How much is taken now. */
  public long taken() {
    return taken.get();
  }
}
