/**
 * The properties of queues, topics and subscriptions as the administration API has them. Imports
 * {@code atom}, and of the broker what an entity is: values of the kernel, its catalogue, its names
 * and its authorization rules.
 *
 * <p>Start at {@link io.peeklock.http.admin.properties.Tables}: one line for each property of each
 * kind of entity, in the order in which they are written.
 */
@NullMarked
package io.peeklock.http.admin.properties;

import org.jspecify.annotations.NullMarked;
