package io.peeklock.amqp.deliver;

import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.transaction.OpenTransaction;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Ticket;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settlements of one kind in a read burst for one request. Those of several links of a
 * connection to one queue go together, as a client that holds many sessions settles all of them
 * with one disposition; settlements in a transaction are of one link. A disposition for very many
 * deliveries becomes several requests.
 */
public final class SettleRun {
  /**
   * The most settlements of one request, so that none holds the shard for long; more requests
   * follow.
   */
  public static final int MOST = 1_000;

  private int count;
  private long[] lockIds = new long[64];
  private int[] deliveryIds = new int[64];
  private Settlements[] owners = new Settlements[64];
  private boolean ofOneLink = true;
  private Settlement settlement = Settlement.COMPLETE;
  private boolean settled;
  private @Nullable OpenTransaction transaction;

  /**
   * The deliveries that an answer is for.
   *
   * @param owners the link of each; null when all are of the link that gets the answer
   * @param outcome the outcome to answer with, of the type that the client sent; wrapped in the
   *     transactional state in a transaction
   */
  record Asked(
      int[] deliveryIds, Settlements @Nullable [] owners, Settlement settlement, Outcome outcome)
      implements Ticket {}

  boolean isEmpty() {
    return count == 0;
  }

  /** The link of the first settlement, which asks for all; there must be one. */
  Settlements asker() {
    return owners[0];
  }

  /** Whether a settlement of this kind and link can join the run. */
  boolean takes(
      Settlements owner, Settlement kind, boolean isSettled, @Nullable OpenTransaction in) {
    return count == 0
        || (count < MOST
            && settlement == kind
            && settled == isSettled
            && transaction == in
            && (owners[0] == owner || (in == null && owners[0].isOfSameQueue(owner))));
  }

  /**
   * Adds one.
   *
   * @param in its transaction, null for none
   */
  void add(
      Settlements owner,
      Settlement kind,
      boolean isSettled,
      long lockId,
      int deliveryId,
      @Nullable OpenTransaction in) {
    if (count == lockIds.length) {
      lockIds = Arrays.copyOf(lockIds, count * 2);
      deliveryIds = Arrays.copyOf(deliveryIds, count * 2);
      owners = Arrays.copyOf(owners, count * 2);
    }
    settlement = kind;
    settled = isSettled;
    transaction = in;
    lockIds[count] = lockId;
    deliveryIds[count] = deliveryId;
    owners[count++] = owner;
    ofOneLink &= owners[0] == owner;
  }

  @Nullable OpenTransaction transaction() {
    return transaction;
  }

  Settlement settlement() {
    return settlement;
  }

  /** Whether no answer is needed. */
  boolean settled() {
    return settled;
  }

  long[] lockIds() {
    return Arrays.copyOf(lockIds, count);
  }

  Asked ticket() {
    var outcome = echo(settlement);
    return new Asked(
        Arrays.copyOf(deliveryIds, count),
        ofOneLink ? null : Arrays.copyOf(owners, count),
        settlement,
        outcome);
  }

  void clear() {
    count = 0;
    ofOneLink = true;
    transaction = null;
  }

  /** The outcome of the type that was sent, without an error inside (amqp.md 5.2). */
  static Outcome echo(Settlement settlement) {
    return switch (settlement) {
      case COMPLETE -> Outcome.ACCEPTED;
      case ABANDON, DEFER -> Outcome.MODIFIED;
      case DEAD_LETTER -> Outcome.REJECTED;
      case RELEASE -> Outcome.RELEASED;
    };
  }
}
