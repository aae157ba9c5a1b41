/**
 * A folder opened for tools, and a dry run of a start. Imports {@code file} and below.
 *
 * <p>Start at {@link io.peeklock.journal.inspection.StoreFolder}.
 */
@NullMarked
package io.peeklock.journal.inspection;

import org.jspecify.annotations.NullMarked;
