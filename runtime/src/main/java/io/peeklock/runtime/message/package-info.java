/**
 * Messages without a wire: what an edge that has no messages of its own, such as HTTP, asks for one
 * at a time.
 *
 * <p>Start at {@link io.peeklock.runtime.message.Messages}. Only the room that knows how messages
 * are stored implements it; only values and the kernel's words are said here.
 */
@NullMarked
package io.peeklock.runtime.message;

import org.jspecify.annotations.NullMarked;
