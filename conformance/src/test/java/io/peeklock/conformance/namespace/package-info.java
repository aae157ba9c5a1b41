/** Several namespaces in one process, as real clients tell them apart. */
@NullMarked
package io.peeklock.conformance.namespace;

import org.jspecify.annotations.NullMarked;
