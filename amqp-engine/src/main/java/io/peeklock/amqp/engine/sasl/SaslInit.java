package io.peeklock.amqp.engine.sasl;

import org.jspecify.annotations.Nullable;

/**
 * A client's {@code sasl-init}. Its {@code toString} never shows the response, which is a secret.
 */
public final class SaslInit {
  private final String mechanism;
  private final byte[] response;
  private final @Nullable String hostname;

  /** Takes the fields of the frame; the response is not copied. */
  public SaslInit(String mechanism, byte[] response, @Nullable String hostname) {
    this.mechanism = mechanism;
    this.response = response;
    this.hostname = hostname;
  }

  /** The chosen mechanism, one of those offered. */
  public String mechanism() {
    return mechanism;
  }

  /** A copy of the initial response; absent ones are empty. */
  public byte[] response() {
    return response.clone();
  }

  /** The host name as sent, or null. */
  public @Nullable String hostname() {
    return hostname;
  }

  @Override
  public String toString() {
    return "SaslInit[" + mechanism + ", hostname " + hostname + "]";
  }
}
