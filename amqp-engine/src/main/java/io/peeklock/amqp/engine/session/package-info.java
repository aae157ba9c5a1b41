/**
 * A session as its links and the edge see it (2.5 of the standard), the settlements that it holds
 * back so that neighbours leave as one range, and the frames that are about all of it.
 *
 * <p>Knows no link. Imports {@code messaging} and below.
 */
@NullMarked
package io.peeklock.amqp.engine.session;

import org.jspecify.annotations.NullMarked;
