/**
 * The grants: changes of volatile state, such as locks, receivers and use. Imports {@code request},
 * {@code entity} and {@code refusal}.
 *
 * <p>Start at {@link io.peeklock.kernel.grant.Grant}.
 */
@NullMarked
package io.peeklock.kernel.grant;

import org.jspecify.annotations.NullMarked;
