/** The broker inside a test, tested as its users use it. */
@NullMarked
package io.peeklock.junit;

import org.jspecify.annotations.NullMarked;
