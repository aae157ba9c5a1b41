/**
 * Facts as bytes, and back. What was once written stays readable for ever: every record type has a
 * number and a version of its own, and a golden file for each is decoded by the tests.
 *
 * <p>Start at {@link io.peeklock.codec.FactCodec}; each kind of fact has a {@link
 * io.peeklock.codec.FactLayout}.
 */
@NullMarked
package io.peeklock.codec;

import org.jspecify.annotations.NullMarked;
