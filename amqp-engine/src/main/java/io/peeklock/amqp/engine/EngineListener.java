package io.peeklock.amqp.engine;

import org.jspecify.annotations.Nullable;

/**
 * What the engine tells its user, always from inside of a call into the engine and on that thread.
 *
 * <p>From a callback every method of the engine, its sessions and links may be called, but for
 * {@code ingest} and {@code tick}. An exception thrown by a callback makes the engine closed and
 * then reaches the caller of the engine.
 *
 * <p>Counting on ends: every link announced by {@code onAttach…} gets exactly one {@link
 * #onDetach}, whatever ended it, unless the edge itself called {@code refuse} or {@code detach}.
 * Every session announced by {@link #onBegin} gets exactly one {@link #onEnd}, after its links,
 * unless the edge called {@code end}. Only an exception from a callback suspends this rule, until
 * the edge calls {@code connectionLost}.
 */
public interface EngineListener {
  /**
   * A client chose a mechanism out of those offered. Answer with {@link AmqpEngine#saslOutcome},
   * now or later; until then input waits.
   */
  void onSaslInit(SaslInit init);

  /** The opens are exchanged (ours was written before this call). */
  void onOpen(PeerOpen open);

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

  /**
   * A link is over; if the client detached, the answer is written, always with closed=true; else a
   * detach with the reason is. Also comes for links that were not answered yet; a later {@code
   * accept} then does nothing.
   *
   * @param error what the client said, else null
   */
  void onDetach(AmqpLink link, @Nullable AmqpError error);

  /** One transfer frame arrived. The object is valid only during the call. */
  void onTransfer(IncomingTransfer transfer);

  /**
   * A client receiver changed its credit or asked to drain. Not called for a FLOW that restates
   * what is known, except when it drains. May come from inside of {@code accept} when the FLOW was
   * there before the answer.
   *
   * @param deliveryLimit how many deliveries may have been made over the life of the link; compare
   *     with {@code link.deliveredCount()}. Absolute, so saying it twice changes nothing (T-27).
   *     May be below the count: then nothing may be sent
   * @param drain send what is there, then call {@code link.drained()}, also when credit is 0 (T-28)
   */
  void onCredit(SendingLink link, long deliveryLimit, boolean drain);

  /**
   * A client settled a delivery, or asks for it. Called once per delivery and hit; ids that are
   * unknown, settled, or already reported are left out (T-69). For a range the state was decoded
   * once. Not called for state null or {@code received} without settled.
   *
   * @param deliveryId for {@code link.settle}
   * @param context what was given to {@code beginDelivery}
   * @param state valid only during the call; {@code NONE} only when settled
   * @param settled true: the client forgot the delivery, no answer is wanted (the engine forgot it
   *     too). False: answer with {@code link.settle} exactly once, now or later
   */
  void onDisposition(
      SendingLink link, int deliveryId, long context, PeerState state, boolean settled);

  /**
   * The session's window opened again after it was shut while somebody wanted to send. A large
   * delivery, if there is one, goes first.
   */
  void onSendable(AmqpSession session);

  /**
   * Whether no more frames are to be handed on for now; asked between two of them. What is left of
   * the bytes stays where it is, see {@link AmqpEngine#ingest}.
   */
  default boolean isFull() {
    return false;
  }

  /**
   * The client closed; the answer is written and the engine is finished.
   *
   * @param error what the client said, else null
   */
  void onClose(@Nullable AmqpError error);

  /**
   * The engine gave up on this connection: the client broke the protocol, fell silent, or took too
   * long. Where that is possible a {@code close} with this error is in the output; the engine is
   * finished.
   */
  void onFatal(AmqpError error);
}
