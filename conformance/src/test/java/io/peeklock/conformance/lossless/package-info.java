/**
 * The matrix of clients: messages of every form that a client can write, sent by it and received by
 * every other, on every way that a message goes. One generator makes them, as {@link
 * io.peeklock.conformance.lossless.Description}s; a {@link io.peeklock.conformance.lossless.Member}
 * for each client sends and receives. What a client cannot write or does not show is said by {@link
 * io.peeklock.conformance.lossless.Client}, and to people by the page about what clients lose.
 */
@NullMarked
package io.peeklock.conformance.lossless;

import org.jspecify.annotations.NullMarked;
