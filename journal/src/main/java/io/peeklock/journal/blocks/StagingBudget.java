package io.peeklock.journal.blocks;

import io.peeklock.runtime.intake.HalfReceived;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.thread.AnyThread;
import java.util.concurrent.atomic.AtomicLong;

/** How much is staged by all arenas together. */
@AnyThread
public final class StagingBudget {
  private final long boundBytes;
  private final AtomicLong stagedBytes = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final HalfReceived halfReceived;

  public StagingBudget(long boundBytes) {
    this.boundBytes = boundBytes;
    this.halfReceived = new HalfReceived(stagedBytes::get, boundBytes);
  }

  /** The bodies in it that are not whole. */
  HalfReceived halfReceived() {
    return halfReceived;
  }

  void add(long bytes) {
    stagedBytes.addAndGet(bytes);
  }

  /** Takes as much as asked for, or nothing. */
  public boolean take(long bytes) {
    if (stagedBytes.addAndGet(bytes) > boundBytes) {
      stagedBytes.addAndGet(-bytes);
      refused.incrementAndGet();
      return false;
    }
    return true;
  }

  /** Counts one that gives its room to others. */
  void gaveWay() {
    refused.incrementAndGet();
  }

  public void giveBack(long bytes) {
    stagedBytes.addAndGet(-bytes);
  }

  public long stagedBytes() {
    return stagedBytes.get();
  }

  public long boundBytes() {
    return boundBytes;
  }

  public BudgetUse use(String name) {
    return new BudgetUse(name, stagedBytes.get(), boundBytes, refused.get());
  }

  /** Whether more than half is taken: who can wait should. */
  public boolean isScarce() {
    return stagedBytes.get() > boundBytes / 2;
  }

  boolean hasRoom() {
    return stagedBytes.get() < boundBytes;
  }
}
