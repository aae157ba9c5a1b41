package io.peeklock.journal;

/** What the next start of a broker would change in its folder. */
public sealed interface StoreChange {

  /** The file that would be changed. */
  String file();

  /** The torn end of a segment would be cut off: a batch that nobody was told about. */
  record Cut(String file, long offset, long bytes) implements StoreChange {}

  /** A file that nothing needs would be removed. */
  record Removed(String file) implements StoreChange {}

  /** A damaged checkpoint would be set aside. */
  record SetAside(String file) implements StoreChange {}
}
