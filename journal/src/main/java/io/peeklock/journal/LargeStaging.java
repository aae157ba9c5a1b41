package io.peeklock.journal;

import io.peeklock.runtime.LargeBody;

/** Where large bodies are written as they arrive. */
interface LargeStaging {

  /** Begins one. */
  LargeBody.Writer open(long maxBytes);
}
