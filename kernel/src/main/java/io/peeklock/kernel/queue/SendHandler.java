package io.peeklock.kernel.queue;

import static io.peeklock.kernel.QueueDefinition.FOREVER;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.SendBurst;
import io.peeklock.kernel.Stamp;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Stores messages (S-001), as far as the quota goes (S-435). Each stands for itself, unless the
 * burst is one atomic batch (S-405).
 */
final class SendHandler {

  private SendHandler() {}

  static Decision decide(MachineState state, Stamp stamp, Request.Send send) {
    QueueState queue = state.queue(send.queue());
    if (queue == null || queue.isDeadLetterQueue()) { // S-183: nobody sends to dead letters
      return Refusals.whole(
          send.origin(), stamp, send.ticket(), send.burst().count(), new Refusal.EntityNotFound());
    }
    Admission admission = Admission.of(queue, send.burst());
    if (send.atomic() && admission.refusals != null) {
      Refusal.QuotaExceeded full =
          new Refusal.QuotaExceeded(queue.quotaBytes(), queue.definition().maxSizeBytes());
      return Refusals.whole(send.origin(), stamp, send.ticket(), send.burst().count(), full);
    }
    Draft draft = new Draft();
    if (admission.accepted > 0) {
      draft.add(enqueued(state, queue, stamp, send.burst(), admission));
    }
    if (admission.refusals != null) {
      draft.keepBodies(admission.kept());
    }
    if (send.ticket() != null) {
      draft.add(
          new Effect.SendAnswered(send.origin(), stamp.index(), send.ticket(), admission.refusals));
    }
    return draft.done();
  }

  private static Fact.Enqueued enqueued(
      MachineState state, QueueState queue, Stamp stamp, SendBurst burst, Admission admission) {
    int[] sizes = Arrays.copyOf(burst.sizes(), admission.accepted);
    int[] headerBytes = Arrays.copyOf(burst.headerBytes(), admission.accepted);
    long[] expiries = null;
    int to = 0;
    for (int i = 0; i < burst.count(); i++) {
      if (admission.accepts(i)) {
        sizes[to] = burst.sizes()[i];
        headerBytes[to] = burst.headerBytes()[i];
        long expiry = expiry(queue.definition(), stamp, burst.timeToLiveMillis()[i]);
        if (expiry != FOREVER) {
          expiries = expiries == null ? never(admission.accepted) : expiries;
          expiries[to] = expiry;
        }
        to++;
      }
    }
    return new Fact.Enqueued(
        queue.id(),
        queue.nextSequenceNumber(),
        state.nextBodyId,
        stamp.nowMillis(),
        sizes,
        headerBytes,
        expiries);
  }

  private static long[] never(int count) {
    long[] expiries = new long[count];
    Arrays.fill(expiries, FOREVER);
    return expiries;
  }

  /** S-162, S-164: now plus the smaller of the message's time to live and the queue's. */
  private static long expiry(QueueDefinition definition, Stamp stamp, long timeToLiveMillis) {
    long effective = Math.max(0, Math.min(timeToLiveMillis, definition.defaultTimeToLiveMillis()));
    return effective >= FOREVER - stamp.nowMillis() ? FOREVER : stamp.nowMillis() + effective;
  }

  /** Which messages of a burst fit into the queue. */
  private static final class Admission {
    private final @Nullable Refusal @Nullable [] refusals;
    private final int accepted;

    private Admission(@Nullable Refusal @Nullable [] refusals, int accepted) {
      this.refusals = refusals;
      this.accepted = accepted;
    }

    /** I-08: what does not fit is refused, and what was there before stays. */
    static Admission of(QueueState queue, SendBurst burst) {
      long max = queue.definition().maxSizeBytes();
      long bytes = queue.quotaBytes();
      @Nullable Refusal @Nullable [] refusals = null;
      int accepted = 0;
      for (int i = 0; i < burst.count(); i++) {
        if (burst.sizes()[i] <= max - bytes) {
          bytes += burst.sizes()[i];
          accepted++;
        } else {
          refusals = refusals == null ? new Refusal[burst.count()] : refusals;
          refusals[i] = new Refusal.QuotaExceeded(bytes, max);
        }
      }
      return new Admission(refusals, accepted);
    }

    boolean accepts(int i) {
      return refusals == null || refusals[i] == null;
    }

    boolean[] kept() {
      boolean[] kept = new boolean[refusals == null ? 0 : refusals.length];
      for (int i = 0; i < kept.length; i++) {
        kept[i] = accepts(i);
      }
      return kept;
    }
  }
}
