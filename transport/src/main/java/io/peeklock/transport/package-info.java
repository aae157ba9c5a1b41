/**
 * The sockets: listeners, TLS, and the look at the first bytes that decides who talks to a peer.
 * Imports Netty and the runtime; knows no protocol but how it begins.
 *
 * <p>Start at {@link io.peeklock.transport.Listener}; {@link io.peeklock.transport.Sniffer} tells
 * protocols apart, {@link io.peeklock.transport.ConnectionLimiter} counts connections, {@link
 * io.peeklock.transport.LoopTurns} shares out the time of a loop among them. Edges plug in as a map
 * of {@link io.peeklock.transport.Protocol} to {@link io.peeklock.transport.HandlerFactory}.
 */
@NullMarked
package io.peeklock.transport;

import org.jspecify.annotations.NullMarked;
