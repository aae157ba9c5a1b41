/** The administration API with the client for Java. */
@NullMarked
package io.peeklock.conformance.admin;

import org.jspecify.annotations.NullMarked;
