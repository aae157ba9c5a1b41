package io.peeklock.kernel.state;

import io.peeklock.kernel.request.DeliveryPortion;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A receiver of a queue with its demand: volatile, gone with its link. */
public class Receiver {

  /** The bytes that may be in flight to a receiver; the message that exceeds them still goes. */
  public static final long BUDGET_BYTES = 1 << 20;

  public final Origin origin;
  public final ReceiveMode mode;

  /** Its part of the queue's demand, oldest first. */
  public final ArrayDeque<Lot> lots = new ArrayDeque<>();

  /** See {@link io.peeklock.kernel.request.Request.Flow}. */
  public long deliveryLimit;

  /** Deliveries decided for it, minus those that came back undelivered. */
  public long deliveries;

  /** Bytes decided for it that have not reached its socket. */
  public long unsentBytes;

  /** The session that it holds; null for none. */
  public @Nullable Session session;

  /** Index of the newest delivery. */
  public long newestIndex;

  @Nullable Receiver before; // in the list of its queue
  @Nullable Receiver after;

  /** Whether it drains: the rest of its demand is given back when nothing is left to deliver. */
  boolean draining;

  Receiver(Origin origin, ReceiveMode mode) {
    this.origin = origin;
    this.mode = mode;
  }

  /** Whether its deliveries are locked. */
  public boolean locks() {
    return mode == ReceiveMode.PEEK_LOCK;
  }

  /** How many more deliveries it takes. */
  public long demand() {
    return Math.max(0, deliveryLimit - deliveries);
  }

  /** Whether it has demand and room for a message now. */
  public boolean isServable() {
    return unsentBytes < BUDGET_BYTES && deliveryLimit > deliveries;
  }

  /** The same when room is scarce. */
  public boolean isServableLightly() {
    return unsentBytes < DeliveryPortion.BYTES && deliveryLimit > deliveries;
  }

  /** Demand that arrived at one time: a place in the queue's line. */
  public static final class Lot {
    public final Receiver receiver;
    public long count;
    @Nullable Lot before;
    public @Nullable Lot after;

    Lot(Receiver receiver, long count) {
      this.receiver = receiver;
      this.count = count;
    }
  }
}
