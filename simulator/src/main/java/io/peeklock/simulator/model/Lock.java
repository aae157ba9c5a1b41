package io.peeklock.simulator.model;

import org.jspecify.annotations.Nullable;

/**
 * A lock on a message.
 *
 * @param id 0 when nobody was told of it
 * @param until when it lapses by itself; without meaning below a session's lock (S-245)
 * @param transaction that has settled the message and is not over (S-383); null for none
 */
record Lock(long id, long until, @Nullable String transaction) {

  /** Whether it certainly is over by then. */
  boolean hasLapsed(Moment now) {
    return transaction == null && now.isSurelyAfter(until);
  }

  /** Whether it may be over by then. */
  boolean mayHaveLapsed(Moment now) {
    return transaction == null && now.mayBeAfter(until);
  }
}
