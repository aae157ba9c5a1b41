/**
 * Earlier generations of the official Java client, each in a process of its own: {@link
 * io.peeklock.conformance.generations.FirstClient} is the first of them all, {@link
 * io.peeklock.conformance.generations.EarlierClient} an earlier version of today's.
 */
@NullMarked
package io.peeklock.conformance.generations;

import org.jspecify.annotations.NullMarked;
