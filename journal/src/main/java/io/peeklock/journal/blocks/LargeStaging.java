package io.peeklock.journal.blocks;

import io.peeklock.runtime.LargeBody;

/** Where large bodies are written as they arrive. */
public interface LargeStaging {

  /** Begins one. */
  LargeBody.Writer open(long maxBytes);

  /** What may be staged of all of them, in bytes. */
  long mostBytes();
}
