/**
 * Checks over the whole repository: walls between modules, sizes, links, and which rules are
 * proven.
 */
@NullMarked
package io.peeklock.checks;

import org.jspecify.annotations.NullMarked;
