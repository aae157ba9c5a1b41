/**
 * The rules: what a request means, what becomes true, who must be told. Pure: no clock, no random,
 * no thread, no file, no logger.
 */
@NullMarked
package io.peeklock.kernel;

import org.jspecify.annotations.NullMarked;
