package io.peeklock.amqp.message;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.runtime.Catalogue;
import org.jspecify.annotations.Nullable;

/**
 * Where messages go.
 *
 * @param queue the queue or topic
 * @param via the entity that they go through (S-301); null for none
 * @param definition of the queue or topic
 */
public record SendTarget(QueueId queue, @Nullable QueueId via, QueueDefinition definition) {
  /** A queue or topic as it is now. */
  public static SendTarget of(Catalogue.Entry entry, @Nullable QueueId via) {
    return new SendTarget(entry.queue(), via, entry.definition());
  }
}
