/** Real clients against the real process. This suite is the definition of "compatible". */
@NullMarked
package io.peeklock.conformance;

import org.jspecify.annotations.NullMarked;
