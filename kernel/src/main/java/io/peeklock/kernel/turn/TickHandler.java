package io.peeklock.kernel.turn;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ChunkDirectory;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.decide.TickContext;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.grant.Grant.Due;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.schedule.ScheduledActivationHandler;
import io.peeklock.kernel.send.TransferQueues;
import io.peeklock.kernel.session.SessionEnding;
import io.peeklock.kernel.settle.PropertyChange;
import io.peeklock.kernel.settle.UnlockRules;
import io.peeklock.kernel.state.LockTable;
import io.peeklock.kernel.state.LocksInOrder;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.TimeBounds;
import io.peeklock.kernel.state.TopicState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Timed work: locks lapse (S-033, S-121), messages expire (S-168, R-11), and scheduled ones become
 * active (S-151). One decision is a bounded slice over the queues that have due work, in turns
 * (I-47). Remaining work keeps the due times in the past, so that the shard asks again at once.
 */
public final class TickHandler {

  /** The most messages of one decision, including acceptors whose wait is over. */
  public static final int SLICE = 512;

  /** The least work of a queue's turn, so that the turn is worth its overhead. */
  static final int LEAST = 4;

  private static final List<Due> DUES = List.of(Due.values());

  private TickHandler() {}

  /**
   * How long until timed work is due, in milliseconds from the stamp; may be too early, never too
   * late. {@link Long#MAX_VALUE} for never.
   */
  public static long nextTickMillis(MachineState state, Stamp stamp) {
    long next = TickContext.until(state.forwards.bound(), stamp.monotonicMillis());
    for (Due due : DUES) {
      next = Math.min(next, TickContext.until(state.bounds.of(due).first(), now(due, stamp)));
    }
    return next;
  }

  /** The clock by which this kind of work is due. */
  private static long now(Due due, Stamp stamp) {
    return switch (due) {
      case LAPSES -> stamp.monotonicMillis();
      case EXPIRIES -> stamp.nowMillis();
      case SCHEDULES, READ_COPIES, COPIES -> stamp.wallMillis();
    };
  }

  /** The part of a slice that each kind gets whatever else is due. */
  private static int part(Due due) {
    return switch (due) {
      case LAPSES -> SLICE / 2;
      case EXPIRIES -> SLICE / 4;
      case SCHEDULES -> SLICE / 8;
      case READ_COPIES, COPIES -> SLICE / 16;
    };
  }

  /** Collects the work that is due now. */
  static TickContext look(MachineState state, Stamp stamp, @Nullable FetchedBodies bodies) {
    TickContext tick = new TickContext(state, stamp, bodies);
    if (state.forwards.bound() <= stamp.monotonicMillis()) {
      tick.draft().add(new Grant.ForwardsRetried(stamp.monotonicMillis()));
    }
    int ofOthers = 0;
    for (Due due : DUES) {
      ofOthers += isAny(state, stamp, due, tick) ? part(due) : 0;
    }
    TransferQueues transfers = new TransferQueues(state, stamp, tick.fanOutBudget());
    int left = SLICE;
    for (Due due : DUES) {
      if (isAny(state, stamp, due, tick)) {
        ofOthers -= part(due);
        left -= take(state, stamp, due, left - ofOthers, tick, transfers);
      }
    }
    return tick;
  }

  private static boolean isAny(MachineState state, Stamp stamp, Due due, TickContext tick) {
    return state.bounds.of(due).first() <= now(due, stamp)
        && !(due == Due.READ_COPIES && tick.isReading());
  }

  /** Does at most {@code most} work of a kind, queue by queue, and returns how much. */
  private static int take(
      MachineState state,
      Stamp stamp,
      Due due,
      int most,
      TickContext tick,
      TransferQueues transfers) {
    int[] queues = state.bounds.of(due).due(now(due, stamp), TickContext.MAX_QUEUES);
    int done = 0;
    int i = 0;
    while (i < queues.length && done < most && !isSpent(due, tick)) {
      QueueState queue = state.known(new QueueId(queues[i]));
      int share = share(most - done, queues.length - i);
      int frees = (SessionEnding.SLICE - tick.freed()) / (queues.length - i);
      tick.looked(queue.id());
      done +=
          switch (due) {
            case LAPSES ->
                lapse(state, queue, stamp, share, tick.draft())
                    + SessionEnding.lapse(state, queue, stamp, share, frees, tick);
            case EXPIRIES -> expire(queue, stamp, share, tick.draft());
            case SCHEDULES, READ_COPIES, COPIES ->
                activate(state, queue, stamp, due, share, tick, transfers);
          };
      i++;
    }
    if (i > 0) {
      tick.goesOn(due, i < queues.length ? queues[i] : queues[i - 1] + 1);
    }
    return Math.min(done, most);
  }

