package io.peeklock.kernel.settle;

import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Transaction;
import io.peeklock.kernel.state.LockTable;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a request that are held at the moment of the decision, and the refusals for those
 * that are not: unknown, settled before, lapsed though not noticed yet, of another queue, kept by a
 * transaction, or named a second time (S-037, S-098, S-112, S-383, S-502, I-17).
 */
public final class LockCheck {

  private static final Refusal LOST = new Refusal.MessageLockLost();
  private static final Refusal SESSION_LOST = new Refusal.SessionLockLost();

  private final long[] ids;
  private final long[] numbers;
  private final @Nullable Refusal @Nullable [] refusals;

  private LockCheck(long[] ids, long[] numbers, @Nullable Refusal @Nullable [] refusals) {
    this.ids = ids;
    this.numbers = numbers;
    this.refusals = refusals;
  }

  /**
   * What a settlement relies on besides the lock itself.
   *
   * @param by the transaction that the locks may be kept for
   * @param holder the receiver that must hold their session; null for any
   * @param holding the session that the client still holds; null for none
   */
  private record Ground(
      @Nullable Transaction by, @Nullable Origin holder, @Nullable Session holding) {
    static final Ground NONE = new Ground(null, null, null);
  }

  /** Checks the first {@code requested} lock ids of a request. */
  public static LockCheck of(
      LockTable locks, QueueState queue, Stamp stamp, long[] lockIds, int requested) {
    return of(locks, queue, stamp, lockIds, requested, Ground.NONE);
  }

  /** The locks of a settlement. */
  public static LockCheck of(
      MachineState state, QueueState queue, Stamp stamp, Request.Settle settle) {
    Ground ground = new Ground(null, settle.holder(), holding(state, queue, stamp, settle));
    return of(state.locks, queue, stamp, settle.lockIds(), settle.count(), ground);
  }

  private static @Nullable Session holding(
      MachineState state, QueueState queue, Stamp stamp, Request.Settle settle) {
    if (queue.sessions() == null) {
      return null;
    }
    Origin client = settle.holder() == null ? settle.origin() : settle.holder();
    Receiver receiver = state.receiver(client);
    Session session = receiver == null ? null : receiver.session;
    return session != null && session.isHeld(stamp.monotonicMillis()) ? session : null;
  }

  /** The locks of a settlement that are still kept for its transaction. */
  public static LockCheck enlisted(
      MachineState state,
      QueueState queue,
      Stamp stamp,
      Request.Settle settle,
      Transaction transaction) {
    Ground ground = new Ground(transaction, null, holding(state, queue, stamp, settle));
    return of(state.locks, queue, stamp, settle.lockIds(), settle.count(), ground);
  }

  private static LockCheck of(
      LockTable locks,
      QueueState queue,
      Stamp stamp,
      long[] lockIds,
      int requested,
      Ground ground) {
    long[] ids = new long[requested];
    long[] numbers = new long[requested];
    @Nullable Refusal @Nullable [] refusals = null;
    boolean[] repeated = RepeatedNumbers.in(lockIds, requested);
    int held = 0;
    for (int i = 0; i < requested; i++) {
      boolean again = repeated != null && repeated[i];
      if (!again && isHeld(locks, queue, stamp, lockIds[i], ground)) {
        ids[held] = lockIds[i];
        numbers[held] = locks.number(LockTable.slotOf(lockIds[i]));
        held++;
      } else {
        refusals = refusals == null ? new Refusal[requested] : refusals;
        refusals[i] = isOfLostSession(locks, queue, lockIds[i], ground) ? SESSION_LOST : LOST;
      }
    }
    return held == requested
        ? new LockCheck(ids, numbers, null)
        : new LockCheck(Arrays.copyOf(ids, held), Arrays.copyOf(numbers, held), refusals);
  }

  /**
   * Whether a lock that is not held is gone with its session (S-251), or is of another one (S-111).
   * While the session is held, a token that was used up says nothing against it: a client that
   * hears that the session is lost gives all of it up.
   */
  private static boolean isOfLostSession(
      LockTable locks, QueueState queue, long lockId, Ground ground) {
    if (queue.sessions() == null) {
      return false;
    }
    if (ground.holding() == null) {
      return true;
    }
    if (locks.queueOf(lockId) != queue.id().number()) {
      return false;
    }
    long place = queue.messages().find(locks.number(LockTable.slotOf(lockId)));
    return queue.messages().chunk(place).sessionSlot(Place.row(place)) != ground.holding().slot;
  }

  /** In a session the lock of the session covers those of its messages (S-245). */
  private static boolean isHeld(
      LockTable locks, QueueState queue, Stamp stamp, long lockId, Ground ground) {
    if (!isFree(locks, queue, stamp, lockId) && !isEnlisted(locks, queue, lockId, ground.by())) {
      return false;
    }
    SessionTable sessions = queue.sessions();
    if (sessions == null) {
      return true;
    }
    long place = queue.messages().find(locks.number(LockTable.slotOf(lockId)));
    int slot = queue.messages().chunk(place).sessionSlot(Place.row(place));
    Session session = sessions.bySlot(slot);
    return session.isHeld(stamp.monotonicMillis())
        && (ground.holder() == null || session.isHeldBy(ground.holder())); // S-111
  }

  /** Whether the lock is held, and by no transaction (S-383). */
  private static boolean isFree(LockTable locks, QueueState queue, Stamp stamp, long lockId) {
    return locks.isHeld(lockId, queue.id(), stamp.monotonicMillis())
        && !locks.enlistments().has(lockId);
  }

  /** Whether the lock is kept by this transaction, even past its deadline (S-382). */
  private static boolean isEnlisted(
      LockTable locks, QueueState queue, long lockId, @Nullable Transaction by) {
    return by != null
        && locks.enlistments().has(lockId, by)
        && locks.queueOf(lockId) == queue.id().number();
  }

  /** The same check with every held lock refused for this reason instead. */
  public LockCheck refusingAll(Refusal refusal, int requested) {
    @Nullable Refusal[] all = new Refusal[requested];
    for (int i = 0; i < requested; i++) {
      Refusal own = refusals == null ? null : refusals[i];
      all[i] = own == null ? refusal : own;
    }
    return new LockCheck(new long[0], new long[0], requested == 0 ? null : all);
  }

  /** How many locks are held. */
  public int count() {
    return ids.length;
  }

  /** The ids of the held locks, in the order of the request. */
  public long[] ids() {
    return ids;
  }

  /** The messages under them, in the same order. */
  public long[] numbers() {
    return numbers;
  }

  /** One entry per lock id of the request, null where it is held; null when all are. */
  public @Nullable Refusal @Nullable [] refusals() {
    return refusals;
  }
}
