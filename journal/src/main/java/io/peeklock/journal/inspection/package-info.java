/**
 * A folder for tools, and a start that changes nothing. Imports {@code file} and below.
 *
 * <p>Start at {@link io.peeklock.journal.inspection.StoreFolder}.
 */
@NullMarked
package io.peeklock.journal.inspection;

import org.jspecify.annotations.NullMarked;
