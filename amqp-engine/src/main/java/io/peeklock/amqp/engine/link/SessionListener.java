package io.peeklock.amqp.engine.link;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.session.AmqpSession;
import org.jspecify.annotations.Nullable;

/**
 * The callbacks of sessions and links, always made inside a call into the engine and on that
 * thread.
 *
 * <p>Counting on ends: every link announced by {@code onAttach…} gets exactly one {@link
 * #onDetach}, whatever ended it, unless the edge itself called {@code refuse} or {@code detach}.
 * Every session announced by {@link #onBegin} gets exactly one {@link #onEnd}, after its links,
 * unless the edge called {@code end}. Only an exception from a callback suspends this rule, until
 * the edge calls {@code connectionLost}.
 */
public interface SessionListener extends LinkListener {
  /** A session was begun, and answered. */
  void onBegin(AmqpSession session);

  /**
   * A session ended, by the client, by its connection, or because the client broke a rule of
   * sessions; what is to be written is written.
   *
   * @param error what the client said, or was told, else null
   */
  void onEnd(AmqpSession session, @Nullable AmqpError error);

  /**
   * A client wants to send, to {@code link.target()}. Answer with {@code accept} (and then {@code
   * grantCredit}) or {@code refuse}, now or later.
   */
  void onAttachReceiving(ReceivingLink link);

  /** A client wants to receive, from {@code link.source()}. Answer as above, without the credit. */
  void onAttachSending(SendingLink link);

  /** One transfer frame arrived. The object is valid only during the call. */
  void onTransfer(IncomingTransfer transfer);

  /**
   * The session's window opened again, after a send was stopped by it. A large delivery in progress
   * goes first.
   */
  void onSendable(AmqpSession session);
}
