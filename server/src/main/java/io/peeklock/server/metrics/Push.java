package io.peeklock.server.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes the metrics to OpenTelemetry, over HTTP, as the standard variables of the environment say:
 * {@code OTEL_EXPORTER_OTLP_ENDPOINT} or {@code OTEL_EXPORTER_OTLP_METRICS_ENDPOINT}, and {@code
 * OTEL_RESOURCE_ATTRIBUTES}, {@code OTEL_EXPORTER_OTLP_HEADERS}.
 */
final class Push extends OtlpMeterRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(Push.class);
  private static final long PATIENCE_SECONDS = 10;

  private final Supplier<CompletableFuture<Void>> refresh;

  private Push(Supplier<CompletableFuture<Void>> refresh) {
    super(OtlpConfig.DEFAULT, Clock.SYSTEM);
    this.refresh = refresh;
  }

  /** One, when the environment names an endpoint. */
  static Optional<MeterRegistry> ifAskedFor(Supplier<CompletableFuture<Void>> refresh) {
    if (!isAskedFor()) {
      return Optional.empty();
    }
    LOG.info("Metrics are pushed to {}", OtlpConfig.DEFAULT.url());
    return Optional.of(new Push(refresh));
  }

  /** Whether the environment names an endpoint. */
  static boolean isAskedFor() {
    return System.getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != null
        || System.getenv("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT") != null;
  }

  @Override
  protected void publish() {
    try {
      refresh.get().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return;
    } catch (ExecutionException | TimeoutException late) {
      LOG.warn("The metrics that are pushed are old: {}", late.toString());
    }
    super.publish();
  }
}
