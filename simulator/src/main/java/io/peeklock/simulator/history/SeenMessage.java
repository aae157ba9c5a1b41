package io.peeklock.simulator.history;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as a client gets it: delivered, received by number, or peeked.
 *
 * @param tag what its body says; the sender gave it
 * @param state active, deferred or scheduled
 * @param deliveryCount failed attempts so far, as the service's header field has it
 * @param enqueuedAtMillis when this entity took it
 * @param expiresAtMillis {@link Long#MAX_VALUE} for never
 * @param properties application properties, changed ones and the reason of a dead letter among them
 * @param deadLetterSource where it was a dead letter; null when it was none
 * @param lockId names the lock until it ends, and no other lock of the run; 0 without one
 * @param lockedUntilMillis when that lock lapses; 0 without one
 */
public record SeenMessage(
    String tag,
    @Nullable String messageId,
    @Nullable String sessionId,
    long sequenceNumber,
    State state,
    int deliveryCount,
    long enqueuedAtMillis,
    long expiresAtMillis,
    Map<String, Object> properties,
    @Nullable String deadLetterSource,
    long lockId,
    long lockedUntilMillis) {

  /** What a peek tells (S-219). */
  public enum State {
    ACTIVE,
    DEFERRED,
    SCHEDULED
  }
}
