package io.peeklock.runtime;

import io.peeklock.kernel.request.Request;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request with the bytes that belong to it.
 *
 * @param request the request; its origin is an {@link Endpoint}
 * @param bodies the bodies of a {@link Request.Send}, in the order of its burst; else null
 * @param overlay the encoded application properties that a {@link Request.Settle} changes; else
 *     null
 */
public record Submission(
    Request request, @Nullable StagedBodies bodies, byte @Nullable [] overlay) {

  /** A request without bytes. */
  public static Submission of(Request request) {
    return new Submission(request, null, null);
  }

  /**
   * A request with staged bodies. If creating it throws, the bodies are released, so that the
   * caller has nothing to clean up.
   */
  public static Submission of(@Nullable StagedBodies staged, Supplier<Request> request) {
    try {
      return new Submission(request.get(), staged, null);
    } catch (RuntimeException | Error fault) {
      if (staged != null) {
        staged.release();
      }
      throw fault;
    }
  }

  /** Releases the bodies, which will not be stored. */
  public void release() {
    if (bodies != null) {
      bodies.release();
    }
  }

  /** Its weight in the mailbox, in bytes. */
  long weight() {
    return RequestWeight.of(request)
        + (bodies == null ? 0 : bodies.bytes())
        + (overlay == null ? 0 : overlay.length);
  }
}
