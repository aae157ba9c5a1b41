/**
 * The requests to the machine, who makes them, and the time and chance that come with them. Imports
 * {@code entity}, {@code refusal} and {@code filter}.
 *
 * <p>Start at {@link io.peeklock.kernel.request.Request}.
 */
@NullMarked
package io.peeklock.kernel.request;

import org.jspecify.annotations.NullMarked;
