package io.peeklock.kernel.queue;

import io.peeklock.kernel.DeliveryPortion;
import io.peeklock.kernel.Origin;
import io.peeklock.kernel.ReceiveMode;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One who receives from a queue, and what it asked for: volatile, gone with its link. */
class Receiver {

  /** Bytes that may be under way to a receiver; the message that passes it still goes. */
  static final long BUDGET_BYTES = 1 << 20;

  final Origin origin;
  final ReceiveMode mode;

  /** Its part of the queue's demand, oldest first. */
  final ArrayDeque<Lot> lots = new ArrayDeque<>();

  /** See {@link io.peeklock.kernel.Request.Flow}. */
  long deliveryLimit;

  /** Deliveries decided for it, less those that came back undelivered. */
  long deliveries;

  /** Bytes decided for it that have not reached its socket. */
  long unsentBytes;

  /** The session that it holds; null for none. */
  @Nullable Session session;

  /** Index of the newest delivery. */
  long newestIndex;

  @Nullable Receiver before; // of the same queue
  @Nullable Receiver after;

  /** Whether it wants the rest of its demand back when nothing is left to deliver. */
  boolean draining;

  Receiver(Origin origin, ReceiveMode mode) {
    this.origin = origin;
    this.mode = mode;
  }

  /** Whether what it is given is locked. */
  boolean locks() {
    return mode == ReceiveMode.PEEK_LOCK;
  }

  /** How many more deliveries it takes. */
  long demand() {
    return Math.max(0, deliveryLimit - deliveries);
  }

  /** Whether it can be given a message now. */
  boolean isServable() {
    return unsentBytes < BUDGET_BYTES && deliveryLimit > deliveries;
  }

  /** The same where room is scarce. */
  boolean isServableLightly() {
    return unsentBytes < DeliveryPortion.BYTES && deliveryLimit > deliveries;
  }

  /** Demand that arrived at one time: a place in the queue's line. */
  static final class Lot {
    final Receiver receiver;
    long count;
    @Nullable Lot before;
    @Nullable Lot after;

    Lot(Receiver receiver, long count) {
      this.receiver = receiver;
      this.count = count;
    }
  }
}
