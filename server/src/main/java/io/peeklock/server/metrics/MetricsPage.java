package io.peeklock.server.metrics;

import io.peeklock.http.HttpAnswer;
import io.peeklock.http.HttpCall;
import io.peeklock.http.RequestHead;
import io.peeklock.http.Route;
import io.peeklock.http.SharedAnswer;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.access.AccessControl;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /metrics}, in the text format of Prometheus. From this machine anybody may look; from
 * another one only with the name and key of a policy, as the user and password that Prometheus can
 * send. All who look while a page is being written see that one, and few read it at a time, for
 * with thousands of entities it has megabytes; who looks later sees what has happened since. An
 * entity may have that name: who asks for it sends a token. Whoever looks keeps a place among the
 * unauthenticated, as probes do: it is answered where all others are taken.
 */
public final class MetricsPage {
  private static final RateLimitedLog FAULTS =
      new RateLimitedLog(LoggerFactory.getLogger(MetricsPage.class));
  private static final String PATH = "/metrics";
  private static final String TYPE = "text/plain; version=0.0.4";
  private static final String BASIC = "Basic ";
  private static final long PATIENCE_MILLIS = 10_000;
  private static final int FINE = 200;
  private static final int UNAUTHORISED = 401;
  private static final int UNAVAILABLE = 503;
  private static final HttpAnswer HEAD =
      HttpAnswer.text(FINE, TYPE, "").with("Cache-Control", "no-store");
  private static final HttpAnswer NOT_READ =
      HttpAnswer.error(UNAVAILABLE, "The metrics could not be read in time")
          .with("Cache-Control", "no-store");
  private static final HttpAnswer BUSY =
      HttpAnswer.error(
              UNAVAILABLE, "The metrics are being read by " + Scrapes.MOST + " others; try again")
          .with("Cache-Control", "no-store")
          .with("Retry-After", "1");

  private final Supplier<CompletableFuture<List<byte[]>>> metrics;
  private final AccessControl access;
  private final Scrapes scrapes;

  private MetricsPage(
      Supplier<CompletableFuture<List<byte[]>>> metrics, AccessControl access, LongSupplier nanos) {
    this.metrics = new SharedAnswer<>(metrics, 0, nanos);
    this.access = access;
    this.scrapes = new Scrapes(nanos);
  }

  /** To be mounted before anything that takes any path. */
  public static Route route(LazyMetrics metrics, AccessControl access) {
    return route(metrics::page, access, System::nanoTime);
  }

  /** For tests, which own the page and the time. */
  static Route route(
      Supplier<CompletableFuture<List<byte[]>>> metrics, AccessControl access, LongSupplier nanos) {
    var page = new MetricsPage(metrics, access, nanos);
    return Route.reading(MetricsPage::isMeant, page::answer);
  }

  private static boolean isMeant(RequestHead head) {
    return head.path().equals(PATH)
        && (head.header("Authorization") == null || credentials(head) != null);
  }

  private static @Nullable String credentials(RequestHead head) {
    var header = head.header("Authorization");
    return header != null && header.regionMatches(true, 0, BASIC, 0, BASIC.length())
        ? header.substring(BASIC.length()).strip()
        : null;
  }

  private void answer(HttpCall call) {
    var credentials = credentials(call.head());
    var isLet =
        credentials == null ? call.remote().getAddress().isLoopbackAddress() : isKnown(credentials);
    if (!isLet) {
      call.answer(
          HttpAnswer.error(UNAUTHORISED, "Metrics are for this machine, or with a policy's key")
              .with("WWW-Authenticate", "Basic realm=\"metrics\""));
      return;
    }
    var scrape = scrapes.begin(call);
    if (scrape == null) {
      call.answer(BUSY);
      return;
    }
    var unused =
        metrics
            .get()
            .copy() // for it has many readers
            .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
            .whenComplete((page, failed) -> call.attempt(() -> tell(scrape, page, failed)));
  }

  private static void tell(
      Scrapes.Scrape scrape, @Nullable List<byte[]> page, @Nullable Throwable failed) {
    if (page == null) {
      FAULTS.warn("Metrics could not be read: {}", String.valueOf(failed));
      scrape.answer(NOT_READ);
    } else {
      scrape.answer(HEAD, page);
    }
  }

  private boolean isKnown(String credentials) {
    try {
      var text = new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
      var colon = text.indexOf(':');
      return colon > 0
          && access.authenticate(
                  text.substring(0, colon),
                  text.substring(colon + 1).getBytes(StandardCharsets.UTF_8))
              != null;
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }
}
