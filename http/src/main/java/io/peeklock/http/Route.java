package io.peeklock.http;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where a handler is mounted, and within which bounds.
 *
 * @param where judges path and headers; the first route of a {@link Router} that says yes is taken
 * @param methods that the route knows; others are answered with 405. HEAD comes with GET
 * @param bodyBytes the largest body, from 0; larger ones are answered with 413 and not read
 * @param contentTypes what a body may be, without parameters, in lower case; empty for anything
 */
public record Route(
    Predicate<RequestHead> where,
    List<String> methods,
    long bodyBytes,
    List<String> contentTypes,
    HttpHandler handler) {

  /** Takes copies. */
  public Route {
    methods = List.copyOf(methods);
    contentTypes = List.copyOf(contentTypes);
    if (bodyBytes < 0) {
      throw new IllegalArgumentException("a body has at least no bytes");
    }
  }

  /** A route without bodies, for GET and HEAD. */
  public static Route reading(Predicate<RequestHead> where, HttpHandler handler) {
    return new Route(where, List.of("GET"), 0, List.of(), handler);
  }

  boolean knows(String method) {
    return methods.contains(method) || (method.equals("HEAD") && methods.contains("GET"));
  }

  /** Whether a body of this type may come. */
  boolean takes(@Nullable String contentType) {
    if (contentTypes.isEmpty()) {
      return true;
    }
    if (contentType == null) {
      return false;
    }
    var semicolon = contentType.indexOf(';');
    var bare = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
    return contentTypes.contains(bare.strip().toLowerCase(Locale.ROOT));
  }

  /** What {@code Allow} says. */
  String allowed() {
    return String.join(", ", methods) + (methods.contains("GET") ? ", HEAD" : "");
  }
}
