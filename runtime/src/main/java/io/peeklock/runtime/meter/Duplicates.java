package io.peeklock.runtime.meter;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.TransactionRequest;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts messages that were accepted but not stored because their id was known; they count as
 * incoming (S-283). No fact names them, so they are the difference between the accepted messages of
 * the answer and the stored ones of the facts.
 */
final class Duplicates {
  private Duplicates() {}

  static void note(EntityCounter meters, Request request, Decision decision) {
    switch (request) {
      case Request.Send send -> {
        for (var effect : decision.effects()) {
          if (effect instanceof Effect.SendAnswered answer) {
            note(meters, send, stored(send, decision) + refused(answer.refusals()));
          }
        }
      }
      case TransactionRequest.Commit commit -> {
        if (decision.effects().stream().anyMatch(Effect.TransactionEnded.class::isInstance)) {
          var sent = commit.sends().stream().mapToLong(send -> send.burst().count()).sum();
          if (sent > stored((QueueId) null, decision)) { // some were dropped
            commit.sends().forEach(send -> note(meters, send, stored(send.queue(), decision)));
          }
        }
      }
      default -> {} // brings no messages
    }
  }

  private static void note(EntityCounter meters, Request.Send send, long storedOrRefused) {
    var dropped = send.burst().count() - storedOrRefused;
    if (dropped > 0) {
      meters.add(send.queue(), Count.INCOMING, dropped);
      meters.add(send.queue(), Count.DUPLICATES, dropped);
    }
  }

  private static long refused(@Nullable Refusal @Nullable [] refusals) {
    return refusals == null ? 0 : Arrays.stream(refusals).filter(Objects::nonNull).count();
  }

  /**
   * The messages of a send that are stored; those that wait for their destination, or for copies,
   * are stored in another queue.
   */
  private static long stored(Request.Send send, Decision decision) {
    var all = stored((QueueId) null, decision);
    return all > send.burst().count() ? stored(send.queue(), decision) : all;
  }

  /** How many messages are stored in a queue; null for any queue. */
  private static long stored(@Nullable QueueId queue, Decision decision) {
    var stored = 0L;
    for (var fact : decision.facts()) {
      if (fact instanceof Fact.StoresMessages some
          && (queue == null || some.numberedBy().equals(queue))) {
        stored += some.count();
      }
    }
    return stored;
  }
}
