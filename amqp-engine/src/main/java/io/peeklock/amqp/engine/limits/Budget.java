package io.peeklock.amqp.engine.limits;

import java.util.concurrent.atomic.AtomicLong;

/**
 * An amount of memory that many connections share. What is taken must be given back. Thread-safe.
 */
public final class Budget {
  private static final int LITTLE_PART = 32;
  private static final int PART_FOR_LITTLE = 4;

  private final long most;
  private final long little;
  private final long forLittle;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  /** A budget that reserves a quarter for holders of no more than a 32nd. */
  public Budget(long most) {
    this(most, most / LITTLE_PART, most / PART_FOR_LITTLE);
  }

  /**
   * A budget that reserves a part for holders of little, so that small amounts find room even when
   * some connections take as much as they can.
   *
   * @param little the most that counts as little
   * @param forLittle the reserved part
   */
  public Budget(long most, long little, long forLittle) {
    this.most = most;
    this.little = little;
    this.forLittle = forLittle;
  }

  /** Takes the whole amount, or nothing; false when not enough is left. */
  public boolean take(long amount) {
    return takeBelow(most, amount);
  }

  /** Takes the amount for a holder of {@code held}: the reserved part is for holders of little. */
  public boolean takeFairly(long held, long amount) {
    return takeFairlyBelow(most, held, amount);
  }

  /** The same, for a holder that may fill the budget only up to a mark. */
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

  /** Takes the amount in any case; false when the budget is exceeded. */
  public boolean takeAnyway(long amount) {
    return takeAnywayBelow(most, amount);
  }

  /** The same for a holder of {@code held}: the reserved part is for holders of little. */
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

  /**
   * Whether the budget is exceeded for a holder of {@code held}; the reserved part is for holders
   * of little.
   */
  public boolean isOver(long held) {
    return taken.get() > most - leftToLittle(held);
  }

  /** Counts a refusal because of a limit of the holder's own, which protects this budget. */
  public void refuse() {
    refused.incrementAndGet();
  }

  /** How often an amount was refused. */
  public long refused() {
    return refused.get();
  }

  /** Gives back what was taken. */
  public void give(long amount) {
    taken.addAndGet(-amount);
  }

  /** The size of the budget. */
  public long most() {
    return most;
  }

  /** How much is taken now. */
  public long taken() {
    return taken.get();
  }
}
