package io.peeklock.amqp.engine;

import io.peeklock.amqp.engine.framing.AmqpError;
import org.jspecify.annotations.Nullable;

/**
 * Where a connection is. The way is down this list, and every state may jump to {@link Finished}:
 *
 * <pre>
 * AwaitingHeader ─ SASL header ─► AwaitingSaslInit ─ init ─► AwaitingSaslOutcome
 *       │                                                        │ saslOutcome(OK)
 *       └─ AMQP header (only without saslRequired) ─┐   AwaitingAmqpHeader
 *                                                   ▼            │ AMQP header
 *                                              AwaitingOpen ◄────┘
 *                                                   │ open
 *                                                 Open ─ our close ─► CloseSent ─ their close ─► Finished
 * </pre>
 */
public sealed interface ConnectionState {
  /** Nothing read yet. */
  record AwaitingHeader() implements ConnectionState {}

  /** Our mechanisms are out. */
  record AwaitingSaslInit() implements ConnectionState {}

  /** The edge is deciding; input waits, bounded. */
  record AwaitingSaslOutcome() implements ConnectionState {}

  /** Authenticated; our AMQP header goes out only after theirs was read (T-02). */
  record AwaitingAmqpHeader() implements ConnectionState {}

  /** Headers are exchanged. */
  record AwaitingOpen() implements ConnectionState {}

  /** Both opens are exchanged. */
  record Open() implements ConnectionState {}

  /**
   * We closed first; only their close is of interest.
   *
   * @param error what we said, or null
   * @param deadlineMillis when we stop waiting; not known until the first tick after the close
   */
  record CloseSent(@Nullable AmqpError error, long deadlineMillis) implements ConnectionState {}

  /**
   * Nothing more will be read or written; flush the last output and close the socket.
   *
   * @param error why, or null when all went well
   */
  record Finished(@Nullable AmqpError error) implements ConnectionState {}
}
