package io.peeklock.amqp.deliver;

import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.error.RefusalConditions;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.link.ShardPort;
import io.peeklock.amqp.message.RangeChanges;
import io.peeklock.amqp.transaction.OpenTransaction;
import io.peeklock.amqp.transaction.Transactions;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Submission;
import org.jspecify.annotations.Nullable;

/**
 * Handles the settlements of a client on one link, at once or in transactions: gathers them into
 * one request per read burst and kind, for all links of the connection to one queue, and answers
 * them.
 */
final class Settlements {
  private final NodeLink owner;
  private final LinkConnection connection;
  private final SendingLink link;
  private final ShardPort port;
  private final QueueId queue;
  private final Transactions transactions;
  private final SettleRun run; // the connection's
  private final @Nullable DeliveredKeys keys;

  /**
   * Those of one link.
   *
   * @param owner the link, which is asked to submit at the end of a read burst
   * @param link the engine's side of it
   * @param port its endpoint at the shard
   * @param queue the queue that it receives from
   * @param keys of what it delivered; null where there are no partitions
   */
  Settlements(
      NodeLink owner,
      SendingLink link,
      ShardPort port,
      QueueId queue,
      ReceiverServices services,
      @Nullable DeliveredKeys keys) {
    this.keys = keys;
    this.owner = owner;
    this.connection = owner.connection;
    this.link = link;
    this.port = port;
    this.queue = queue;
    this.run = services.run();
    this.transactions = services.transactions();
  }

  boolean isOfSameQueue(Settlements other) {
    return queue.equals(other.queue);
  }

  void disposition(int deliveryId, long context, PeerState state, boolean settled) {
    var settlement = settlement(state);
    if (settlement == null) {
      return; // S-095: a delivery that the client merely forgot gets no settlement
    }
    var id = state.transaction();
    var transaction = id == null ? null : transactions.find(id);
    var changes = RangeChanges.of(state);
    var tooMuch = changes.problem();
    if (tooMuch != null) {
      refuse(deliveryId, changes, tooMuch, transaction);
      return;
    }
    if (id != null && !takesPart(transaction, deliveryId, state, settlement)) {
      return;
    }
    var overlay = changes.overlay();
    if (overlay != null || !run.takes(this, settlement, settled, transaction)) {
      submit();
    }
    if (run.isEmpty() && overlay == null) {
      owner.gatherLater(); // the first link asks for all
    }
    run.add(this, settlement, settled, context, deliveryId, transaction);
    if (overlay != null) {
      submit(overlay);
    }
  }

  private static @Nullable Settlement settlement(PeerState state) {
    return switch (state.kind()) {
      case ACCEPTED -> Settlement.COMPLETE;
      case REJECTED -> Settlement.DEAD_LETTER;
      case RELEASED -> Settlement.RELEASE;
      case MODIFIED -> state.undeliverableHere() ? Settlement.DEFER : Settlement.ABANDON;
      case NONE, RECEIVED, DECLARED -> null;
    };
  }

  /**
   * Refuses a disposition that is too large: nothing of it is settled, and its transaction fails.
   * Creating the answer logs it, so it is created even when the client waits for none.
   */
  private void refuse(
      int deliveryId,
      RangeChanges changes,
      MessageProblem why,
      @Nullable OpenTransaction transaction) {
    link.settle(deliveryId, changes.refusal(() -> rejected(why)));
    if (transaction != null) {
      transaction.fail(why);
    }
  }

  /** Whether a settlement becomes part of a transaction; otherwise it is answered. */
  private boolean takesPart(
      @Nullable OpenTransaction transaction,
      int deliveryId,
      PeerState state,
      Settlement settlement) {
    return enters(transaction, deliveryId, state)
        && transaction != null
        && !isRepeated(transaction, deliveryId, settlement);
  }

  /**
   * Whether a settlement can be part of a transaction; otherwise it is answered, with one answer
   * for a range: a frame for each would be megabytes for a few bytes of input.
   */
  private boolean enters(@Nullable OpenTransaction transaction, int deliveryId, PeerState state) {
    var problem = transaction == null ? Transactions.UNKNOWN : whyNot(transaction, deliveryId);
    if (problem != null) {
      link.settle(deliveryId, RangeChanges.refused(state).refusal(() -> rejected(problem)));
      if (transaction != null) {
        transaction.fail(problem);
      }
    }
    return problem == null;
  }

  private @Nullable MessageProblem whyNot(OpenTransaction transaction, int deliveryId) {
    var problem = transaction.enter(owner);
    var key = problem == null && keys != null ? keys.of(deliveryId) : null;
    return key == null ? problem : transaction.settlesOfPartition(key);
  }

  /**
   * Whether a delivery is part of this transaction already: then a settlement of the same kind is
   * answered as before, whatever it says beside, and another is refused (S-383).
   */
  private boolean isRepeated(OpenTransaction transaction, int deliveryId, Settlement settlement) {
    var kept = transaction.deliveries.of(link, deliveryId);
    if (kept != null) {
      link.answerUnsettled(
          deliveryId,
          kept.settlement() == settlement
              ? kept.outcome()
              : rejected(new Refusal.MessageLockLost()));
    }
    return kept != null;
  }

