/**
 * Encodes facts as bytes, and decodes them. Every record type has a number and a version, old
 * versions stay readable for ever, and tests decode a golden file of each; imports the kernel only.
 *
 * <p>Start at {@link io.peeklock.codec.FactCodec}; each kind of fact has a {@link
 * io.peeklock.codec.FactLayout}.
 */
@NullMarked
package io.peeklock.codec;

import org.jspecify.annotations.NullMarked;
