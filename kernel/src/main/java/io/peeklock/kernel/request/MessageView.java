package io.peeklock.kernel.request;

import io.peeklock.kernel.filter.FilterSubject;
import io.peeklock.kernel.filter.PropertyChanges;

/**
 * A message of which copies are made: what filters see of it, and how changes of a copy are written
 * down. The edge, which knows the encoding, implements it over the bytes.
 */
public interface MessageView extends FilterSubject {

  /**
   * The changes as they are stored beside the shared body.
   *
   * @param changes what an action made of the copy; kept by nobody
   */
  byte[] overlay(PropertyChanges changes);

  /**
   * Whether it differs from its stored bytes already, so that every copy needs an overlay of its
   * own.
   */
  boolean isChanged();

  /**
   * The two numbers that stand for its message id where duplicates are detected, as in {@link
   * SendBurst#messageIdHashes}.
   *
   * @param withKey whether its session id or partition key counts too (S-270)
   * @param to where they go
   * @param at the place of the first
   */
  void messageIdHash(boolean withKey, long[] to, int at);
}
