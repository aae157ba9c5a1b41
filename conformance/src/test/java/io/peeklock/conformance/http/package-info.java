/**
 * Messages over plain HTTP, with curl as anybody would use it, and with clients of the other wire.
 */
@NullMarked
package io.peeklock.conformance.http;

import org.jspecify.annotations.NullMarked;
