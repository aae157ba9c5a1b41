/**
 * A shard drives the kernel: mailbox, stamps, log order, gate and timers. It owns the ports that
 * the edges implement or call.
 */
@NullMarked
package io.peeklock.runtime;

import org.jspecify.annotations.NullMarked;
