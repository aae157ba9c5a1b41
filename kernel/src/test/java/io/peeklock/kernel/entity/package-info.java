/**
 * What is said of entities.
 *
 * <p>Start at {@link io.peeklock.kernel.entity.EntityPropertyTest}.
 */
@NullMarked
package io.peeklock.kernel.entity;

import org.jspecify.annotations.NullMarked;
