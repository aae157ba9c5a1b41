package io.peeklock.http;

import org.jspecify.annotations.Nullable;

/** Takes in the bodies of a route that may be too large to be held. */
@FunctionalInterface
public interface LargeBodies {

  /**
   * Asked when the head of a request is read and its body is, or may be, larger than what the route
   * holds, or waits for a word. It runs on the connection's event loop and must not block.
   *
   * @param call has no body. To be answered at once where the head says that it will come to
   *     nothing
   * @param length of the body, below 0 when nobody knows
   * @return who takes the body, once more of it has come than the route holds; null when the call
   *     is answered: nothing more is heard of it
   */
  @Nullable BodySink open(HttpCall call, long length);
}
