package io.peeklock.kernel.request;

import io.peeklock.kernel.filter.FilterSubject;
import io.peeklock.kernel.filter.PropertyChanges;

/**
 * A message that is being copied: what filters see of it, and how changes of a copy are encoded.
 * The edge, which knows the encoding, implements it over the bytes.
 */
public interface MessageView extends FilterSubject {

  /**
   * Encodes the changes, to be stored next to the shared body.
   *
   * @param changes what an action made of the copy; not kept after the call
   */
  byte[] overlay(PropertyChanges changes);

  /**
   * The size in bytes of what precedes the body: what an overlay takes, beside what an action
   * makes.
   */
  int headBytes();

  /**
   * Whether the message already differs from its stored bytes, so that every copy needs its own
   * overlay.
   */
  boolean isChanged();

  /**
   * Writes the 128-bit hash of its message id for duplicate detection, as in {@link
   * SendBurst#messageIdHashes}.
   *
   * @param withKey whether its session id or partition key counts too (S-270)
   * @param to the array to write to
   * @param at where the first of the two numbers goes
   */
  void messageIdHash(boolean withKey, long[] to, int at);
}
