package io.peeklock.amqp.engine.link;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.session.AmqpSession;
import org.jspecify.annotations.Nullable;

/** The session, as its links see it. */
interface LinkSession {
  /** The session itself, for the edge. */
  AmqpSession session();

  /** Writes the settlements that are held back. */
  void flush();

  /** Answers an attach; a null reply refuses it. */
  void writeAttach(int handle, AttachRequest request, @Nullable AttachReply reply);

  /** Writes a detach. */
  void writeDetach(int handle, @Nullable AmqpError error);

  /** Writes a flow with the credit of a link. */
  void writeFlow(int handle, int deliveryCount, int credit, boolean drain);

  /** Frees one of our handles. */
  void freeHandle(int handle);
}
