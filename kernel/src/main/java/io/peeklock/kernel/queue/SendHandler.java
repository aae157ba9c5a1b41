package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.SendBurst;
import io.peeklock.kernel.Stamp;
import io.peeklock.kernel.TransactionRequest;
import java.util.stream.LongStream;

/**
 * Stores messages (S-001), as far as the quota goes (S-435). Each stands for itself, unless the
 * burst is one atomic batch (S-405). One whose time is still to come is scheduled (S-148), one that
 * was here already is dropped (S-266).
 */
final class SendHandler {

  private SendHandler() {}

  static Decision decide(MachineState state, Stamp stamp, Request.Send send) {
    QueueState queue = state.queue(send.queue());
    int count = send.burst().count();
    // S-183: nobody sends to dead letters, nor to a subscription but its topic
    if (queue == null || queue.isDeadLetterQueue() || queue.subscription() != null) {
      return Refusals.whole(
          send.origin(), stamp, send.ticket(), count, new Refusal.EntityNotFound());
    }
    if (!queue.definition().status().takesSends()) { // S-422, S-424, S-425
      return Refusals.whole(
          send.origin(), stamp, send.ticket(), count, new Refusal.EntityDisabled());
    }
    if (send.atomic() && spansPartitions(queue, send.burst())) { // S-373
      return Refusals.whole(
          send.origin(), stamp, send.ticket(), count, new Refusal.PartitionKeysDiffer());
    }
    Admission admission = Admission.of(queue, stamp, send.burst());
    Refusal first = Refusals.first(admission.refusals());
    if (send.atomic() && first != null) {
      Refusal whole =
          first instanceof Refusal.QuotaExceeded
              ? new Refusal.QuotaExceeded(queue.quotaBytes(), queue.definition().maxSizeBytes())
              : first;
      return Refusals.whole(send.origin(), stamp, send.ticket(), count, whole);
    }
    Draft draft = new Draft();
    Arrivals arrivals = new Arrivals(queue, stamp, send.burst(), admission);
    arrivals.add(draft, state.nextBodyId);
    arrivals.addRest(draft, state.nextBodyId + admission.storedCount());
    first = Refusals.first(admission.refusals());
    if (send.atomic() && first != null) { // S-055
      return Refusals.whole(send.origin(), stamp, send.ticket(), count, first);
    }
    if (admission.stored() != null) {
      draft.keepBodies(admission.stored());
    }
    if (send.ticket() != null) {
      draft.add(
          new Effect.SendAnswered(
              send.origin(),
              stamp.index(),
              send.ticket(),
              admission.refusals(),
              send.numbered() ? arrivals.numbers() : null));
    }
    return draft.done();
  }

  private static boolean spansPartitions(QueueState queue, SendBurst burst) {
    return queue.definition().partitioned()
        && burst.partitionKeys() != null
        && burst.partitionKeys().differ(burst.count());
  }

  static Decision decide(MachineState state, Stamp stamp, TransactionRequest.GiveNumbers give) {
    QueueState queue = state.queue(give.queue());
    if (queue == null || queue.isDeadLetterQueue() || queue.subscription() != null) {
      return Refusals.whole(give.origin(), stamp, give.ticket(), 0, new Refusal.EntityNotFound());
    }
    long first = queue.nextSequenceNumber();
    return new Draft()
        .add(new Fact.NumbersGiven(queue.id(), first, give.count()))
        .add(
            new Effect.SendAnswered(
                give.origin(),
                stamp.index(),
                give.ticket(),
                null,
                LongStream.range(first, first + give.count()).toArray()))
        .done();
  }
}
