package io.peeklock.kernel.request;

import org.jspecify.annotations.Nullable;

/**
 * How a receiver wants a session that it is willing to hand over: whoever presents its lock token
 * takes it (S-516, S-517).
 *
 * @param assigned the token that it gets if it does not present one; chosen by chance
 * @param presented the token by which it takes the session from its holder; null when nobody is to
 *     lose it
 */
public record SharedSession(Token assigned, @Nullable Token presented) {

  /** A lock token of a session, of 128 bits. It is a secret: nothing writes it down. */
  public record Token(long high, long low) {
    @Override
    public String toString() {
      return "a session's lock token";
    }
  }
}
