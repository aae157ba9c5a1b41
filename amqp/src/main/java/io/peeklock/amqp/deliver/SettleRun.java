package io.peeklock.amqp.deliver;

import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.transaction.OpenTransaction;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Ticket;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Settlements of one kind that a read burst brought; becomes one request. Those of several links of
 * a connection to one queue go together: a client that holds many sessions settles over all of them
 * with one disposition. What is part of a transaction is of one link. A disposition may be for any
 * number of deliveries: those of very many become several requests.
 */
public final class SettleRun {
  /** The most of one request, so that none holds the shard for long; the others follow it. */
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
   * Which deliveries an answer is for.
   *
   * @param owners whose each is; null when all are of the link that the answer comes to
   * @param outcome what each is answered when it was done: of the type that the client sent; in a
   *     transaction it is told inside of that
   */
  record Asked(int[] deliveryIds, Settlements @Nullable [] owners, Outcome outcome)
      implements Ticket {}

  boolean isEmpty() {
    return count == 0;
  }

  /** Whose the first one is, who asks for all; there must be one. */
  Settlements asker() {
    return owners[0];
  }

  /** Whether one of this kind, on this link, can join what is there. */
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
   * @param in the transaction that it is part of, null for none
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

  /** Whether nobody waits for an answer. */
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
        outcome);
  }

  void clear() {
    count = 0;
    ofOneLink = true;
    transaction = null;
  }

  /** The same type as was sent, without an error inside (amqp.md 5.2). */
  static Outcome echo(Settlement settlement) {
    return switch (settlement) {
      case COMPLETE -> Outcome.ACCEPTED;
      case ABANDON, DEFER -> Outcome.MODIFIED;
      case DEAD_LETTER -> Outcome.REJECTED;
      case RELEASE -> Outcome.RELEASED;
    };
  }
}
