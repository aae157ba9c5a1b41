package io.peeklock.amqp.engine.codec;

/**
 * A {@code symbol}: ASCII text from a constrained domain, a type of its own beside {@code string}.
 *
 * @param text the characters; what is outside of ASCII is written as {@code '?'}
 */
public record Symbol(String text) implements Comparable<Symbol> {
  /** Lets maps that a client filled with colliding keys fall back to trees. */
  @Override
  public int compareTo(Symbol other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
