/**
 * How names, paths and durations are written, for the configuration and all edges alike. Imports
 * nothing but the kernel's values.
 *
 * <p>Start at {@link io.peeklock.runtime.naming.EntityNames}.
 */
@NullMarked
package io.peeklock.runtime.naming;

import org.jspecify.annotations.NullMarked;
