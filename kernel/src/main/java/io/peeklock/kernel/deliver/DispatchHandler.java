package io.peeklock.kernel.deliver;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.settle.PropertyChange;
import io.peeklock.kernel.settle.UnlockRules;
import io.peeklock.kernel.state.DeliveryBudget;
import io.peeklock.kernel.state.Demand;
import io.peeklock.kernel.state.LockTable;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.kernel.state.Receiver.Lot;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands the available messages of one queue, lowest number first (S-135), to demand in the order in
 * which it arrived (S-087). Each message is locked as it is taken (S-086, S-088), or consumed.
 * Messages found expired on the way expire, and are never delivered (S-167).
 */
public final class DispatchHandler {

  /** The most messages, and the most ends of drains, of one decision. */
  public static final int SLICE = 512;

  private DispatchHandler() {}

  /**
   * Decides one slice for a queue without sessions: delivers up to {@link #SLICE} messages, or ends
   * drains that nothing more can be delivered to.
   */
  public static Decision decide(MachineState state, QueueState queue, Stamp stamp) {
    Demand demand = queue.demand();
    if (queue.messages().available() == 0) {
      return endDrains(demand.draining(), false);
    }
    if (demand.hasIdleDrains()) {
      return endDrains(demand.idleDrains(), false);
    }
    // Messages are available, but there is no room or no lock for them, for an unknown time.
    if (demand.hasDrains() && !state.room.isFor(queue)) {
      return endDrains(demand.draining(), false);
    }
    return demand.hasLockingDrains() && state.locks.roomFor(queue.locks()) == 0
        ? endDrains(demand.draining(), true)
        : deliver(state, queue, stamp);
  }

  /** Ends drains: all of them, or only those of receivers that take locks. */
  private static Decision endDrains(Iterable<Receiver> draining, boolean lockingOnly) {
    DecisionBuilder draft = new DecisionBuilder();
    Iterator<Receiver> over = draining.iterator();
    int left = SLICE;
    while (left > 0 && over.hasNext()) {
      Receiver next = over.next();
      if (next.locks() || !lockingOnly) {
        endDrain(next, draft);
        left--;
      }
    }
    return draft.build();
  }

  /** Ends the drain of one receiver, behind its last delivery. */
  static void endDrain(Receiver receiver, DecisionBuilder draft) {
    draft.add(new Effect.Drained(receiver.origin, receiver.newestIndex));
    draft.add(new Grant.DrainEnded(receiver.origin));
  }

  private static Decision deliver(MachineState state, QueueState queue, Stamp stamp) {
    DecisionBuilder draft = new DecisionBuilder();
    LongList expired = new LongList();
    List<Share> shares = share(state, queue, stamp, expired);
    if (!expired.isEmpty()) {
      draft.add(UnlockRules.expiry(queue, expired.toArray(), false, PropertyChange.none()));
    }
    LockTable.Reservation reservation = state.locks.reserve();
    for (Share share : shares) {
      if (share.receiver.mode == ReceiveMode.PEEK_LOCK) {
        lock(queue, stamp, share, reservation, draft);
      } else {
        consume(queue, stamp, share, draft);
      }
    }
    return draft.build();
  }

  /** Walks the messages and the line of demand side by side. */
  private static List<Share> share(
      MachineState state, QueueState queue, Stamp stamp, LongList expired) {
    List<Share> shares = new ArrayList<>(2);
    MessageIndex messages = queue.messages();
    int left = (int) Math.min(SLICE, messages.available());
    int locks = state.locks.roomFor(queue.locks());
    DeliveryBudget.Draw draw = state.room.draw(queue.underWay);
    Share share = next(state, draw, shares, queue.demand().first(), left, locks);
    long place = messages.firstAvailable();
    while (place != Place.NONE && share != null && left > 0) {
      left--;
      if (queue.isExpired(place, stamp.nowMillis())) {
        expired.add(messages.number(place));
      } else if (!draw.fits(messages.size(place))) {
        break;
      } else {
        share.take(messages, place);
        locks -= share.receiver.locks() ? 1 : 0;
        if (!share.takesMore() || (locks == 0 && share.receiver.locks())) {
          share = next(state, draw, shares, share.lot.after, left, locks);
        }
      }
      place = messages.nextAvailable(place);
    }
    return shares;
  }

