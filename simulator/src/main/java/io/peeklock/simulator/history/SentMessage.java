package io.peeklock.simulator.history;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as a sender makes it.
 *
 * @param tag stands in its body and is given to no other message of a run
 * @param messageId may be given to several
 * @param sessionId null for none
 * @param properties application properties: strings, longs, booleans
 * @param timeToLiveMillis its own, {@link Long#MAX_VALUE} for none
 * @param dueAtMillis when it is to become active; 0 for at once
 * @param bytes what it counts in a quota
 */
public record SentMessage(
    String tag,
    @Nullable String messageId,
    @Nullable String sessionId,
    Map<String, Object> properties,
    long timeToLiveMillis,
    long dueAtMillis,
    int bytes) {}
