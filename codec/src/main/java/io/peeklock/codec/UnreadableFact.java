package io.peeklock.codec;

/** Bytes that are no fact known to this version: written by a newer version, or damaged. */
public final class UnreadableFact extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableFact(String what) {
    super(what);
  }
}
