package io.peeklock.amqp.engine.sasl;

/** The codes of a {@code sasl-outcome}. */
public enum SaslCode {
  OK(0),
  /** Bad credentials. */
  AUTH(1),
  SYS(2),
  SYS_PERM(3),
  SYS_TEMP(4);

  private final int code;

  SaslCode(int code) {
    this.code = code;
  }

  /** The value on the wire. */
  int code() {
    return code;
  }
}
