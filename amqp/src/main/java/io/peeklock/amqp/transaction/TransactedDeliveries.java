package io.peeklock.amqp.transaction;

import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.kernel.request.Settlement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries that one transaction settles. They are unsettled until its commit, for after a
 * rollback the client has them as before and may settle them again on their links (S-381).
 */
public final class TransactedDeliveries {
  private final Map<Delivery, Kept> kept = new LinkedHashMap<>();

  private record Delivery(SendingLink link, int deliveryId) {}

  /**
   * What is kept for the commit.
   *
   * @param outcome what the client is told
   */
  public record Kept(Settlement settlement, Outcome outcome) {}

  /**
   * A settlement is kept for the commit.
   *
   * @param outcome what the client is told now and then, inside of the transaction: the client for
   *     Java hears nothing more on a connection that settles one as rejected outside of it
   */
  public void add(SendingLink link, int deliveryId, Settlement settlement, Outcome outcome) {
    kept.put(new Delivery(link, deliveryId), new Kept(settlement, outcome));
  }

  /** What is kept of a delivery; null when it is not among these. */
  public @Nullable Kept of(SendingLink link, int deliveryId) {
    return kept.get(new Delivery(link, deliveryId));
  }

  /** They are not settled after all. */
  void clear() {
    kept.clear();
  }

  /** The commit is done: they are settled. */
  void settle() {
    kept.forEach((delivery, each) -> delivery.link().settle(delivery.deliveryId(), each.outcome()));
    kept.clear();
  }
}
