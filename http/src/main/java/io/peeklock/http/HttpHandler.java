package io.peeklock.http;

/** Answers the requests of a route, at once or later. */
@FunctionalInterface
public interface HttpHandler {

  /**
   * Takes a request with its whole body. Runs on the connection's event loop and must not block:
   * whoever has to wait keeps the call and gives it its {@link HttpCall#answer} later, from any
   * thread. A call is answered once; the connection brings no other before. What this throws is
   * logged and answered with 500.
   */
  void handle(HttpCall call);
}
