package io.peeklock.kernel.send;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.FairShare;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.PartitionKeys;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Stores messages (S-001) up to the quota (S-435). Each is accepted or refused by itself, unless
 * the burst is an atomic batch (S-405). A message with a later time is scheduled (S-148), a
 * duplicate is dropped (S-266).
 */
public final class SendHandler {

  private SendHandler() {}

  /**
   * Decides a send. Refused as a whole when the queue does not exist or takes no sends, when an
   * atomic batch spans partitions (S-373), or, when atomic, with the first refusal of a message.
   */
  public static Decision decide(MachineState state, Stamp stamp, Request.Send send) {
    QueueState queue = state.queue(send.queue());
    Refusal refusal = refusalOfAll(state, queue, stamp, send);
    if (queue == null || refusal != null) {
      return whole(send, stamp, refusal == null ? new Refusal.EntityNotFound() : refusal);
    }
    DecisionBuilder draft = new DecisionBuilder();
    SendValidation validation = SendValidation.of(state, queue, stamp, send);
    QueueState place = queue;
    QueueState via = TransferQueues.via(state, send);
    TransferQueues transfers = new TransferQueues(state, stamp);
    if (via != null && transfers.waits(via, queue, validation)) {
      Refusal full = transfers.refusal(via, send.burst());
      if (full != null) {
        return whole(send, stamp, full);
      }
      validation = SendValidation.withAllRoom(queue, stamp, send.burst());
      place = transfers.place(via, queue, draft);
    }
    Refusal first = Refusals.first(validation.refusals());
    if (send.atomic() && first != null) {
      return whole(send, stamp, asOfNone(queue, first));
    }
    EnqueueFacts arrivals = new EnqueueFacts(place, stamp, send, validation, transfers);
    arrivals.add(draft, state.nextBodyId);
    arrivals.addRest(draft, state.nextBodyId + validation.storedCount());
    first = Refusals.first(validation.refusals());
    if (send.atomic() && first != null) { // S-055
      return whole(send, stamp, first);
    }
    return answered(draft, stamp, send, validation, arrivals);
  }

  /** Why no message of it can be taken, before each is looked at; null when some can. */
  private static @Nullable Refusal refusalOfAll(
      MachineState state, @Nullable QueueState queue, Stamp stamp, Request.Send send) {
    Refusal closed = TransferQueues.refusal(state, send);
    if (closed != null || queue == null) {
      return closed;
    }
    return spansPartitions(queue, send) // S-373
        ? new Refusal.PartitionKeysDiffer()
        : SendValidation.tooMuch(queue, stamp, send);
  }

  /** For a batch the refusal names the bytes in the queue before it. */
  private static Refusal asOfNone(QueueState queue, Refusal first) {
    return first instanceof Refusal.QuotaExceeded
        ? new Refusal.QuotaExceeded(queue.quotaBytes(), queue.definition().maxSizeBytes())
        : first;
  }

  private static Decision answered(
      DecisionBuilder draft,
      Stamp stamp,
      Request.Send send,
      SendValidation validation,
      EnqueueFacts arrivals) {
    if (validation.stored() != null) {
      draft.keepBodies(validation.stored());
    }
    if (send.ticket() != null) {
      draft.add(
          new Effect.SendAnswered(
              send.origin(),
              stamp.index(),
              send.ticket(),
              validation.refusals(),
              send.numbered() ? arrivals.numbers() : null));
    }
    return draft.build();
  }

  private static Decision whole(Request.Send send, Stamp stamp, Refusal refusal) {
    return Refusals.whole(send.origin(), stamp, send.ticket(), send.burst().count(), refusal);
  }

  /** Whether an atomic batch is for more than one partition. */
  private static boolean spansPartitions(QueueState queue, Request.Send send) {
    SendBurst burst = send.burst();
    PartitionKeys keys = burst.partitionKeys();
    if (!send.atomic() || !queue.definition().partitioned() || keys == null) {
      return false;
    }
    return keys.differ(burst.count())
        || (queue.rememberedIds() != null && keys.of(0) == null && idsDiffer(burst));
  }

  /** With duplicate detection the message id chooses the partition if nothing else does (S-272). */
  private static boolean idsDiffer(SendBurst burst) {
    long[] hashes = burst.messageIdHashes();
    for (int i = 1; hashes != null && i < burst.count(); i++) {
      if (hashes[2 * i] != hashes[0] || hashes[2 * i + 1] != hashes[1]) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reserves sequence numbers (S-149). Refused when the entity does not exist, is no queue or
   * topic, or holds more than its share of the memory.
   */
  public static Decision decide(
      MachineState state, Stamp stamp, TransactionRequest.GiveNumbers give) {
    QueueState queue = state.queue(give.queue());
    if (queue == null || queue.isDeadLetterQueue() || queue.subscription() != null) {
      return Refusals.whole(give.origin(), stamp, give.ticket(), 0, new Refusal.EntityNotFound());
    }
    Refusal overShare = FairShare.refusal(state, queue, FairShare.OF_SENDS);
    if (overShare != null) {
      return Refusals.whole(give.origin(), stamp, give.ticket(), 0, overShare);
    }
    long first = queue.nextSequenceNumber();
    return new DecisionBuilder()
        .add(new Fact.NumbersGiven(queue.id(), first, give.count()))
        .add(
            new Effect.SendAnswered(
                give.origin(),
                stamp.index(),
                give.ticket(),
                null,
                LongStream.range(first, first + give.count()).toArray()))
        .build();
  }
}
