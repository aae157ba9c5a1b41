package io.peeklock.amqp.transaction;

import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries that one transaction settles. They are unsettled until its commit, for after a
 * rollback the client has them as before and may settle them again on their links (S-381).
 */
public final class TransactedDeliveries {
  private final Map<Delivery, Outcome> outcomes = new LinkedHashMap<>();

  private record Delivery(SendingLink link, int deliveryId) {}

  /**
   * A settlement is kept for the commit.
   *
   * @param outcome what the client is told now and then, inside of the transaction: the client for
   *     Java hears nothing more on a connection that settles one as rejected outside of it
   */
  public void add(SendingLink link, int deliveryId, Outcome outcome) {
    outcomes.put(new Delivery(link, deliveryId), outcome);
  }

  /** What the client is told of a delivery at the commit; null when it is not among these. */
  public @Nullable Outcome outcome(SendingLink link, int deliveryId) {
    return outcomes.get(new Delivery(link, deliveryId));
  }

  /** They are not settled after all. */
  void clear() {
    outcomes.clear();
  }

  /** The commit is done: they are settled. */
  void settle() {
    outcomes.forEach((delivery, outcome) -> delivery.link().settle(delivery.deliveryId(), outcome));
    outcomes.clear();
  }
}
