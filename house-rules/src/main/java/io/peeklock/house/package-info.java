/**
 * Checks over the whole repository: walls between rooms, sizes, links, and which rules are proven.
 */
@NullMarked
package io.peeklock.house;

import org.jspecify.annotations.NullMarked;
