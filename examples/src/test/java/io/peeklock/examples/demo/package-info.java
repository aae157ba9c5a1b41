/** Tests of how the demo judges. The whole of it runs in conformance. */
@NullMarked
package io.peeklock.examples.demo;

import org.jspecify.annotations.NullMarked;
