/**
 * Queues, topics, subscriptions and rules: their numbers, definitions, limits and counts. Imports
 * {@code filter} only.
 *
 * <p>Start at {@link io.peeklock.kernel.entity.QueueDefinition}.
 */
@NullMarked
package io.peeklock.kernel.entity;

import org.jspecify.annotations.NullMarked;
