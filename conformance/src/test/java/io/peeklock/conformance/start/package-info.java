/** How the program starts and stops. */
@NullMarked
package io.peeklock.conformance.start;

import org.jspecify.annotations.NullMarked;
