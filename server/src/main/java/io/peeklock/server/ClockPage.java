package io.peeklock.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import io.netty.buffer.ByteBufUtil;
import io.peeklock.http.HttpAnswer;
import io.peeklock.http.HttpCall;
import io.peeklock.http.Route;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /$peeklock/clock}, for tests in any language on this machine: GET tells the broker's time,
 * POST of {@code {"advance":"PT30S"}} or {@code {"set":"2030-01-01T00:00:00Z"}} moves it, and is
 * answered when all that is due by then is done. A body must be {@code application/json}, which no
 * page of another origin can send without asking first.
 */
final class ClockPage {
  private static final String PATH = "/$peeklock/clock";
  private static final String JSON = "application/json";
  private static final long MOST_BYTES = 1_024;
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Supplier<Instant> now;
  private final Function<Duration, CompletableFuture<Void>> advance;

  private ClockPage(Supplier<Instant> now, Function<Duration, CompletableFuture<Void>> advance) {
    this.now = now;
    this.advance = advance;
  }

  /** To be mounted before anything that takes any path. */
  static Route route(Supplier<Instant> now, Function<Duration, CompletableFuture<Void>> advance) {
    return new Route(
        head -> head.path().equalsIgnoreCase(PATH),
        List.of("GET", "POST"),
        MOST_BYTES,
        List.of(JSON),
        new ClockPage(now, advance)::answer);
  }

  private void answer(HttpCall call) {
    if (!call.remote().getAddress().isLoopbackAddress()) {
      call.answer(HttpAnswer.error(403, "The clock is for tests on this machine"));
    } else if (call.head().method().equals("POST")) {
      move(call);
    } else {
      call.answer(told());
    }
  }

  private HttpAnswer told() {
    return HttpAnswer.text(200, JSON, "{\"now\":\"" + now.get() + "\"}")
        .with("Cache-Control", "no-store");
  }

  private void move(HttpCall call) {
    CompletableFuture<Void> moved;
    try {
      moved = advance.apply(asked(ByteBufUtil.getBytes(call.body())));
    } catch (IOException | DateTimeException | IllegalArgumentException wrong) {
      call.answer(HttpAnswer.error(400, firstLine(wrong)));
      return;
    }
    var unused =
        moved.whenComplete(
            (done, failed) ->
                call.attempt(
                    () ->
                        call.answer(
                            failed == null
                                ? told()
                                : HttpAnswer.error(500, "the clock stopped: " + failed))));
  }

  private static String firstLine(Exception wrong) {
    return String.valueOf(wrong.getMessage()).lines().findFirst().orElse("");
  }

  /** By how much the body asks to move the clock. */
  private Duration asked(byte[] body) throws IOException {
    String name = null;
    String value = null;
    try (var parser = FACTORY.createParser(body)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        name = parser.nextFieldName();
        value = parser.nextTextValue();
        if (parser.nextToken() != JsonToken.END_OBJECT) {
          name = null;
        }
      }
    }
    return duration(name, value);
  }

  private Duration duration(@Nullable String name, @Nullable String value) {
    if (value != null && "advance".equals(name)) {
      return Duration.parse(value);
    }
    if (value != null && "set".equals(name)) {
      return Duration.between(now.get(), Instant.parse(value));
    }
    throw new IllegalArgumentException(
        "say {\"advance\":\"PT30S\"} or {\"set\":\"2030-01-01T00:00:00Z\"}");
  }
}
