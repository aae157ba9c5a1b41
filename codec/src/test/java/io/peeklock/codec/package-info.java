/** The bytes of facts, as they were and must stay. */
@NullMarked
package io.peeklock.codec;

import org.jspecify.annotations.NullMarked;
