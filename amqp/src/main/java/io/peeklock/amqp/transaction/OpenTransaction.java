package io.peeklock.amqp.transaction;

import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.TransactionId;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.link.ShardPort;
import io.peeklock.amqp.message.MessageNormalizer;
import io.peeklock.amqp.message.SendRun;
import io.peeklock.amqp.message.SendTarget;
import io.peeklock.amqp.message.StoredMessages;
import io.peeklock.amqp.request.Call;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.request.Transaction;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.StagedBodies;
import io.peeklock.runtime.Submission;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that was declared and not discharged. What is sent in it waits here, in bounded
 * memory; what is settled in it is kept by the shard, which lets nobody else have the locks. So
 * nobody sees anything of it before the commit, which is one request (I-28).
 *
 * <pre>
 * open ─ discharge ─► commit or rollback, once the shard has answered all that was asked in it
 *   └─── an operation fails (S-399), its time is over (S-386) ─► rolled back; the discharge says so
 *   └─── its coordinator's link goes (S-396) ─► rolled back
 * </pre>
 */
public final class OpenTransaction implements Transaction {
  /** S-388; the members of a batch count one by one. */
  static final int MOST_MESSAGES = 100;

  private static final long NOT_RUNNING = Long.MAX_VALUE;

  private final LinkConnection connection;
  private final Transactions all;
  private final CoordinatorLink coordinator;
  private final TransactionId id;
  private final Outcome accepted;
  private final TransactedSends sends;
  private final TransactedChanges changes;
  public final TransactedDeliveries deliveries = new TransactedDeliveries();
  private long deadlineMillis = NOT_RUNNING;
  private int asked;
  private @Nullable String entity;
  private @Nullable MessageProblem problem;
  private @Nullable Discharge discharge;
  private boolean over;

  private static final MessageProblem SPANS_PARTITIONS =
      new MessageProblem(
          Conditions.NOT_ALLOWED,
          "All messages of partitioned entities that are sent or settled in one transaction must"
              + " have the same session id, partition key or message id");

  /** How the client wants it to end. */
  private record Discharge(int deliveryId, boolean fail) {}

  /**
   * A settlement that the shard was asked to enlist.
   *
   * @param asked what the link that asked knows it by
   * @param settle what is to be done at the commit
   * @param overlay changed properties, null for none
   */
  public record Enlisting(
      OpenTransaction transaction, Ticket asked, Request.Settle settle, byte @Nullable [] overlay)
      implements Ticket {}

  /** A question of this transaction's that the shard answers; the client asked in a request. */
  public sealed interface Question extends Ticket {
    OpenTransaction transaction();

    Call call();

    /** It can be done. */
    void answered(long @Nullable [] numbers);
  }

  /**
   * Which messages are to get numbers.
   *
   * @param from the first of those that wait for the queue
   */
  private record Numbering(OpenTransaction transaction, Call call, QueueId queue, int from)
      implements Question {
    @Override
    public void answered(long @Nullable [] numbers) {
      if (numbers != null) {
        transaction.sends.numbered(queue, from, numbers);
      }
      transaction.arrived();
    }
  }

  /** Which scheduled messages are to be cancelled. */
  private record Cancelling(OpenTransaction transaction, Call call) implements Question {
    @Override
    public void answered(long @Nullable [] none) {
      transaction.arrived();
    }
  }

  /** Which state of a session is to be set; the last one of a session counts. */
  private record StateSetting(
      OpenTransaction transaction, Call call, TransactedStates.Change change) implements Question {
    @Override
    public void answered(long @Nullable [] none) {
      if (!transaction.isClosed()) {
        transaction.changes.set(change);
      }
      transaction.arrived();
    }
  }

  OpenTransaction(Transactions all, CoordinatorLink coordinator, TransactionId id) {
    this.all = all;
    this.connection = coordinator.connection;
    this.coordinator = coordinator;
    this.id = id;
    this.sends = new TransactedSends(connection.loopContext());
    this.changes = new TransactedChanges(all.budget());
    this.accepted = new Outcome.Transactional(id, Outcome.ACCEPTED);
  }

