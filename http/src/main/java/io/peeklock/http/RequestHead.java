package io.peeklock.http;

import io.netty.handler.codec.http.HttpRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request line and its headers, checked. */
public final class RequestHead {
  private final HttpRequest request;
  private final HttpTarget target;
  private final String authority;

  RequestHead(HttpRequest request, HttpTarget target, String authority) {
    this.request = request;
    this.target = target;
    this.authority = authority;
  }

  /** In upper case, such as {@code PUT}. */
  public String method() {
    return request.method().name();
  }

  /** Begins with a slash; decoded once, so that {@code %2F} has become a slash. */
  public String path() {
    return target.path();
  }

  /** The first value of a parameter; names are compared without regard to case. */
  public @Nullable String query(String name) {
    for (var parameter : target.query()) {
      if (parameter.getKey().equalsIgnoreCase(name)) {
        return parameter.getValue();
      }
    }
    return null;
  }

  /** Names of all parameters, in their order. */
  public List<String> queryNames() {
    return target.query().stream().map(Map.Entry::getKey).toList();
  }

  /** The first header of this name, whatever its case. */
  public @Nullable String header(String name) {
    return request.headers().get(name);
  }

  /** All headers, names in the case in which they came. */
  public List<Map.Entry<String, String>> headers() {
    return request.headers().entries();
  }

  /** The host, with the port where one was given, that the client wanted to reach. */
  public String authority() {
    return authority;
  }

  HttpRequest request() {
    return request;
  }
}
