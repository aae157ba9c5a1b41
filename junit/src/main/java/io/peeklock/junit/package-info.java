/**
 * A broker inside a test's own JVM: {@link io.peeklock.junit.Peeklock} by itself, and {@link
 * io.peeklock.junit.PeeklockExtension} for JUnit 5 and 6.
 */
@NullMarked
package io.peeklock.junit;

import org.jspecify.annotations.NullMarked;
