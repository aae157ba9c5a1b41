/**
 * The article "Message transfers, locks, and settlement", sentence by sentence, with the official
 * Java client: what it says beside what happened.
 */
@NullMarked
package io.peeklock.examples.demo;

import org.jspecify.annotations.NullMarked;