  TransactionId id() {
    return id;
  }

  boolean isOf(CoordinatorLink link) {
    return coordinator == link;
  }

  /** Whether it was rolled back and waits for somebody to ask. */
  boolean isRolledBack() {
    return problem != null;
  }

  /** Whether its end was asked for, though it may still wait. */
  boolean isDischarged() {
    return discharge != null;
  }

  /** The answer to what is done in it. */
  public Outcome inside(Outcome outcome) {
    return outcome.equals(Outcome.ACCEPTED) ? accepted : new Outcome.Transactional(id, outcome);
  }

  /** Why nothing can be done in it through this link; null when it can: then its time runs. */
  public @Nullable MessageProblem enter(NodeLink link) {
    if (problem != null) {
      return problem;
    }
    if (connection.edge().settings().oneEntityPerTransaction() && !sharesSession(link)) {
      var name = link.address.transactedEntity().toLowerCase(Locale.ROOT);
      if (entity != null && !entity.equals(name)) { // S-391
        return new MessageProblem(
            Conditions.NOT_ALLOWED,
            "A transaction cannot span the entities '"
                + entity
                + "' and '"
                + name
                + "' unless the client is in its cross-entity mode");
      }
      entity = name;
    }
    var unauthorised =
        connection.edge().settings().oneEntityPerTransaction()
            ? TransactedSession.of(link, all.index()).whyNotSend(link)
            : null;
    if (unauthorised != null) {
      return unauthorised;
    }
    if (deadlineMillis == NOT_RUNNING) { // S-387
      var time = connection.edge().settings().times().transactionMillis();
      deadlineMillis = connection.nowMillis() + time;
      connection.dueIn(time);
    }
    return null;
  }

  /** Whether coordinator and link are on one AMQP session, which is the cross-entity mode. */
  private boolean sharesSession(NodeLink link) {
    return coordinator.link().session().equals(link.link().session());
  }

  /** Takes the message that was inspected last; why not, or null. */
  public @Nullable MessageProblem send(
      SendTarget target, MessageNormalizer normalizer, int length) {
    var wrong = whyNoMore();
    return wrong == null ? taken(all.budget().hold(sends.add(target, normalizer, length))) : wrong;
  }

  /** Takes a large message that is stored in a file, or drops it; why not, or null. */
  public @Nullable MessageProblem sendLarge(SendTarget target, SendRun run, LargeBody.Staged file) {
    var wrong = whyNoMore();
    if (wrong != null) {
      file.release();
      return wrong;
    }
    sends.add(target, run, file);
    return taken(all.budget().holdInFiles(file.length()));
  }

  private @Nullable MessageProblem whyNoMore() {
    if (isClosed()) {
      return whyClosed();
    }
    return sends.messages() < MOST_MESSAGES
        ? null
        : new MessageProblem(
            Conditions.RESOURCE_LIMIT_EXCEEDED,
            "At most " + MOST_MESSAGES + " messages can be sent in one transaction");
  }

  /** Why a message that was taken fails the transaction, or null. */
  private @Nullable MessageProblem taken(boolean hasRoom) {
    return sends.spansPartitions() ? SPANS_PARTITIONS : TransactionBudget.problem(hasRoom);
  }

  /**
   * Why it cannot settle a message with this session id or key of a partitioned entity, or null.
   */
  public @Nullable MessageProblem settlesOfPartition(String key) {
    sends.settlesOf(key);
    return sends.spansPartitions() ? SPANS_PARTITIONS : null;
  }

  /** Something was asked in it, and its end waits for the answer. */
  public void awaits() {
    asked++;
  }

  /** What it waited for is there. */
  public void arrived() {
    asked--;
    proceed();
  }

