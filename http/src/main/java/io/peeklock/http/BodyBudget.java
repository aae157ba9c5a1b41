package io.peeklock.http;

import io.peeklock.runtime.intake.HalfReceived;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.thread.AnyThread;
import java.util.concurrent.atomic.AtomicLong;

/** Memory for bodies that many connections share. */
@AnyThread
final class BodyBudget {
  private final String name;
  private final long most;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final HalfReceived halfReceived;

  BodyBudget(String name, long most) {
    this.name = name;
    this.most = most;
    this.halfReceived = new HalfReceived(taken::get, most);
  }

  /** The bodies in it that are not whole. */
  HalfReceived halfReceived() {
    return halfReceived;
  }

  /** Takes the bytes whole, or nothing; false when there are not so many left. */
  boolean take(long bytes) {
    if (taken.addAndGet(bytes) <= most) {
      return true;
    }
    taken.addAndGet(-bytes);
    refused.incrementAndGet();
    return false;
  }

  /** Takes them whether there are so many or not. */
  void takeAnyway(long bytes) {
    taken.addAndGet(bytes);
  }

  /** Whether nothing is left. */
  boolean isFull() {
    return taken.get() >= most;
  }

  /** Counts one that gives its room to others. */
  void gaveWay() {
    refused.incrementAndGet();
  }

  void give(long bytes) {
    taken.addAndGet(-bytes);
  }

  BudgetUse use() {
    return new BudgetUse(name, taken.get(), most, refused.get());
  }
}
