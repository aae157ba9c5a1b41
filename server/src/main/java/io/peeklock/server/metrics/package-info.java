/**
 * What operators measure: the counts of the modules as Prometheus and OpenTelemetry have them.
 * Imports the meters of the runtime and the transport, and {@code http} for the page; only here is
 * a library for metrics known.
 *
 * <p>Start at {@link io.peeklock.server.metrics.LazyMetrics}.
 */
@NullMarked
package io.peeklock.server.metrics;

import org.jspecify.annotations.NullMarked;
