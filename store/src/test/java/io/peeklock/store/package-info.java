/** The tools on folders that a real journal wrote, whole and damaged. */
@NullMarked
package io.peeklock.store;

import org.jspecify.annotations.NullMarked;
