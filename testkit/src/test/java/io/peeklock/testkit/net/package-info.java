/** Tests of the slow network. */
@NullMarked
package io.peeklock.testkit.net;

import org.jspecify.annotations.NullMarked;
