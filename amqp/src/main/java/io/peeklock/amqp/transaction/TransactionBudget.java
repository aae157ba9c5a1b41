package io.peeklock.amqp.transaction;

import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.runtime.thread.EventLoopThread;
import org.jspecify.annotations.Nullable;

/** What the open transactions of one connection hold until their commits. */
@EventLoopThread
public final class TransactionBudget {
  /** How much more may wait in files, of large messages, than in memory. */
  private static final long IN_FILES = 8;

  private final LinkConnection connection;
  private long heldBytes;
  private long heldInFiles;
  private boolean over;

  TransactionBudget(LinkConnection connection) {
    this.connection = connection;
  }

  /**
   * Counts bytes that wait for commits.
   *
   * @return false when they are more than a connection may have, or all may; they count all the
   *     same until they are given back
   */
  boolean hold(long bytes) {
    var fits = ofAll().takeAnyway(heldBytes, bytes);
    heldBytes += bytes;
    return fits && heldBytes <= connection.limits().partialBytes();
  }

  /** The same of bytes in files of their own. */
  boolean holdInFiles(long bytes) {
    heldInFiles += bytes;
    connection.larges().add(bytes);
    return heldInFiles <= IN_FILES * connection.limits().partialBytes();
  }

  /** Why what was to be held fails the transaction, or null. */
  static @Nullable MessageProblem problem(boolean hasRoom) {
    return hasRoom
        ? null
        : new MessageProblem(
            Conditions.RESOURCE_LIMIT_EXCEEDED,
            "The open transactions hold too many bytes. A retry may help");
  }

  /** Bytes wait no more. */
  void giveBack(long memoryBytes, long fileBytes) {
    if (!over) {
      var held = Math.min(memoryBytes, heldBytes); // a fault may have come before it counted
      ofAll().give(held);
      heldBytes -= held;
    }
    heldInFiles -= fileBytes;
    connection.larges().give(fileBytes);
  }

  /** The connection is gone: so is whatever they held, what a fault has left over included. */
  public void giveBackAll() {
    if (!over) {
      over = true;
      ofAll().give(heldBytes);
    }
  }

  private Budget ofAll() {
    return connection.edge().budgets().transactions();
  }
}
