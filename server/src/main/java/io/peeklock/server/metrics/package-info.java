/**
 * What operators measure: the counts of the modules as Prometheus and OpenTelemetry have them.
 *
 * <p>Start at {@link io.peeklock.server.metrics.LazyMetrics}.
 */
@NullMarked
package io.peeklock.server.metrics;

import org.jspecify.annotations.NullMarked;
