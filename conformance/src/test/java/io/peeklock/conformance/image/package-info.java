/**
 * The image that containers are made from, built and run by an engine. Start at {@link
 * io.peeklock.conformance.image.ImageTest}.
 */
@NullMarked
package io.peeklock.conformance.image;

import org.jspecify.annotations.NullMarked;
