package io.peeklock.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Whose pages may talk to the broker beside its own: nobody's, unless an operator names them
 * (design.md 5). What a page may then do is what its token may do; nothing is let in by being sent
 * from a browser.
 */
public final class Origins {
  /** No others. */
  public static final Origins NONE = new Origins(Set.of());

  private static final String METHODS = "GET, HEAD, POST, PUT, DELETE";
  private static final String REMEMBERED_SECONDS = "600";

  /** A star stands for all only where a page sends no credentials. */
  private static final String EXPOSED =
      "*, BrokerProperties, Content-Type, ETag, Location, Retry-After";

  private final Set<String> allowed;

  /**
   * These.
   *
   * @param allowed each as browsers write it, {@code https://shop.example}; case is ignored
   */
  public Origins(Iterable<String> allowed) {
    this.allowed =
        StreamSupport.stream(allowed.spliterator(), false)
            .map(origin -> origin.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  boolean allow(String origin) {
    return allowed.contains(origin.toLowerCase(Locale.ROOT));
  }

  /** The answer to a browser that asks whether it may ask; null when it does not. */
  @Nullable HttpAnswer preflight(RequestHead head) {
    var origin = head.header("Origin");
    if (origin == null
        || !allow(origin)
        || !head.method().equals("OPTIONS")
        || head.header("Access-Control-Request-Method") == null) {
      return null;
    }
    var answer =
        HttpAnswer.empty(204)
            .with("Access-Control-Allow-Methods", METHODS)
            .with("Access-Control-Max-Age", REMEMBERED_SECONDS);
    var headers = head.header("Access-Control-Request-Headers");
    return headers == null ? answer : answer.with("Access-Control-Allow-Headers", headers);
  }

  /**
   * Lets the page that asked read the answer. The vendor's client for administrators asks with
   * credentials, so it is told that it may; that gives nothing away, for the broker sets no cookies
   * and takes no login but the token in the request.
   */
  void welcome(@Nullable RequestHead head, HttpHeaders answer) {
    var origin = head == null ? null : head.header("Origin");
    if (origin != null && allow(origin)) {
      answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin);
      answer.set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
      answer.set(HttpHeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
      answer.set(HttpHeaderNames.VARY, HttpHeaderNames.ORIGIN);
    }
  }
}
