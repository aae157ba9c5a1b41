package io.peeklock.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The questions of orchestrators: {@code /health}, as the vendor's emulator has it, and {@code
 * /health/ready} are 200 while messages are taken, {@code /health/alive} while the broker goes on
 * at all. An entity may have such a name: who asks for it says an {@code api-version} or signs, who
 * probes does neither, whatever else orchestrators send along.
 */
public final class Probes {
  private static final Logger LOG = LoggerFactory.getLogger(Probes.class);
  private static final long PATIENCE_MILLIS = 3_000;
  private static final long FRESH_MILLIS = 250;
  private static final int FINE = 200;
  private static final int NOT_FINE = 503;
  private static final String SIGNED = "SharedAccessSignature";
  private static final String JSON = "application/json";

  /** What the broker knows of itself. Callable from any thread; may answer later. */
  public interface Condition {
    /** Why no message would be taken now; empty when all is well. */
    CompletableFuture<Optional<String>> unready();

    /** What operators should see to although messages are taken; empty for nothing. */
    default Optional<String> warning() {
      return Optional.empty();
    }

    /** Why the broker cannot go on; empty when it can. */
    CompletableFuture<Optional<String>> dead();
  }

  private Probes() {}

  /** To be mounted before anything that takes any path. */
  public static List<Route> routes(Condition condition) {
    return routes(condition, System::nanoTime);
  }

  /** For tests, which own the time. */
  static List<Route> routes(Condition condition, LongSupplier nanos) {
    // Nobody needs a password to ask, and each answer takes a sync of every namespace's log.
    var unready = new SharedAnswer<>(condition::unready, FRESH_MILLIS, nanos);
    var dead = new SharedAnswer<>(condition::dead, FRESH_MILLIS, nanos);
    return List.of(
        probe("/health", unready, condition::warning),
        probe("/health/ready", unready, condition::warning),
        probe("/health/alive", dead, Optional::empty));
  }

  private static Route probe(
      String path,
      Supplier<CompletableFuture<Optional<String>>> asked,
      Supplier<Optional<String>> warning) {
    return Route.reading(
        head -> head.path().equalsIgnoreCase(path) && !isForEntity(head),
        call -> answer(call, asked.get(), warning));
  }

  private static boolean isForEntity(RequestHead head) {
    var token = head.header("Authorization");
    return head.query("api-version") != null
        || (token != null && token.regionMatches(true, 0, SIGNED, 0, SIGNED.length()));
  }

  private static void answer(
      HttpCall call,
      CompletableFuture<Optional<String>> asked,
      Supplier<Optional<String>> warning) {
    var late = Optional.of("the broker did not answer itself in " + PATIENCE_MILLIS + " ms");
    var unused =
        asked
            .copy()
            .completeOnTimeout(late, PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
            .exceptionally(failed -> Optional.of("the broker failed to look at itself"))
            .thenAccept(trouble -> call.attempt(() -> call.answer(said(trouble, warning))));
  }

  private static HttpAnswer said(Optional<String> trouble, Supplier<Optional<String>> warning) {
    trouble.ifPresent(reason -> LOG.debug("A probe was told: {}", reason));
    var answer =
        trouble.isEmpty()
            ? HttpAnswer.text(FINE, JSON, "{\"status\":\"healthy\"" + beside(warning.get()) + "}")
            : HttpAnswer.text(
                NOT_FINE,
                JSON,
                "{\"status\":\"unhealthy\",\"reason\":\"" + escaped(trouble.get()) + "\"}");
    return answer.with("Cache-Control", "no-store");
  }

  private static String beside(Optional<String> warning) {
    return warning.map(text -> ",\"warning\":\"" + escaped(text) + "\"").orElse("");
  }

  /** A reason may name an entity, and entities may have any name. */
  private static String escaped(String reason) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(reason));
  }
}
