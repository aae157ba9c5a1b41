package io.peeklock.runtime;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.request.TransactionRequest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The refusals while the store is full (I-08). Requests that make the log grow and free nothing are
 * refused, from every client: the reserve is for requests that make room. Settlements that keep
 * their message write little and let another receiver complete it, so they are accepted; but they
 * could go on without end, so on the last room they are refused too. So is emptying an empty
 * namespace, which writes all entities anew each time.
 *
 * <p>If only the heap is full the log can still grow. Then only requests that add messages are
 * refused; and, when an eighth more than the heap's share is used, requests that make stored
 * messages larger.
 */
final class FullStore {
  private static final Refusal FULL = new Refusal.StoreFull();

  private FullStore() {}

  /** The refusal of a request that must wait for room; null for one that may be decided. */
  static @Nullable Decision refusing(Machine machine, Stamp stamp, Request request, Log log) {
    if (writesNothingThatStays(request)) {
      return null;
    }
    return log.takesSends()
        ? refusingForMemory(machine, stamp, request)
        : refusingForDisk(machine, stamp, request, log.isOnLastRoom());
  }

  /** Whether a request is always decided: it reads, makes room, or writes grants alone. */
  private static boolean writesNothingThatStays(Request request) {
    return switch (request) { // no default: a new request must be judged to compile
      case Request.RemoveRule it -> true;
      case Request.ListRules it -> true;
      case Request.CancelScheduled it -> true;
      case Request.OpenReceiver it -> true;
      case Request.Flow it -> true;
      case Request.Transferred it -> true;
      case Request.Undelivered it -> true;
      case Request.CloseReceiver it -> true;
      case Request.AcceptSession it -> true;
      case Request.RenewSession it -> true;
      case Request.GetSessionState it -> true;
      case Request.ListSessions it -> true;
      case Request.Renew it -> true;
      case Request.ReceiveDeferred it -> true;
      case Request.Peek it -> true;
      case EntityRequest.DeleteQueue it -> true;
      case EntityRequest.DeleteMessages it -> true;
      case EntityRequest.CountMessages it -> true;
      case TransactionRequest.Enlist it -> true; // judged at the commit
      case TransactionRequest.Rollback it -> true;
      case TransactionRequest.CheckSessionState it -> true;
      case TransactionRequest.FindScheduled it -> true;
      case Request.CreateQueue it -> false;
      case Request.AddRule it -> false;
      case Request.Send it -> false;
      case Request.Settle it -> false;
      case Request.SetSessionState it -> false;
      case EntityRequest.UpdateQueue it -> false;
      case EntityRequest.EmptyNamespace it -> false;
      case EntityRequest.ReplaceRule it -> false;
      case TransactionRequest.Commit it -> false;
      case TransactionRequest.GiveNumbers it -> false;
    };
  }

  private static @Nullable Decision refusingForMemory(
      Machine machine, Stamp stamp, Request request) {
    return switch (request) {
      case Request.Send send -> send(send);
      case TransactionRequest.GiveNumbers give -> whole(give.origin(), give.ticket());
      case Request.SetSessionState set ->
          makesTooMany(machine, set) ? whole(set.origin(), set.ticket()) : null;
      case Request.Settle settle -> bringsTooMuch(machine, settle) ? settle(settle) : null;
      case TransactionRequest.Commit commit ->
          !commit.sends().isEmpty()
                  || commit.states().stream().anyMatch(set -> makesTooMany(machine, set))
                  || commit.settlements().stream()
                      .anyMatch(settle -> bringsTooMuch(machine, settle))
              ? rollback(commit, machine, stamp)
              : null;
      default -> null; // entities and rules take none of the memory for messages
    };
  }

  /**
   * Whether a state makes too many sessions. Setting a state usually makes room; but a session with
   * nothing else takes room like a message, and hundreds of thousands may have one. They may take
   * as much as copies may.
   */
  private static boolean makesTooMany(Machine machine, Request.SetSessionState set) {
    return machine.stored().isExhausted() && machine.makesSession(set);
  }

