package io.peeklock.kernel.decide;

import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.request.MessageView;
import org.jspecify.annotations.Nullable;

/** The messages that a decision asked for, as they were read. */
@FunctionalInterface
public interface FetchedBodies {

  /** None was read. */
  FetchedBodies NONE = (bodyId, overlayId, cause) -> null;

  /**
   * The message with this body and these changed properties.
   *
   * @param overlayId 0 for none
   * @param cause the cause of a dead letter, whose reason the view then shows
   * @return good until the next call; null when it was not read
   */
  @Nullable MessageView source(long bodyId, long overlayId, DeadLetterCause cause);

  /** Whether nothing was read, nor tried, that waits to be used. */
  default boolean isEmpty() {
    return true;
  }

  /** Whether this body, or these changed properties, cannot be read. */
  default boolean isLost(long bodyId) {
    return false;
  }

  /** Whether that was so at an earlier try too, some time ago. */
  default boolean isGivenUp(long bodyId) {
    return false;
  }
}
