/**
 * The program: the only place that wires the modules, so that it may import all of them but the
 * tools. Nothing imports it but what starts a broker.
 *
 * <p>Start at {@link io.peeklock.server.PeeklockServer}, which is a running broker; {@link
 * io.peeklock.server.PeeklockMain} is the command around it. What may be configured is in {@code
 * io.peeklock.server.config}.
 */
@NullMarked
package io.peeklock.server;

import org.jspecify.annotations.NullMarked;
