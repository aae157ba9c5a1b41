package io.peeklock.conformance.raw;

import org.jspecify.annotations.Nullable;

/**
 * One frame.
 *
 * @param performative null in an empty frame, which only says that somebody is there
 * @param payload what follows the performative
 */
@SuppressWarnings("ArrayRecordComponent")
public record Frame(int channel, @Nullable Described performative, byte[] payload) {
  /** The numeric descriptor of the performative, 0 for an empty frame. */
  public long code() {
    return performative == null ? 0 : performative.code();
  }
}