  /**
   * Asks for the numbers of messages that were sent in it last, which the client is to be told now.
   *
   * @param count how many; they are for this queue
   * @param call the request that scheduled them
   */
  public void number(QueueId queue, int count, ShardPort port, Call call) {
    var numbering = new Numbering(this, call, queue, sends.count(queue) - count);
    awaits();
    connection.submit(
        Submission.of(new TransactionRequest.GiveNumbers(port, numbering, queue, count)));
  }

  /** Whether nothing more can be done in it. */
  public boolean isClosed() {
    return over || problem != null;
  }

  /** What work in it is told when it takes none any more. */
  public MessageProblem whyClosed() {
    return problem == null ? Transactions.UNKNOWN : problem;
  }

  /**
   * Takes a cancellation of scheduled messages, which happens at the commit; asks first whether it
   * can; a no fails the transaction. Numbers that were given in this transaction are not there
   * before its commit.
   *
   * @return why it cannot be, or null
   */
  public @Nullable MessageProblem cancel(Request.CancelScheduled cancel, Call call) {
    if (isClosed()) {
      return whyClosed();
    }
    var tooMuch = changes.cancel(cancel);
    if (tooMuch == null) {
      awaits();
      connection.submit(
          Submission.of(
              new TransactionRequest.FindScheduled(
                  cancel.origin(),
                  new Cancelling(this, call),
                  cancel.queue(),
                  cancel.sequenceNumbers())));
    }
    return tooMuch;
  }

  /**
   * Takes the state of a session, which is set at the commit and seen by nobody before (S-525);
   * asks first whether it can.
   *
   * @param state null to clear it
   * @return why it cannot be, or null
   */
  public @Nullable MessageProblem setState(
      Request.SetSessionState set, byte @Nullable [] state, Call call) {
    if (isClosed()) {
      return whyClosed();
    }
    var tooMuch = changes.holdState(state);
    if (tooMuch == null) {
      var change = new TransactedStates.Change(set, state);
      var asking = change.with(new StateSetting(this, call, change));
      awaits();
      connection.submit(Submission.of(new TransactionRequest.CheckSessionState(asking)));
    }
    return tooMuch;
  }

  /**
   * Asks the shard to keep the locks of a settlement. Its ticket is what the link knows it by; the
   * answer comes with an {@link Enlisting} and goes to {@link #enlisted}.
   *
   * @return why it cannot be, or null
   */
  public @Nullable MessageProblem enlist(
      Request.Settle settle, Ticket from, byte @Nullable [] overlay) {
    if (isClosed()) {
      return whyClosed();
    }
    var tooMuch = changes.holdSettled(settle.count(), lengthOf(overlay));
    if (tooMuch != null) {
      fail(tooMuch);
      return tooMuch;
    }
    var enlisting = new Enlisting(this, from, settle, overlay);
    var request = copy(settle, enlisting, settle.overlay());
    asked++;
    connection.submit(Submission.of(new TransactionRequest.Enlist(this, request)));
    return null;
  }

  /**
   * The shard keeps the locks, or refused.
   *
   * @param refused why, or null
   * @param earlier the changed properties that the message has, which come with the effect
   * @return why it cannot be done in this transaction, or null
   */
  public @Nullable MessageProblem enlisted(
      Effect.Enlisted effect, @Nullable MessageProblem refused, @Nullable Bodies earlier) {
    var what = (Enlisting) effect.ticket();
    var overlay = StoredMessages.merged(earlier, what.overlay());
    asked--;
    var why = refused != null || !isClosed() ? refused : whyClosed();
    if (why == null && overlay != null) {
      why = changes.overlay(overlay, lengthOf(what.overlay()));
    }
    if (why == null) {
      var change = overlay == null ? null : new Overlay(overlay.length, effect.overlayId());
      changes.settle(copy(what.settle(), null, change));
    } else {
      fail(why);
    }
    proceed();
    return why;
  }

