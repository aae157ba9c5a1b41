/**
 * Files of a journal opened for inspection: what is in each, and what is damaged. Imports {@code
 * checkpoint} and below.
 *
 * <p>Start at {@link io.peeklock.journal.scan.SegmentScan}.
 */
@NullMarked
package io.peeklock.journal.scan;

import org.jspecify.annotations.NullMarked;
