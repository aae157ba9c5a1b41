/**
 * A session as its links and the edge see it (2.5 of the standard), the settlements that it holds
 * back so that neighbours leave as one range, and the frames about the whole session. Knows no
 * link; imports {@code messaging} and below.
 */
@NullMarked
package io.peeklock.amqp.engine.session;

import org.jspecify.annotations.NullMarked;
