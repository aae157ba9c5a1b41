package io.peeklock.http;

import org.jspecify.annotations.Nullable;

/**
 * An answer on its way to its connection.
 *
 * @param taken run when the system has taken all of it, or when it goes to nobody; null where
 *     nobody else counts what it holds
 */
record Reply(HttpAnswer answer, @Nullable Runnable taken) {

  /** It goes to nobody. */
  void drop() {
    var rest = answer.rest();
    if (rest != null) {
      rest.close();
    }
    gone();
  }

  void gone() {
    if (taken != null) {
      taken.run();
    }
  }

  /** What of it can wait for a socket at a time. */
  int mostBytes() {
    var rest = answer.rest();
    var first = answer.body().length;
    return rest == null ? first : Math.max(first, rest.mostBytes());
  }
}