  /**
   * The share of the next lot in line whose receiver has room for more bytes; null when there is
   * none.
   */
  private static @Nullable Share next(
      MachineState state,
      DeliveryBudget.Draw draw,
      List<Share> shares,
      @Nullable Lot from,
      int left,
      int locks) {
    for (Lot lot = from; lot != null; lot = lot.after) {
      if (locks == 0 && lot.receiver.locks()) {
        continue;
      }
      Share share = shareOf(shares, lot.receiver);
      if (share == null && draw.allows(lot.receiver.unsentBytes)) {
        int capacity = (int) Math.min(lot.count, left); // demand may be far above what is there
        share = new Share(lot.receiver, draw, new BurstBuilder(state, capacity));
        shares.add(share);
      }
      if (share != null && share.hasBudget()) {
        share.begin(lot);
        return share;
      }
    }
    return null;
  }

  @SuppressWarnings("ReferenceEquality") // one and the same receiver is asked for
  private static @Nullable Share shareOf(List<Share> shares, Receiver receiver) {
    for (int i = shares.size() - 1; i >= 0; i--) {
      if (shares.get(i).receiver == receiver) {
        return shares.get(i);
      }
    }
    return null;
  }

  private static void lock(
      QueueState queue,
      Stamp stamp,
      Share share,
      LockTable.Reservation reservation,
      DecisionBuilder draft) {
    BurstBuilder burst = share.burst;
    if (burst.count() == 0) {
      return;
    }
    long duration = queue.definition().lockDurationMillis();
    long[] lockIds = reservation.ids(burst.count());
    long deadline = stamp.monotonicMillis() + duration;
    draft.add(new Grant.Locked(queue.id(), burst.numbers(), lockIds, deadline));
    long until = stamp.wallMillis() + duration;
    tell(queue, share, burst.newestIndex(), lockIds, until, draft);
  }

  /** I-07: the messages leave with the batch that says so, or later, but never before. */
  private static void consume(QueueState queue, Stamp stamp, Share share, DecisionBuilder draft) {
    if (share.burst.count() > 0) {
      draft.add(new Fact.Consumed(queue.id(), share.burst.numbers()));
      tell(queue, share, stamp.index(), null, 0, draft);
    }
  }

  private static void tell(
      QueueState queue,
      Share share,
      long index,
      long @Nullable [] lockIds,
      long lockedUntil,
      DecisionBuilder draft) {
    BurstBuilder burst = share.burst;
    MessageBurst messages = burst.build(lockIds, lockedUntil);
    draft.add(new Grant.DemandUsed(share.receiver.origin, burst.count(), burst.bytes(), index));
    draft.add(new Effect.Delivered(share.receiver.origin, index, queue.id(), messages));
  }

  /** What one receiver gets in this decision. */
  private static final class Share {
    private final Receiver receiver;
    private final DeliveryBudget.Draw draw;
    private final BurstBuilder burst;
    private Lot lot;
    private long leftOfLot;

    Share(Receiver receiver, DeliveryBudget.Draw draw, BurstBuilder burst) {
      this.receiver = receiver;
      this.draw = draw;
      this.burst = burst;
      this.lot = receiver.lots.getFirst();
    }

    void begin(Lot next) {
      lot = next;
      leftOfLot = next.count;
    }

    void take(MessageIndex messages, long place) {
      long before = burst.bytes();
      burst.add(messages, place);
      draw.take(burst.bytes() - before);
      leftOfLot--;
    }

    boolean hasBudget() {
      return draw.allows(receiver.unsentBytes + burst.bytes());
    }

    boolean takesMore() {
      return leftOfLot > 0 && hasBudget();
    }
  }
}
