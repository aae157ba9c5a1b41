package io.peeklock.server.config;

/** The operator asked for something that cannot be; the message is one sentence that says what. */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong, without a key or a token in it. */
  public ConfigurationException(String message) {
    super(message);
  }
}