  private static int lengthOf(byte @Nullable [] overlay) {
    return overlay == null ? 0 : overlay.length;
  }

  /** The shard refused all of it. */
  public void notEnlisted(MessageProblem why) {
    asked--;
    fail(why);
    proceed();
  }

  private static Request.Settle copy(
      Request.Settle settle, @Nullable Ticket ticket, @Nullable Overlay overlay) {
    return new Request.Settle(
        settle.origin(),
        ticket,
        settle.queue(),
        settle.settlement(),
        settle.lockIds(),
        settle.count(),
        settle.atomic(),
        overlay,
        settle.holder());
  }

  // --- the end ---

  /** An operation failed, so none of the others may happen (S-399). */
  public void fail(MessageProblem why) {
    rollBack(
        new MessageProblem(
            Conditions.TRANSACTION_ROLLBACK,
            "The transaction was rolled back, as an operation in it failed: " + why.sentence()));
  }

  private void rollBack(MessageProblem why) {
    if (!isClosed()) {
      problem = why;
      release();
      deliveries.clear(); // it may wait long for somebody to ask
      connection.submit(
          Submission.of(new TransactionRequest.Rollback(coordinator.port(), null, this, null)));
      proceed();
    }
  }

  /** Its time may be over; when it is to be asked again. */
  long check(long nowMillis) {
    if (isClosed()) {
      return NOT_RUNNING;
    }
    if (deadlineMillis <= nowMillis) {
      rollBack(
          new MessageProblem(
              Conditions.TRANSACTION_TIMEOUT,
              "The transaction was rolled back, as it was not discharged within "
                  + connection.edge().settings().times().transactionMillis()
                  + " milliseconds after its first operation"));
      return NOT_RUNNING;
    }
    return deadlineMillis;
  }

  /** Nobody can discharge it any more. */
  void abandon() {
    discharge = null;
    rollBack(Transactions.UNKNOWN);
    over = true;
  }

  /** The client wants it to end; it does once all that was asked in it is answered. */
  void discharge(int deliveryId, boolean fail) {
    discharge = new Discharge(deliveryId, fail);
    proceed();
  }

  /** Ends it if that was asked for and nothing is missing. */
  void proceed() {
    var discharging = discharge;
    var why = problem;
    if (discharging == null
        || over
        || (why == null && (asked > 0 || connection.holdsTransfers()))) {
      return;
    }
    over = true;
    all.forget(this);
    if (why != null
        && (!discharging.fail() || why.condition().equals(Conditions.TRANSACTION_TIMEOUT))) {
      coordinator.refuse(discharging.deliveryId(), why);
      return;
    }
    var ticket =
        new CoordinatorLink.Discharging(
            discharging.deliveryId(), discharging.fail() ? null : deliveries);
    if (discharging.fail()) {
      release();
      connection.submit(
          Submission.of(new TransactionRequest.Rollback(coordinator.port(), ticket, this, null)));
    } else {
      commit(ticket);
    }
  }

  private void commit(Ticket ticket) {
    var commit =
        new TransactionRequest.Commit(
            coordinator.port(),
            ticket,
            this,
            changes.settlements(),
            changes.cancellations(coordinator.port()),
            changes.states(),
            sends.requests(coordinator.port()));
    var hasBodies = changes.hasBodies() || sends.messages() > 0;
    connection.submit(
        Submission.of(
            hasBodies ? stage() : null,
            () -> {
              giveRoomBack();
              sends.clear();
              return commit;
            }));
    connection.pauseWhileArenaIsFull();
  }

  private StagedBodies stage() {
    return connection
        .loopContext()
        .stageAtOnce(
            arena -> {
              changes.stage(arena);
              sends.stage(arena);
            });
  }

  private void giveRoomBack() {
    all.budget().giveBack(sends.memoryBytes() + changes.bytes(), sends.fileBytes());
    changes.clear();
  }

  private void release() {
    giveRoomBack();
    sends.release();
  }
}
