/**
 * What is asked of the machine: requests, who asks, and the time and chance that come with them.
 *
 * <p>Start at {@link io.peeklock.kernel.request.Request}. Knows entities, refusals and what filters
 * see of a message.
 */
@NullMarked
package io.peeklock.kernel.request;

import org.jspecify.annotations.NullMarked;