  /** Whether the limit for all queues together is used up, so that the next queue waits. */
  private static boolean isSpent(Due due, TickContext tick) {
    return switch (due) {
      case LAPSES, EXPIRIES, SCHEDULES -> false;
      case READ_COPIES -> tick.fanOutBudget().isSpent() || tick.isFull();
      case COPIES -> tick.fanOutBudget().isSpent();
    };
  }

  /**
   * The work that a queue may do of what is left: its share, plus what earlier queues left of
   * theirs. So no queue waits until another is finished.
   *
   * @param left above 0
   * @param queues how many queues are still to come, this one included
   */
  private static int share(int left, int queues) {
    return Math.min(left, Math.max(LEAST, left / queues));
  }

  /** Makes scheduled messages active. */
  private static int activate(
      MachineState state,
      QueueState queue,
      Stamp stamp,
      Due due,
      int most,
      TickContext tick,
      TransferQueues transfers) {
    if (TimeBounds.whenScheduled(queue) != due) {
      return 0; // its rules changed
    }
    TopicState topic = queue.topic();
    return topic == null
        ? ScheduledActivationHandler.decide(queue, stamp, most, tick.draft())
        : ScheduledActivationHandler.decide(state, queue, topic, stamp, most, tick, transfers);
  }

  /** Ends locks whose deadline is past, earliest first. */
  private static int lapse(
      MachineState state, QueueState queue, Stamp stamp, int most, DecisionBuilder draft) {
    LockTable locks = state.locks;
    if (locks.firstDeadline(queue.locks()) > stamp.monotonicMillis()) {
      return 0;
    }
    boolean counted = !queue.isDeadLetterQueue() && !state.sparesLog; // S-132, Q-2
    UnlockRules endings = new UnlockRules(queue, stamp, counted, true);
    int lapsed = 0;
    LocksInOrder walk = new LocksInOrder(locks, queue.locks());
    int slot = walk.next();
    while (slot != LockTable.NONE
        && locks.deadline(slot) <= stamp.monotonicMillis()
        && lapsed < most) {
      endings.add(locks.number(slot), locks.id(slot));
      lapsed++;
      slot = walk.next();
    }
    endings.leave(draft, PropertyChange.none());
    if (endings.anyStays()) {
      if (counted) {
        draft.add(new Fact.LockLapsed(queue.id(), endings.staying()));
      }
      draft.add(new Grant.Unlocked(queue.id(), endings.stayingLocks(), true));
    }
    return lapsed;
  }

  /** Expires messages that are neither locked (S-169) nor deferred (S-174). */
  private static int expire(QueueState queue, Stamp stamp, int most, DecisionBuilder draft) {
    MessageIndex messages = queue.messages();
    if (messages.readyIndex().expiryBound() > stamp.nowMillis()) {
      return 0;
    }
    LongList expired = new LongList();
    LongList swept = new LongList();
    ChunkDirectory chunks = messages.chunks();
    for (int i = 0; i < chunks.size() && expired.size() < most; i++) {
      if (chunks.expiryBound(i) <= stamp.nowMillis()) {
        collect(chunks.chunk(i), stamp.nowMillis(), most, expired);
        swept.add(chunks.firstNumber(i));
        if (swept.size() >= Math.min(most, TickContext.MAX_CHUNKS)) {
          break;
        }
      }
    }
    if (!expired.isEmpty()) {
      draft.add(UnlockRules.expiry(queue, expired.toArray(), false, PropertyChange.none()));
    }
    draft.add(new Grant.Swept(queue.id(), swept.toArray()));
    return expired.size() + swept.size();
  }

  private static void collect(Chunk chunk, long now, int most, LongList expired) {
    for (int row = 0; row < chunk.rows() && expired.size() < most; row++) {
      if (chunk.isAvailable(row) && chunk.expiresAtMillis(row) <= now) {
        expired.add(chunk.number(row));
      }
    }
  }
}
