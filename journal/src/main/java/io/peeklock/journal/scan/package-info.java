/**
 * Files of a journal for those who only look: what is in each, and what is wrong with it. Imports
 * {@code checkpoint} and below.
 *
 * <p>Start at {@link io.peeklock.journal.scan.SegmentScan}.
 */
@NullMarked
package io.peeklock.journal.scan;

import org.jspecify.annotations.NullMarked;
