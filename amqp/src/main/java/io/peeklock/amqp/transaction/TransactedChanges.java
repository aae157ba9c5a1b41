package io.peeklock.amqp.transaction;

import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction changes at its commit beside what it sends: messages that are settled,
 * scheduled ones that are cancelled, states of sessions that are set. Their number is bounded, for
 * a commit is one decision, and they are weighed before the shard is asked.
 */
@EventLoopThread
public final class TransactedChanges {
  /** So many changes are in one transaction, of all kinds together. */
  public static final int MOST = 10_000;

  static final MessageProblem TOO_MANY =
      new MessageProblem(
          Conditions.RESOURCE_LIMIT_EXCEEDED,
          "At most "
              + MOST
              + " messages can be settled or cancelled, and states of sessions be set, in one"
              + " transaction");

  /** What a request and its place in the commit take of the heap. */
  private static final int REQUEST_BYTES = 256;

  /** A lock, and the delivery that waits for the commit to be settled. */
  private static final int LOCK_BYTES = Long.BYTES + 96;

  private final TransactionBudget budget;
  private final List<Request.Settle> settlements = new ArrayList<>();
  private final List<byte[]> overlays = new ArrayList<>();
  private final TransactedCancellations cancellations = new TransactedCancellations();
  private final TransactedStates states = new TransactedStates();
  private int count;
  private long bytes;

  /**
   * For one transaction.
   *
   * @param budget of the same connection
   */
  TransactedChanges(TransactionBudget budget) {
    this.budget = budget;
  }

  /**
   * Counts messages that are to be settled; why that cannot be, or null.
   *
   * @param overlayBytes of the properties that are to be changed on each
   */
  @Nullable MessageProblem holdSettled(int messages, int overlayBytes) {
    return hold(messages, REQUEST_BYTES + messages * ((long) LOCK_BYTES + overlayBytes));
  }

  /** Takes and counts messages that are to be cancelled; why that cannot be, or null. */
  @Nullable MessageProblem cancel(Request.CancelScheduled cancel) {
    var fresh = cancellations.add(cancel);
    return hold(fresh, (long) fresh * Long.BYTES);
  }

  /** Counts a state that is to be set, null for one to be cleared; why that cannot be, or null. */
  @Nullable MessageProblem holdState(byte @Nullable [] state) {
    return hold(1, REQUEST_BYTES + (state == null ? 0L : state.length));
  }

  /** What is refused here fails the transaction, so that its numbers need not be exact then. */
  private @Nullable MessageProblem hold(int changes, long weight) {
    count += changes;
    if (count > MOST) {
      return TOO_MANY;
    }
    return holdBytes(weight);
  }

  private @Nullable MessageProblem holdBytes(long weight) {
    bytes += weight;
    return TransactionBudget.problem(budget.hold(weight));
  }

  /** A settlement that the shard keeps the locks of; it was counted. */
  void settle(Request.Settle settle) {
    settlements.add(settle);
  }

  /**
   * Takes changed properties, and counts what they have become; why that cannot be, or null.
   *
   * @param counted what they were when the shard was asked, before earlier ones were among them
   */
  @Nullable MessageProblem overlay(byte[] overlay, int counted) {
    overlays.add(overlay);
    return overlay.length > counted ? holdBytes((long) overlay.length - counted) : null;
  }

  /** A state that the shard has found can be set; it was counted. */
  void set(TransactedStates.Change change) {
    states.put(change);
  }

  /** What is held for them, and given back by whoever clears them. */
  long bytes() {
    return bytes;
  }

  boolean hasBodies() {
    return !overlays.isEmpty() || !states.isEmpty();
  }

  /** Stages the bodies, as a commit has them: those of settlements, then those of states. */
  void stage(BodyArena arena) {
    overlays.forEach(overlay -> TransactedSends.stage(arena, overlay));
    states.stage(arena);
  }

  List<Request.Settle> settlements() {
    return List.copyOf(settlements);
  }

  List<Request.CancelScheduled> cancellations(Origin origin) {
    return cancellations.requests(origin);
  }

  List<Request.SetSessionState> states() {
    return states.requests();
  }

  /** There are none any more, and nothing is held. */
  void clear() {
    settlements.clear();
    overlays.clear();
    cancellations.clear();
    states.clear();
    bytes = 0;
  }
}
