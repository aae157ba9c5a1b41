package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.Grant;
import io.peeklock.kernel.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * What the passing of time does: locks lapse (S-033, S-121), messages expire (S-168, R-11), and
 * scheduled ones become active (S-151). One decision is a bounded slice; what is left keeps the
 * bounds in the past, so that the shard asks again at once.
 */
final class TickHandler {

  /** The most messages of one decision. */
  static final int SLICE = 512;

  /** The most chunks that one decision looks through for expired messages. */
  static final int MAX_CHUNKS = 64;

  private TickHandler() {}

  static long nextTickMillis(MachineState state, Stamp stamp) {
    long untilLapse = until(state.bounds.lock(), stamp.monotonicMillis());
    long untilForward = until(state.forwards.bound(), stamp.monotonicMillis());
    long untilExpiry = until(state.bounds.expiry(), stamp.nowMillis());
    long untilDue = until(state.bounds.due(), stamp.civilMillis());
    return Math.min(Math.min(untilLapse, untilExpiry), Math.min(untilDue, untilForward));
  }

  /** How long until then; 0 when it is past. */
  static long until(long bound, long now) {
    if (bound == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    return bound <= now ? 0 : bound - now;
  }

  static Decision decide(MachineState state, Stamp stamp, Machine.@Nullable ReadBodies bodies) {
    Tick tick = new Tick(stamp, bodies);
    Draft draft = tick.draft();
    int left = SLICE;
    if (state.forwards.bound() <= stamp.monotonicMillis()) {
      draft.add(new Grant.ForwardsRetried(stamp.monotonicMillis()));
    }
    for (QueueState queue : state.created()) {
      left -= lapse(state.locks, queue, stamp, left, draft);
      left -= lapse(state.locks, queue.deadLetters(), stamp, left, draft);
      left -= SessionEnding.lapse(state, queue, stamp, left, draft);
      left -= expire(queue, stamp, left, draft);
      left -=
          queue.topic() == null
              ? Activation.decide(queue, stamp, left, draft)
              : Activation.decide(state, queue, queue.topic(), stamp, left, tick);
      if (left <= 0) {
        break;
      }
    }
    return tick.done();
  }

  /** Ends locks whose deadline is past, in its order. */
  private static int lapse(LockTable locks, QueueState queue, Stamp stamp, int most, Draft draft) {
    if (most <= 0 || locks.firstDeadline(queue.locks()) > stamp.monotonicMillis()) {
      return 0;
    }
    boolean counted = !queue.isDeadLetterQueue(); // S-132, Q-2
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
    if (most <= 0 || messages.availability().expiryBound() > stamp.nowMillis()) {
      return 0;
    }
    LongList expired = new LongList();
    LongList swept = new LongList();
    ChunkDirectory chunks = messages.chunks();
    for (int i = 0; i < chunks.size() && expired.size() < most; i++) {
      if (chunks.expiryBound(i) <= stamp.nowMillis()) {
        collect(chunks.chunk(i), stamp.nowMillis(), most, expired);
        swept.add(chunks.firstNumber(i));
        if (swept.size() == MAX_CHUNKS) {
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
