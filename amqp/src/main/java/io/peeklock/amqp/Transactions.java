package io.peeklock.amqp;

import io.peeklock.amqp.engine.Budget;
import io.peeklock.amqp.engine.TransactionId;
import io.peeklock.kernel.Ticket;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one connection: declared on any of its coordinator links, used on any other
 * link, and unknown to every other connection (S-395).
 */
final class Transactions {
  /** What work in a transaction that is not there is told (S-398). */
  static final MessageProblem UNKNOWN =
      new MessageProblem(
          Conditions.TRANSACTION_UNKNOWN,
          "The transaction is not known on this connection: it was never declared here, or it is"
              + " over");

  /** Of parts of a commit, which are not answered one by one. */
  static final Ticket NOBODY = new Nobody();

  /** Declared and not discharged, at a time. */
  static final int MOST_OPEN = 1_000;

  /** The same while no token was put: Java declares its first one before (amqp.md 8). */
  static final int MOST_OF_A_STRANGER = 10;

  /** How much more may wait in files, of large messages, than in memory. */
  private static final long IN_FILES = 8;

  private static final int ID_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final AmqpConnection connection;
  private final Map<TransactionId, OpenTransaction> open = new LinkedHashMap<>();
  private long heldBytes;
  private long heldInFiles;
  private boolean over;

  private record Nobody() implements Ticket {}

  Transactions(AmqpConnection connection) {
    this.connection = connection;
  }

  /** A new one; null when there are too many. */
  @Nullable OpenTransaction declare(CoordinatorLink coordinator) {
    var most = connection.rights.isEmpty() ? MOST_OF_A_STRANGER : MOST_OPEN;
    if (open.size() >= most && !forgetOneRolledBack()) {
      return null;
    }
    var bytes = new byte[ID_BYTES];
    RANDOM.nextBytes(bytes);
    var transaction = new OpenTransaction(coordinator, TransactionId.of(bytes));
    open.put(transaction.id(), transaction);
    return transaction;
  }

  /**
   * Counts bytes that wait for commits.
   *
   * @return false when they are more than a connection may have, or all may; they count all the
   *     same until they are given back
   */
  boolean hold(long bytes) {
    var fits = budget().takeAnyway(heldBytes, bytes);
    heldBytes += bytes;
    return fits && heldBytes <= connection.limits().partialBytes();
  }

  /** The same of bytes in files of their own. */
  boolean holdInFiles(long bytes) {
    heldInFiles += bytes;
    connection.larges.add(bytes);
    return heldInFiles <= IN_FILES * connection.limits().partialBytes();
  }

  /** Why what was to be held fails the transaction, or null. */
  static @Nullable MessageProblem held(boolean hasRoom) {
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
      budget().give(held);
      heldBytes -= held;
    }
    heldInFiles -= fileBytes;
    connection.larges.give(fileBytes);
  }

  /** The connection is gone: so is whatever they held, what a fault has left over included. */
  void giveBackAll() {
    if (!over) {
      over = true;
      budget().give(heldBytes);
    }
  }

  private Budget budget() {
    return connection.edge().budgets().transactions();
  }

  /** Those that time has ended, and that nobody ever asked about, make room. */
  private boolean forgetOneRolledBack() {
    for (var old : open.values()) {
      if (old.isRolledBack()) {
        forget(old);
        return true;
      }
    }
    return false;
  }

  @Nullable OpenTransaction find(TransactionId id) {
    return open.get(id);
  }

  void forget(OpenTransaction transaction) {
    open.remove(transaction.id());
  }

  /** Rolls back those of a coordinator's link that is gone (S-396). */
  void abandon(CoordinatorLink coordinator) {
    for (var transaction : List.copyOf(open.values())) {
      if (transaction.isOf(coordinator)) {
        connection.submitGathered(); // what came before its end is decided before its end
        forget(transaction);
        transaction.abandon();
      }
    }
  }

  /** Lets discharges that waited for something try again. */
  void proceed() {
    if (!open.isEmpty()) {
      List.copyOf(open.values()).forEach(OpenTransaction::proceed);
    }
  }

  /**
   * Rolls back those whose time is over (S-386).
   *
   * @return when to look again, on the monotonic clock
   */
  long check(long nowMillis) {
    var next = Long.MAX_VALUE;
    for (var transaction : List.copyOf(open.values())) {
      next = Math.min(next, transaction.check(nowMillis));
    }
    return next;
  }
}
