/** What operators see of a running broker. */
@NullMarked
package io.peeklock.conformance.operations;

import org.jspecify.annotations.NullMarked;
