/**
 * Queues, topics, subscriptions and rules: their numbers, definitions, limits and counts.
 *
 * <p>Start at {@link io.peeklock.kernel.entity.QueueDefinition}. Knows filters only.
 */
@NullMarked
package io.peeklock.kernel.entity;

import org.jspecify.annotations.NullMarked;
