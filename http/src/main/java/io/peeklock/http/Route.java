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
 * @param bodyBytes the largest body that is held, from 0; larger ones are answered with 413 and not
 *     read, unless somebody takes them
 * @param contentTypes what a body may be, without parameters, in lower case; empty for anything
 * @param large who takes bodies that are not held; null for nobody
 * @param trust whether the token of a request is good, by its head alone: only then more than a
 *     little of a body is held
 */
public record Route(
    Predicate<RequestHead> where,
    List<String> methods,
    long bodyBytes,
    List<String> contentTypes,
    HttpHandler handler,
    @Nullable LargeBodies large,
    Predicate<HttpCall> trust) {

  /** One that takes no larger bodies than it holds. */
  public Route(
      Predicate<RequestHead> where,
      List<String> methods,
      long bodyBytes,
      List<String> contentTypes,
      HttpHandler handler) {
    this(where, methods, bodyBytes, contentTypes, handler, null, call -> false);
  }

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

  /** The same for bodies of any size. */
  public Route withLarge(LargeBodies taker) {
    return new Route(where, methods, bodyBytes, contentTypes, handler, taker, trust);
  }

  /** The same where a token may be good; it is looked at when the body is not small. */
  public Route trusting(Predicate<HttpCall> judge) {
    return new Route(where, methods, bodyBytes, contentTypes, handler, large, judge);
  }

  boolean trusts(HttpCall call) {
    return trust.test(call);
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

  /** Whether a body of this length is refused unread. */
  boolean refuses(long length) {
    return length > bodyBytes && large == null;
  }

  RequestChecks.Judgement.Bad tooLarge() {
    return new RequestChecks.Judgement.Bad(413, "the body is larger than " + bodyBytes + " bytes");
  }

  /** What {@code Allow} says. */
  String allowed() {
    return String.join(", ", methods) + (methods.contains("GET") ? ", HEAD" : "");
  }
}
