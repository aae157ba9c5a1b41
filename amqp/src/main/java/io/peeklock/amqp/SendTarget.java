package io.peeklock.amqp;

import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.QueueId;
import org.jspecify.annotations.Nullable;

/**
 * Where messages go.
 *
 * @param queue the queue or topic
 * @param via the entity that they go through (S-301); null for none
 * @param definition of the queue or topic
 */
record SendTarget(QueueId queue, @Nullable QueueId via, QueueDefinition definition) {}
