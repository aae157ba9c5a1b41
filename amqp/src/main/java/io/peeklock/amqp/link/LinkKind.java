package io.peeklock.amqp.link;

/** The kinds of links, by what clients use them for. */
public enum LinkKind {
  /** It sends to an entity. */
  SENDER,
  /** It receives from one. */
  RECEIVER,
  /** It sends requests to a management node or the token node. */
  REQUESTS,
  /** It receives the answers to them. */
  REPLIES,
  /** It declares and discharges transactions. */
  COORDINATOR;

  /** Whether messages of an entity pass through it. */
  boolean isOfEntity() {
    return this == SENDER || this == RECEIVER;
  }
}
