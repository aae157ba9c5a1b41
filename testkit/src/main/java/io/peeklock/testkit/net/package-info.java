/** A network that is as slow as one likes, between a real client and a real broker. */
@NullMarked
package io.peeklock.testkit.net;

import org.jspecify.annotations.NullMarked;
