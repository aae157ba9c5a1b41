package io.peeklock.amqp.engine.codec;

/**
 * A {@code symbol}: ASCII text from a constrained domain, a separate type from {@code string}.
 *
 * @param text the characters; what is outside of ASCII is written as {@code '?'}
 */
public record Symbol(String text) implements Comparable<Symbol> {
  /** Lets hash maps with colliding keys of a client fall back to trees. */
  @Override
  public int compareTo(Symbol other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
