package io.peeklock.journal.blocks;

import io.peeklock.runtime.LargeBody;

/** Stages large bodies as they arrive. */
public interface LargeStaging {

  /** Begins one. */
  LargeBody.Writer open(long maxBytes);

  /** The most bytes that all of them may have staged. */
  long mostBytes();
}
