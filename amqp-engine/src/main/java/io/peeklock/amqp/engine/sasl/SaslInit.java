package io.peeklock.amqp.engine.sasl;

import org.jspecify.annotations.Nullable;

/** What a client answered to our SASL mechanisms. Its text never shows the response: a secret. */
public final class SaslInit {
  private final String mechanism;
  private final byte[] response;
  private final @Nullable String hostname;

  /** What was read from the frame; the response is not copied. */
  public SaslInit(String mechanism, byte[] response, @Nullable String hostname) {
    this.mechanism = mechanism;
    this.response = response;
    this.hostname = hostname;
  }

  /** One of the mechanisms that were offered. */
  public String mechanism() {
    return mechanism;
  }

  /** A copy of the initial response; absent ones are empty. */
  public byte[] response() {
    return response.clone();
  }

  /** As sent, or null. */
  public @Nullable String hostname() {
    return hostname;
  }

  @Override
  public String toString() {
    return "SaslInit[" + mechanism + ", hostname " + hostname + "]";
  }
}
