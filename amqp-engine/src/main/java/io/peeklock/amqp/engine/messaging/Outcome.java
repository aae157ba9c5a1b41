package io.peeklock.amqp.engine.messaging;

import io.peeklock.amqp.engine.framing.AmqpError;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a delivery (3.4) that we send. Equal outcomes of neighbouring deliveries leave as
 * one ranged disposition, so use the constants and share instances.
 */
public sealed interface Outcome {
  /** The shared {@link Accepted}. */
  Outcome ACCEPTED = new Accepted();

  /** The shared {@link Released}. */
  Outcome RELEASED = new Released();

  /** Rejected without an error: the answer to a dead-lettering that worked (amqp.md 5.2). */
  Outcome REJECTED = new Rejected(null);

  /** Modified with both flags null and no annotations: the answer to abandon and defer. */
  Outcome MODIFIED = new Modified(null, null);

  /** {@code accepted}. */
  record Accepted() implements Outcome {}

  /**
   * {@code rejected}, one field.
   *
   * @param error why, or null
   */
  record Rejected(@Nullable AmqpError error) implements Outcome {}

  /** {@code released}. */
  record Released() implements Outcome {}

  /**
   * {@code modified}, three fields; the annotations are always null.
   *
   * @param deliveryFailed the flag, null is written as null
   * @param undeliverableHere the flag, null is written as null
   */
  record Modified(@Nullable Boolean deliveryFailed, @Nullable Boolean undeliverableHere)
      implements Outcome {}

  /**
   * {@code declared}: the coordinator's answer to declare.
   *
   * @param transaction the new transaction
   */
  record Declared(TransactionId transaction) implements Outcome {}

  /**
   * {@code transactional-state}.
   *
   * @param transaction the transaction that the work belongs to
   * @param outcome the provisional outcome; never itself transactional or declared
   */
  record Transactional(TransactionId transaction, Outcome outcome) implements Outcome {
    public Transactional {
      if (outcome instanceof Transactional || outcome instanceof Declared) {
        throw new IllegalArgumentException("not an outcome of work in a transaction: " + outcome);
      }
    }
  }
}
