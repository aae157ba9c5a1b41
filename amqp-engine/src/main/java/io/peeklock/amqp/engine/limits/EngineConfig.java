package io.peeklock.amqp.engine.limits;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of connections. Immutable and shared between them.
 *
 * @param containerId our {@code open.container-id}
 * @param openProperties our {@code open.properties}; written as a map even when empty
 * @param saslMechanisms offered in this order
 * @param saslRequired false lets a client start with the AMQP header, without SASL
 * @param limits see {@link Limits}
 * @param times see {@link Times}
 */
public record EngineConfig(
    String containerId,
    Map<String, @Nullable Object> openProperties,
    List<String> saslMechanisms,
    boolean saslRequired,
    Limits limits,
    Times times) {
  public EngineConfig {
    saslMechanisms = List.copyOf(saslMechanisms);
    if (saslMechanisms.isEmpty() && saslRequired) {
      throw new IllegalArgumentException("SASL is required, but no mechanism is offered");
    }
  }

  /** MSSBCBS, PLAIN, ANONYMOUS and EXTERNAL, SASL required, and the values of amqp.md 1.3. */
  public static EngineConfig defaults(String containerId) {
    return new EngineConfig(
        containerId,
        Map.of(),
        List.of("MSSBCBS", "PLAIN", "ANONYMOUS", "EXTERNAL"),
        true,
        Limits.DEFAULT,
        Times.DEFAULT);
  }

  public EngineConfig withSaslMechanisms(List<String> mechanisms) {
    return new EngineConfig(containerId, openProperties, mechanisms, saslRequired, limits, times);
  }

  public EngineConfig withSaslRequired(boolean required) {
    return new EngineConfig(containerId, openProperties, saslMechanisms, required, limits, times);
  }

  public EngineConfig withLimits(Limits newLimits) {
    return new EngineConfig(
        containerId, openProperties, saslMechanisms, saslRequired, newLimits, times);
  }

  public EngineConfig withTimes(Times newTimes) {
    return new EngineConfig(
        containerId, openProperties, saslMechanisms, saslRequired, limits, newTimes);
  }

  /**
   * Sizes and counts (reliability.md 5.6).
   *
   * @param maxFrameSize our {@code open.max-frame-size}, bytes, 512 to 2^20
   * @param channelMax our {@code open.channel-max}, 255 to 65535
   * @param maxSessions sessions at a time on a connection; one more is begun and ended with
   *     resource-limit-exceeded
   * @param maxLinksPerSession links at a time on a session; one more is refused with
   *     resource-limit-exceeded. {@code handle-max} is twice as high
   */
  public record Limits(int maxFrameSize, int channelMax, int maxSessions, int maxLinksPerSession) {
    /** 64 KiB, 4999, 5000, 1000. */
    public static final Limits DEFAULT = new Limits(65536, 4999, 5000, 1000);

    public Limits {
      if (maxFrameSize < 512 || maxFrameSize > 1 << 20) {
        throw new IllegalArgumentException("maxFrameSize must be in 512..1048576");
      }
      if (channelMax < 255 || channelMax > 65535) {
        throw new IllegalArgumentException("channelMax must be in 255..65535");
      }
      if (maxSessions < 1 || maxLinksPerSession < 1) {
        throw new IllegalArgumentException("at least one session and one link");
      }
    }

    /**
     * Twice the links allowed, so that one too many is refused with an error instead of closing the
     * session.
     */
    public int handleMax() {
      return 2 * maxLinksPerSession - 1;
    }
  }

  /**
   * Durations, all in milliseconds, all above 0.
   *
   * @param idleTimeOutMillis our {@code open.idle-time-out}; a peer silent for twice as long is
   *     dropped
   * @param heartbeatMillis the longest silence of ours, also for peers without idle-time-out
   * @param handshakeMillis from the start until the peer's {@code open}
   * @param closeMillis how long we wait for the answer to our {@code close}, from the next tick on
   */
  public record Times(
      long idleTimeOutMillis, long heartbeatMillis, long handshakeMillis, long closeMillis) {
    /** 240 s, 15 s, 10 s, 5 s. */
    public static final Times DEFAULT = new Times(240_000, 15_000, 10_000, 5_000);

    public Times {
      if (idleTimeOutMillis <= 0
          || heartbeatMillis <= 0
          || handshakeMillis <= 0
          || closeMillis <= 0) {
        throw new IllegalArgumentException("durations must be above 0");
      }
    }
  }
}
