package io.peeklock.kernel.state;

import io.peeklock.kernel.state.Receiver.Lot;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The demand of a queue's receivers, in order of arrival (S-087). Each increase of a receiver's
 * demand is a lot at the end of the line; a decrease takes from its newest lots. A receiver whose
 * earlier bytes have not reached its socket is skipped without losing its place.
 */
public final class Demand {

  /**
   * A receiver with this many lots adds further demand to its newest lot, so that lots stay few.
   */
  public static final int MAX_LOTS = 64;

  private @Nullable Lot first;
  private @Nullable Lot last;
  private int servable;
  private int light;
  private int lightWithoutLock;
  private int lockingDrains;
  private final Set<Receiver> draining = new LinkedHashSet<>();
  private final Set<Receiver> idleDrains = new LinkedHashSet<>();

  /** The first lot of the line. */
  public @Nullable Lot first() {
    return first;
  }

  /** Whether some receiver has demand and room of its own for a message. */
  public boolean isServable() {
    return servable > 0;
  }

  /** The same where room is scarce. */
  public boolean isServableLightly() {
    return light > 0;
  }

  /** Whether some receiver that takes no locks can get a message when room is scarce. */
  public boolean isServableWithoutLock() {
    return lightWithoutLock > 0;
  }

  /** The receivers that wait for the end of a drain. */
  public Iterable<Receiver> draining() {
    return draining;
  }

  /** Whether any receiver drains. */
  public boolean hasDrains() {
    return !draining.isEmpty();
  }

  /** Whether a draining receiver takes messages under lock. */
  public boolean hasLockingDrains() {
    return lockingDrains > 0;
  }

  /** The draining receivers without demand, whose drain can end although messages are available. */
  public Iterable<Receiver> idleDrains() {
    return idleDrains;
  }

  /** Whether any receiver drains without demand. */
  public boolean hasIdleDrains() {
    return !idleDrains.isEmpty();
  }

  /** Sets a receiver's demand, as in {@code Request.Flow}. */
  public void set(Receiver receiver, long deliveryLimit, boolean drain) {
    leave(receiver);
    receiver.deliveryLimit = Math.max(0, deliveryLimit);
    receiver.draining = drain;
    enter(receiver);
  }

  /** Uses demand for deliveries. */
  public void use(Receiver receiver, long deliveries, long bytes, long index) {
    leave(receiver);
    long left = deliveries;
    while (left > 0) {
      Lot oldest = receiver.lots.getFirst();
      long taken = Math.min(left, oldest.count);
      take(oldest, taken);
      left -= taken;
    }
    receiver.deliveries += deliveries;
    receiver.unsentBytes += bytes;
    receiver.newestIndex = Math.max(receiver.newestIndex, index);
    enter(receiver);
  }

  /** Returns bytes that left and deliveries that came back undelivered. */
  public void giveBack(Receiver receiver, int undelivered, long bytes) {
    leave(receiver);
    receiver.deliveries = Math.max(0, receiver.deliveries - undelivered);
    receiver.unsentBytes = Math.max(0, receiver.unsentBytes - bytes);
    enter(receiver);
  }

  /** Ends a drain, which gives the unused demand back. */
  public void endDrain(Receiver receiver) {
    leave(receiver);
    receiver.deliveries = Math.max(receiver.deliveries, receiver.deliveryLimit);
    receiver.draining = false;
    enter(receiver);
  }

  /** Removes a receiver with its demand. */
  public void close(Receiver receiver) {
    leave(receiver);
    receiver.draining = false;
    receiver.lots.forEach(this::unlink);
    receiver.lots.clear();
  }

  /** Takes a receiver out of the counts, before it changes. */
  private void leave(Receiver receiver) {
    servable -= receiver.isServable() ? 1 : 0;
    light -= receiver.isServableLightly() ? 1 : 0;
    lightWithoutLock -= receiver.isServableLightly() && !receiver.locks() ? 1 : 0;
    if (receiver.draining) {
      draining.remove(receiver);
      idleDrains.remove(receiver);
      lockingDrains -= receiver.locks() ? 1 : 0;
    }
  }

  /** Adds a receiver to the counts again, and adjusts its lots to its demand. */
  private void enter(Receiver receiver) {
    long inLots = 0;
    for (Lot lot : receiver.lots) {
      inLots += lot.count;
    }
    if (receiver.demand() > inLots) {
      append(receiver, receiver.demand() - inLots);
    } else {
      trim(receiver, inLots - receiver.demand());
    }
    servable += receiver.isServable() ? 1 : 0;
    light += receiver.isServableLightly() ? 1 : 0;
    lightWithoutLock += receiver.isServableLightly() && !receiver.locks() ? 1 : 0;
    if (receiver.draining) {
      draining.add(receiver);
      lockingDrains += receiver.locks() ? 1 : 0;
    }
    if (receiver.draining && receiver.demand() == 0) {
      idleDrains.add(receiver);
    }
  }

  private void append(Receiver receiver, long count) {
    Lot newest = receiver.lots.peekLast();
    if (newest != null && (newest == last || receiver.lots.size() >= MAX_LOTS)) {
      newest.count += count;
      return;
    }
    Lot lot = new Lot(receiver, count);
    receiver.lots.addLast(lot);
    lot.before = last;
    if (last == null) {
      first = lot;
    } else {
      last.after = lot;
    }
    last = lot;
  }

  private void trim(Receiver receiver, long count) {
    long left = count;
    while (left > 0) {
      Lot newest = receiver.lots.getLast();
      long taken = Math.min(left, newest.count);
      take(newest, taken);
      left -= taken;
    }
  }

  private void take(Lot lot, long count) {
    lot.count -= count;
    if (lot.count == 0) {
      unlink(lot);
      if (lot == lot.receiver.lots.peekFirst()) {
        lot.receiver.lots.removeFirst();
      } else {
        lot.receiver.lots.removeLast();
      }
    }
  }

  private void unlink(Lot lot) {
    Lot before = lot.before;
    Lot after = lot.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
  }
}
