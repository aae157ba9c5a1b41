/**
 * Spoilt streams of bytes against the whole program, beside a client that does nothing wrong. Start
 * at {@link io.peeklock.conformance.fuzz.FuzzRigTest}.
 */
@NullMarked
package io.peeklock.conformance.fuzz;

import org.jspecify.annotations.NullMarked;
