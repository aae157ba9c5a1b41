package io.peeklock.journal.blocks;

import io.peeklock.runtime.intake.HalfReceived;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.thread.AnyThread;
import java.util.concurrent.atomic.AtomicLong;

/** The budget of the bytes that all arenas stage together. */
@AnyThread
public final class StagingBudget {
  private final long boundBytes;
  private final AtomicLong stagedBytes = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final HalfReceived halfReceived;

  /** A budget of this many bytes. */
  public StagingBudget(long boundBytes) {
    this.boundBytes = boundBytes;
    this.halfReceived = new HalfReceived(stagedBytes::get, boundBytes);
  }

  /** The unfinished bodies in it. */
  HalfReceived halfReceived() {
    return halfReceived;
  }

  void add(long bytes) {
    stagedBytes.addAndGet(bytes);
  }

  /** Takes {@code bytes}, or nothing and returns false. */
  public boolean take(long bytes) {
    if (stagedBytes.addAndGet(bytes) > boundBytes) {
      stagedBytes.addAndGet(-bytes);
      refused.incrementAndGet();
      return false;
    }
    return true;
  }

  /** Counts a body that gave way. */
  void gaveWay() {
    refused.incrementAndGet();
  }

  /** Gives back bytes that were taken. */
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

  /** Whether more than half is taken, so that senders that can wait should. */
  public boolean isScarce() {
    return stagedBytes.get() > boundBytes / 2;
  }

  boolean hasRoom() {
    return stagedBytes.get() < boundBytes;
  }
}
