/**
 * Which thread a class or a method belongs to, as annotations that the build reads: a method says
 * it, or else its class. What belongs to one thread does not call what belongs to another, but
 * hands a task over. Imports nothing.
 *
 * <p>Start at {@link io.peeklock.runtime.thread.ShardThread}.
 */
@NullMarked
package io.peeklock.runtime.thread;

import org.jspecify.annotations.NullMarked;
