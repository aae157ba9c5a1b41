package io.peeklock.amqp.engine;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a client's {@code open}.
 *
 * @param containerId its name for itself
 * @param hostname as sent, or null; may tell namespaces apart (amqp.md 1.3)
 * @param maxFrameSize 512 to 2^32-1; null came as 2^32-1
 * @param channelMax 0 to 65535
 * @param idleTimeOutMillis 0 for none
 * @param properties product, version, user-agent …; keys as texts
 */
public record PeerOpen(
    String containerId,
    @Nullable String hostname,
    long maxFrameSize,
    int channelMax,
    long idleTimeOutMillis,
    Map<String, @Nullable Object> properties) {}
