package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.Stamp;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Makes a queue with its dead-letter queue (S-181), or finds that an equal one is there. */
final class CreateQueueHandler {

  private CreateQueueHandler() {}

  static Decision decide(MachineState state, Stamp stamp, Request.CreateQueue create) {
    QueueState existing = state.queue(create.definition().path());
    if (existing == null) {
      QueueId queue = new QueueId(state.nextQueueNumber);
      QueueId deadLetters = new QueueId(state.nextQueueNumber + 1);
      return new Draft()
          .add(new Fact.QueueCreated(queue, deadLetters, create.definition()))
          .add(ready(stamp, create, queue, deadLetters, true))
          .done();
    }
    String difference = difference(existing.definition(), create.definition());
    if (difference != null) {
      Refusal refusal = new Refusal.EntityAlreadyExists(existing.definition().path(), difference);
      return Refusals.whole(create.origin(), stamp, create.ticket(), 0, refusal);
    }
    return Decision.telling(
        ready(stamp, create, existing.id(), existing.deadLetters().id(), false));
  }

  private static Effect.QueueReady ready(
      Stamp stamp,
      Request.CreateQueue create,
      QueueId queue,
      QueueId deadLetters,
      boolean created) {
    return new Effect.QueueReady(
        create.origin(), stamp.index(), create.ticket(), queue, deadLetters, created);
  }

  /** The first property that differs, in words; null when all are equal but for the name's case. */
  private static @Nullable String difference(QueueDefinition is, QueueDefinition wanted) {
    Object[][] properties = {
      {"LockDuration", is.lockDurationMillis(), wanted.lockDurationMillis()},
      {"MaxDeliveryCount", is.maxDeliveryCount(), wanted.maxDeliveryCount()},
      {"DefaultMessageTimeToLive", is.defaultTimeToLiveMillis(), wanted.defaultTimeToLiveMillis()},
      {
        "DeadLetteringOnMessageExpiration",
        is.deadLetteringOnExpiration(),
        wanted.deadLetteringOnExpiration()
      },
      {"MaxMessageSize", is.maxMessageBytes(), wanted.maxMessageBytes()},
      {"MaxSize", is.maxSizeBytes(), wanted.maxSizeBytes()},
      {"RequiresSession", is.requiresSession(), wanted.requiresSession()},
      {
        "DuplicateDetectionHistoryTimeWindow",
        is.duplicateWindowMillis(),
        wanted.duplicateWindowMillis()
      },
    };
    for (Object[] property : properties) {
      if (!property[1].equals(property[2])) {
        return String.format(
            Locale.ROOT, "%s is %s, not %s", property[0], property[1], property[2]);
      }
    }
    return null;
  }
}
