/**
 * How names, paths and durations are written: what the configuration, the administration API and
 * other edges must judge alike.
 *
 * <p>Start at {@link io.peeklock.runtime.naming.EntityNames}. Pure JDK.
 */
@NullMarked
package io.peeklock.runtime.naming;

import org.jspecify.annotations.NullMarked;
