package io.peeklock.amqp.engine.codec;

/**
 * A {@code symbol}: ASCII text from a constrained domain, a type of its own beside {@code string}.
 *
 * @param text the characters; what is outside of ASCII is written as {@code '?'}
 */
public record Symbol(String text) {
  @Override
  public String toString() {
    return text;
  }
}
