/**
 * Folders as tools see them, and those of earlier versions. Imports {@code sim} and below what it
 * tests.
 *
 * <p>Start at {@link io.peeklock.journal.inspection.GoldenFilesTest}.
 */
@NullMarked
package io.peeklock.journal.inspection;

import org.jspecify.annotations.NullMarked;
