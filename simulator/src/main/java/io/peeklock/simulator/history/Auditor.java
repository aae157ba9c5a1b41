package io.peeklock.simulator.history;

import java.util.List;

/**
 * Hears everything that happens at the edge of the broker, in the order in which the broker decided
 * it, and throws a {@link Violation} when that may not be. Times are the broker's, in milliseconds.
 * What one does not look at it leaves out; what all must hear of is handed on by the composite.
 */
public interface Auditor {

  /** A client asked; the broker has it, and has not answered. */
  default void asked(long id, Operation operation, long nowMillis) {}

  /** The answer to what was asked under this id. It is durable. */
  default void answered(long id, Answer answer, long nowMillis) {}

  /**
   * Nobody will hear the answer to what was asked under this id, as its link or connection is gone:
   * it may have happened, or may yet. Clients without connections never say so.
   */
  default void inDoubt(long id, long nowMillis) {}

  /** Messages came to a receiver that has credit. */
  default void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {}

  /** Messages were on their way to a receiver, and could not be read: it gets none of them. */
  default void undelivered(String receiver, long nowMillis) {}

  /** What was left of a receiver's credit is given back. */
  default void drained(String receiver, long nowMillis) {}

  /** The broker ended a receiver, or its session; why as {@link Answer.Refused} has it. */
  default void receiverEnded(String receiver, String why, long nowMillis) {}

  /**
   * The link or connection is gone on which a transaction was declared that nobody had discharged,
   * so that it is rolled back. Clients without connections never say so.
   */
  default void rolledBack(String transaction, long nowMillis) {}

  /** Something goes wrong with a client's connection; for those who read what happened. */
  default void troubled(String trouble, long nowMillis) {}

  /**
   * The broker's process is gone and another one has started on what it left. What has no answer is
   * in doubt; locks, receivers and transactions are gone.
   */
  default void restarted(long nowMillis) {}

  /**
   * Somebody moved the clock of the broker's machine: from now on the times that the broker goes by
   * may be so many milliseconds before or after those that are told here.
   */
  default void clockDoubted(long mostMillis) {}

  /** There is no disk: all bodies are kept in so much memory, and nobody may take all of it. */
  default void memoryBounded(long bytes) {}

  /** So much memory is there for messages without their bodies; copies may wait for it. */
  default void messagesBounded(long bytes) {}

  /** Until all is at rest or the process restarts, the disk may have no room. */
  default void diskFilled() {}

  /**
   * Nothing is under way, no fault is at work, and for a while nobody asked anything: whatever was
   * due has been done.
   */
  default void atRest(long nowMillis) {}
}
