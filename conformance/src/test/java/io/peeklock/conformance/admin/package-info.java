/** The administration API with the client for Java and with the command line. */
@NullMarked
package io.peeklock.conformance.admin;

import org.jspecify.annotations.NullMarked;
