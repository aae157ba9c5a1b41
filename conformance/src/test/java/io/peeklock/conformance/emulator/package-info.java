/** What was made for the vendor's emulator, used with this broker unchanged. */
@NullMarked
package io.peeklock.conformance.emulator;

import org.jspecify.annotations.NullMarked;