  /** Submits what was gathered on any link, so that later requests of this link come after it. */
  void submit() {
    if (!run.isEmpty()) {
      run.asker().submit(null);
    }
  }

  private void submit(byte @Nullable [] overlay) {
    var transaction = run.transaction();
    if (transaction == null) {
      var settle = settle(run.settled() ? null : run.ticket(), overlay);
      run.clear();
      connection.submit(new Submission(settle, null, overlay));
      return;
    }
    var asked = run.ticket();
    var settle = settle(null, overlay);
    run.clear();
    var problem = transaction.enlist(settle, asked, overlay);
    if (problem != null) {
      answerAll(asked, rejected(problem));
    }
  }

  private Request.Settle settle(@Nullable Ticket ticket, byte @Nullable [] overlay) {
    var lockIds = run.lockIds();
    return new Request.Settle(
        port,
        ticket,
        queue,
        run.settlement(),
        lockIds,
        lockIds.length,
        false,
        overlay == null ? null : new Overlay(overlay.length, 0));
  }

  /** Handles an answer of the shard; the bodies still belong to the caller. */
  void onEffect(Effect effect, @Nullable Bodies bodies) {
    if (effect instanceof Effect.Enlisted enlisted) {
      enlisted(enlisted, bodies);
    } else if (effect instanceof Effect.SettleAnswered answered
        && answered.ticket() instanceof SettleRun.Asked asked) {
      answer(asked, answered.refusals());
    } else if (effect instanceof Effect.Refused refused
        && refused.ticket() instanceof SettleRun.Asked asked) {
      answerAll(asked, rejected(refused.refusal()));
    } else if (effect instanceof Effect.Refused refused
        && refused.ticket() instanceof OpenTransaction.Enlisting enlisting) {
      enlisting.transaction().notEnlisted(problem(refused.refusal()));
      answerAll((SettleRun.Asked) enlisting.asked(), rejected(refused.refusal()));
    } else {
      throw new IllegalStateException("not for a receiver: " + effect);
    }
  }

  /**
   * Handles settlements that a transaction keeps, or that failed it. A refusal is sent outside of
   * the transactional state, as the Java client takes one inside for success (amqp.md 8).
   */
  private void enlisted(Effect.Enlisted effect, @Nullable Bodies earlier) {
    var enlisting = (OpenTransaction.Enlisting) effect.ticket();
    var asked = (SettleRun.Asked) enlisting.asked();
    var refusals = effect.refusals();
    var refusal = RefusalConditions.first(refusals);
    var problem =
        enlisting
            .transaction()
            .enlisted(effect, refusal == null ? null : problem(refusal), earlier);
    if (refusals != null) {
      answerEach(asked, refusals, rejected(enlisting.transaction().whyClosed()));
    } else if (problem != null) {
      answerAll(asked, rejected(problem));
    } else {
      answerInside(asked, enlisting.transaction());
    }
  }

  /**
   * Answers without settling: deliveries are settled at the commit only, as after a rollback the
   * client has them as before.
   */
  private void answerInside(SettleRun.Asked asked, OpenTransaction transaction) {
    var outcome = transaction.inside(asked.outcome());
    for (var deliveryId : asked.deliveryIds()) {
      transaction.deliveries.add(link, deliveryId, asked.settlement(), outcome);
      link.answerUnsettled(deliveryId, outcome);
    }
  }

  private void answer(SettleRun.Asked asked, @Nullable Refusal @Nullable [] refusals) {
    if (refusals == null) {
      answerAll(asked, asked.outcome());
    } else {
      answerEach(asked, refusals, asked.outcome());
    }
  }

  private void answerAll(SettleRun.Asked asked, Outcome outcome) {
    var ids = asked.deliveryIds();
    for (var i = 0; i < ids.length; i++) {
      ownerOf(asked, i).link.settle(ids[i], outcome);
    }
    settled(asked);
  }

  private Settlements ownerOf(SettleRun.Asked asked, int i) {
    return asked.owners() == null ? this : asked.owners()[i];
  }

  private void settled(SettleRun.Asked asked) {
    if (asked.owners() == null) {
      owner.mayDeliverMore();
      return;
    }
    for (var each : asked.owners()) {
      each.owner.mayDeliverMore();
    }
  }

  private void answerEach(SettleRun.Asked asked, @Nullable Refusal[] refusals, Outcome others) {
    var ids = asked.deliveryIds();
    Refusal last = null;
    var no = others;
    for (var i = 0; i < ids.length; i++) {
      var refusal = refusals[i];
      if (refusal != null && !refusal.equals(last)) {
        last = refusal;
        no = rejected(refusal);
      }
      ownerOf(asked, i).link.settle(ids[i], refusal == null ? others : no);
    }
    settled(asked);
  }

  private Outcome rejected(Refusal refusal) {
    return rejected(problem(refusal));
  }

  private Outcome rejected(MessageProblem why) {
    return new Outcome.Rejected(
        connection.errors().error(why.condition(), why.sentence(), owner.address.shown()));
  }

  private MessageProblem problem(Refusal refusal) {
    return RefusalConditions.problem(refusal, owner.address.shown(), connection.errors());
  }
}
