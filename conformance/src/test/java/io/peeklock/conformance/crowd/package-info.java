/**
 * Many clients, and bad ones: a crowd of mixed SDKs, churn, half-open connections, receivers that
 * take without giving back, and slow readers. What is bad costs its own connection and nobody else.
 */
@NullMarked
package io.peeklock.conformance.crowd;

import org.jspecify.annotations.NullMarked;
