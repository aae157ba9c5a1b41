package io.peeklock.amqp.engine;

/** The codes of a {@code sasl-outcome}; the order of the constants is their value on the wire. */
public enum SaslCode {
  OK,
  /** Bad credentials. */
  AUTH,
  SYS,
  SYS_PERM,
  SYS_TEMP
}
