package io.peeklock.conformance.raw;

/** An AMQP symbol. */
public record Symbol(String text) {
  @Override
  public String toString() {
    return text;
  }
}
