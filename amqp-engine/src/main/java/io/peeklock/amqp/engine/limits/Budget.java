package io.peeklock.amqp.engine.limits;

import java.util.concurrent.atomic.AtomicLong;

/**
 * An amount of memory that many connections share. Who takes must give back. Safe for any thread.
 */
public final class Budget {
  private static final int LITTLE_PART = 32;
  private static final int PART_FOR_LITTLE = 4;

  private final long most;
  private final long little;
  private final long forLittle;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  /** One of which a quarter is left to those who hold no more than a 32nd. */
  public Budget(long most) {
    this(most, most / LITTLE_PART, most / PART_FOR_LITTLE);
  }

  /**
   * One that leaves a part to those who hold little, so that however greedy some are, who comes
   * next and wants little finds room.
   *
   * @param little how much that is
   * @param forLittle how much is left to them
   */
  public Budget(long most, long little, long forLittle) {
    this.most = most;
    this.little = little;
    this.forLittle = forLittle;
  }

  /** Takes the amount whole, or nothing; false when there is not so much left. */
  public boolean take(long amount) {
    return takeBelow(most, amount);
  }

  /**
   * Takes the amount for one who holds so much already: a part is left to those who hold little.
   */
  public boolean takeFairly(long held, long amount) {
    return takeFairlyBelow(most, held, amount);
  }

  /** The same for those who may fill it no further than to a mark. */
  public boolean takeFairlyBelow(long mark, long held, long amount) {
    return takeBelow(mark - leftToLittle(held + amount), amount);
  }

  private long leftToLittle(long holding) {
    return holding <= little ? 0 : forLittle;
  }

  private boolean takeBelow(long mark, long amount) {
    if (taken.addAndGet(amount) <= mark) {
      return true;
    }
    taken.addAndGet(-amount);
    refuse();
    return false;
  }

  /** Takes the amount in any case; false when that is more than there was. */
  public boolean takeAnyway(long amount) {
    return takeAnywayBelow(most, amount);
  }

  /** The same for one who holds so much already: a part is left to those who hold little. */
  public boolean takeAnyway(long held, long amount) {
    return takeAnywayBelow(most - leftToLittle(held + amount), amount);
  }

  private boolean takeAnywayBelow(long mark, long amount) {
    if (taken.addAndGet(amount) <= mark) {
      return true;
    }
    refuse();
    return false;
  }

  /** Whether more is taken than may be, for one who holds so much; a part is left to others. */
  public boolean isOver(long held) {
    return taken.get() > most - leftToLittle(held);
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