  /**
   * Whether changed properties take too much: their message stays, and takes more room than before.
   */
  private static boolean bringsTooMuch(Machine machine, Request.Settle settle) {
    return machine.stored().isExhausted() && brings(settle, false);
  }

  /**
   * The refusal while the log has no room.
   *
   * @param lastRoom see {@link Log#isOnLastRoom}
   */
  private static @Nullable Decision refusingForDisk(
      Machine machine, Stamp stamp, Request request, boolean lastRoom) {
    return switch (request) {
      case Request.Send send -> send(send);
      case Request.SetSessionState set ->
          set.bytes() < 0 ? null : whole(set.origin(), set.ticket());
      case Request.Settle settle -> brings(settle, lastRoom) ? settle(settle) : null;
      case TransactionRequest.GiveNumbers give -> whole(give.origin(), give.ticket());
      case TransactionRequest.Commit commit ->
          brings(commit, lastRoom) ? rollback(commit, machine, stamp) : null;
      case Request.CreateQueue it -> unlessNothing(machine, stamp, it, it.ticket());
      case Request.AddRule it -> unlessNothing(machine, stamp, it, it.ticket());
      case EntityRequest.UpdateQueue it -> unlessNothing(machine, stamp, it, it.ticket());
      case EntityRequest.ReplaceRule it -> unlessNothing(machine, stamp, it, it.ticket());
      case EntityRequest.EmptyNamespace it ->
          lastRoom && it.keepsEntities() && !machine.holdsAnything()
              ? whole(it.origin(), it.ticket())
              : null;
      default -> null; // writes nothing that stays
    };
  }

  /**
   * Lets a request pass that would write nothing, as everything is as it asks or it is refused
   * anyway.
   */
  private static @Nullable Decision unlessNothing(
      Machine machine, Stamp stamp, Request request, Ticket ticket) {
    return machine.decide(stamp, request).facts().isEmpty()
        ? null
        : whole(request.origin(), ticket);
  }

  private static Decision whole(Origin origin, Ticket ticket) {
    return Decision.telling(new Effect.Refused(origin, 0, ticket, FULL));
  }

  private static Decision send(Request.Send send) {
    return send.ticket() == null
        ? Decision.NOTHING
        : Decision.telling(
            new Effect.SendAnswered(send.origin(), 0, send.ticket(), each(send.burst().count())));
  }

  /**
   * Whether a settlement writes bytes that stay; a completed message leaves with its properties.
   */
  private static boolean brings(Request.Settle settle, boolean lastRoom) {
    return switch (settle.settlement()) {
      case COMPLETE -> false;
      case RELEASE -> settle.overlay() != null; // a plain release writes nothing
      case ABANDON, DEFER, DEAD_LETTER -> lastRoom || settle.overlay() != null;
    };
  }

  private static Decision settle(Request.Settle settle) {
    return settle.ticket() == null
        ? Decision.NOTHING
        : Decision.telling(
            new Effect.SettleAnswered(
                settle.origin(), 0, settle.ticket(), settle.settlement(), each(settle.count())));
  }

  private static Refusal[] each(int count) {
    var refusals = new Refusal[count];
    Arrays.fill(refusals, FULL);
    return refusals;
  }

  private static boolean brings(TransactionRequest.Commit commit, boolean lastRoom) {
    return !commit.sends().isEmpty()
        || commit.states().stream().anyMatch(set -> set.bytes() >= 0)
        || commit.settlements().stream().anyMatch(settle -> brings(settle, lastRoom));
  }

  private static Decision rollback(TransactionRequest.Commit commit, Machine machine, Stamp stamp) {
    return machine.decide(
        stamp,
        new TransactionRequest.Rollback(
            commit.origin(), commit.ticket(), commit.transaction(), FULL));
  }
}
