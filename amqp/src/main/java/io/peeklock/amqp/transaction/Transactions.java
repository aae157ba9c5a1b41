package io.peeklock.amqp.transaction;

import io.peeklock.amqp.engine.messaging.TransactionId;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.LinkIndex;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one connection: declared on any of its coordinator links, used on any other
 * link, and unknown to every other connection (S-395).
 */
public final class Transactions {
  /** What work in a transaction that is not there is told (S-398). */
  public static final MessageProblem UNKNOWN =
      new MessageProblem(
          Conditions.TRANSACTION_UNKNOWN,
          "The transaction is not known on this connection: it was never declared here, or it is"
              + " over");

  /** Declared and not discharged, at a time. */
  public static final int MOST_OPEN = 1_000;

  /** The same while no token was put: Java declares its first one before (amqp.md 8). */
  public static final int MOST_UNAUTHENTICATED = 10;

  private static final int ID_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final LinkConnection connection;
  private final LinkIndex index;
  private final TransactionBudget budget;
  private final Map<TransactionId, OpenTransaction> open = new LinkedHashMap<>();

  /**
   * Those of one connection.
   *
   * @param index its links
   */
  public Transactions(LinkConnection connection, LinkIndex index) {
    this.connection = connection;
    this.index = index;
    this.budget = new TransactionBudget(connection);
  }

  /** What they hold. */
  public TransactionBudget budget() {
    return budget;
  }

  /** The links of their connection. */
  LinkIndex index() {
    return index;
  }

  /** A new one; null when there are too many. */
  @Nullable OpenTransaction declare(CoordinatorLink coordinator) {
    var most = connection.rights().isEmpty() ? MOST_UNAUTHENTICATED : MOST_OPEN;
    if (open.size() >= most && !forgetOneRolledBack()) {
      return null;
    }
    var bytes = new byte[ID_BYTES];
    RANDOM.nextBytes(bytes);
    var transaction = new OpenTransaction(this, coordinator, TransactionId.of(bytes));
    open.put(transaction.id(), transaction);
    return transaction;
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

  public @Nullable OpenTransaction find(TransactionId id) {
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
  public void proceed() {
    if (!open.isEmpty()) {
      List.copyOf(open.values()).forEach(OpenTransaction::proceed);
    }
  }

  /**
   * Rolls back those whose time is over (S-386).
   *
   * @return when to look again, on the monotonic clock
   */
  public long check(long nowMillis) {
    var next = Long.MAX_VALUE;
    for (var transaction : List.copyOf(open.values())) {
      next = Math.min(next, transaction.check(nowMillis));
    }
    return next;
  }
}
