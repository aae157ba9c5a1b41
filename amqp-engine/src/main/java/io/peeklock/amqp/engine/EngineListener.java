package io.peeklock.amqp.engine;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.link.SessionListener;
import io.peeklock.amqp.engine.sasl.SaslInit;
import org.jspecify.annotations.Nullable;

/**
 * The callbacks of the engine, always made inside a call into the engine and on that thread.
 *
 * <p>A callback may call every method of the engine, its sessions and links, except {@code ingest}
 * and {@code tick}. An exception of a callback closes the engine and then reaches its caller.
 */
public interface EngineListener extends SessionListener {
  /**
   * A client chose a mechanism out of those offered. Answer with {@link AmqpEngine#saslOutcome},
   * now or later; until then input waits.
   */
  void onSaslInit(SaslInit init);

  /** The opens are exchanged (ours was written before this call). */
  void onOpen(PeerOpen open);

  /**
   * Whether no more frames should be handled for now; called between two frames. The rest of the
   * bytes stays unread, see {@link AmqpEngine#ingest}.
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
