package io.peeklock.journal;

/** A change that the next start of a broker would make in its folder. */
public sealed interface StoreChange {

  /** The file that would be changed. */
  String file();

  /** The torn end of a segment would be cut off: a batch that was never reported as durable. */
  record Cut(String file, long offset, long bytes) implements StoreChange {}

  /** A file that nothing needs would be removed. */
  record Removed(String file) implements StoreChange {}

  /** A damaged checkpoint would be set aside. */
  record SetAside(String file) implements StoreChange {}
}
