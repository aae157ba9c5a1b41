package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.Grant;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.Stamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the passing of time does: locks lapse (S-033, S-121), messages expire (S-168, R-11), and
 * scheduled ones become active (S-151). One decision is a bounded slice, of those queues alone for
 * which there is something to do; what is left keeps the bounds in the past, so that the shard asks
 * again at once.
 */
final class TickHandler {

  /** The most messages of one decision. */
  static final int SLICE = 512;

  /** What messages that expire, and those that are due, each have of it whatever else is due. */
  private static final int PART = SLICE / 4;

  /** The most chunks that one decision looks through for expired messages. */
  static final int MAX_CHUNKS = 64;

  /** The most queues that one decision looks at for lapsed locks, and for messages. */
  static final int MAX_QUEUES = 256;

  private TickHandler() {}

  static long nextTickMillis(MachineState state, Stamp stamp) {
    long untilLapse = until(state.bounds.lapses().first(), stamp.monotonicMillis());
    long untilForward = until(state.forwards.bound(), stamp.monotonicMillis());
    long untilExpiry = until(state.bounds.expiries().first(), stamp.nowMillis());
    long untilDue = until(state.bounds.schedules().first(), stamp.wallMillis());
    return Math.min(Math.min(untilLapse, untilExpiry), Math.min(untilDue, untilForward));
  }

  /** How long until then; 0 when it is past. */
  static long until(long bound, long now) {
    if (bound == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    return bound <= now ? 0 : bound - now;
  }

  static Decision decide(MachineState state, Stamp stamp, @Nullable ReadBodies bodies) {
    Tick tick = new Tick(stamp, bodies);
    Draft draft = tick.draft();
    if (state.forwards.bound() <= stamp.monotonicMillis()) {
      draft.add(new Grant.ForwardsRetried(stamp.monotonicMillis()));
    }
    int ofExpiries = state.bounds.expiries().first() <= stamp.nowMillis() ? PART : 0;
    int ofSchedules = state.bounds.schedules().first() <= stamp.wallMillis() ? PART : 0;
    int left = SLICE - lapse(state, stamp, SLICE - ofExpiries - ofSchedules, tick);
    left -= expire(state, stamp, left - ofSchedules, tick);
    activate(state, stamp, left, tick);
    return tick.done();
  }

  /**
   * What a queue may do of what is left, so that none waits for all of another: its share, and of
   * what earlier ones left of theirs. At least one.
   *
   * @param queues that are still to come, itself included
   */
  private static int share(int left, int queues) {
    return Math.max(1, left / queues);
  }

  /** Expires messages, of the queue that is most behind last, which gets what is left. */
  private static int expire(MachineState state, Stamp stamp, int most, Tick tick) {
    int[] due = state.bounds.expiries().due(stamp.nowMillis(), MAX_QUEUES);
    int done = 0;
    for (int i = due.length - 1; i >= 0; i--) {
      QueueState queue = state.known(new QueueId(due[i]));
      tick.looked(queue.id());
      done += expire(queue, stamp, share(most - done, i + 1), tick.draft());
    }
    return done;
  }

  /** Makes scheduled messages active. */
  private static void activate(MachineState state, Stamp stamp, int most, Tick tick) {
    int[] due = state.bounds.schedules().due(stamp.wallMillis(), MAX_QUEUES);
    List<QueueState> topics = new ArrayList<>();
    int done = 0;
    for (int i = due.length - 1; i >= 0; i--) {
      QueueState queue = state.known(new QueueId(due[i]));
      tick.looked(queue.id());
      if (queue.topic() == null) {
        int share = share(most - done, i + 1 + topics.size());
        done += Activation.decide(queue, stamp, share, tick.draft());
      } else {
        topics.add(queue);
      }
    }
    // One of them may take all that reading and copying may cost.
    topics.sort(Comparator.comparingLong(topic -> topic.scheduled().turn()));
    for (int i = 0; i < topics.size(); i++) {
      QueueState queue = topics.get(i);
      int share = share(most - done, topics.size() - i);
      TopicState topic = Invariant.present(queue.topic(), "these are topics");
      done += Activation.decide(state, queue, topic, stamp, share, tick);
    }
  }

  /** Ends locks of messages and sessions; how much work that was. */
  private static int lapse(MachineState state, Stamp stamp, int most, Tick tick) {
    int[] due = state.bounds.lapses().due(stamp.monotonicMillis(), MAX_QUEUES);
    int done = 0;
    for (int i = due.length - 1; i >= 0; i--) {
      QueueState queue = state.known(new QueueId(due[i]));
      tick.looked(queue.id());
      int share = share(most - done, i + 1);
      done += lapse(state, queue, stamp, share, tick.draft());
      int frees = share(SessionEnding.SLICE - tick.freed(), i + 1);
      done += SessionEnding.lapse(state, queue, stamp, share, frees, tick);
    }
    return done;
  }

  /** Ends locks whose deadline is past, in its order. */
  private static int lapse(
      MachineState state, QueueState queue, Stamp stamp, int most, Draft draft) {
    LockTable locks = state.locks;
    if (locks.firstDeadline(queue.locks()) > stamp.monotonicMillis()) {
      return 0;
    }
    boolean counted = !queue.isDeadLetterQueue() && !state.sparesLog; // S-132, Q-2
    LockEndings endings = new LockEndings(queue, stamp, counted, true);
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
  private static int expire(QueueState queue, Stamp stamp, int most, Draft draft) {
    MessageIndex messages = queue.messages();
    if (messages.availability().expiryBound() > stamp.nowMillis()) {
      return 0;
    }
    LongList expired = new LongList();
    LongList swept = new LongList();
    ChunkDirectory chunks = messages.chunks();
    for (int i = 0; i < chunks.size() && expired.size() < most; i++) {
      if (chunks.expiryBound(i) <= stamp.nowMillis()) {
        collect(chunks.chunk(i), stamp.nowMillis(), most, expired);
        swept.add(chunks.firstNumber(i));
        if (swept.size() >= Math.min(most, MAX_CHUNKS)) {
          break;
        }
      }
    }
    if (!expired.isEmpty()) {
      draft.add(LockEndings.expiry(queue, expired.toArray(), false, PropertyChange.none()));
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
