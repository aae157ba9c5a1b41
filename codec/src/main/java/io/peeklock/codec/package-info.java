/** Facts and checkpoints as bytes. What was once written stays readable for ever. */
@NullMarked
package io.peeklock.codec;

import org.jspecify.annotations.NullMarked;
