package io.peeklock.amqp.engine.link;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.session.AmqpSession;
import org.jspecify.annotations.Nullable;

/** What a link needs of its session. */
interface LinkSession {
  /** The session itself, for the edge. */
  AmqpSession session();

  /** Writes the settlements that are held back. */
  void flush();

  /** Answers an attach; a null reply refuses it. */
  void writeAttach(int handle, AttachRequest request, @Nullable AttachReply reply);

  /** Says that the link is over. */
  void writeDetach(int handle, @Nullable AmqpError error);

  /** Says how much credit there is. */
  void writeFlow(int handle, int deliveryCount, int credit, boolean drain);

  /** A handle of ours is free again. */
  void freeHandle(int handle);
}
