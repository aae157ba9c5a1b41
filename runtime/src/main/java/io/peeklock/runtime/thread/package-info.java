/**
 * Annotations that say which thread a class or a method belongs to; the build checks that code of
 * one thread does not call code of another, but hands a task over. Imports nothing.
 *
 * <p>Start at {@link io.peeklock.runtime.thread.ShardThread}.
 */
@NullMarked
package io.peeklock.runtime.thread;

import org.jspecify.annotations.NullMarked;
