package io.peeklock.kernel.entity;

/**
 * The limits of one namespace. They are checked when something is created only, so lowering a limit
 * removes nothing.
 *
 * @param entities queues and topics together (S-437)
 * @param subscriptionsPerTopic S-440
 * @param sqlFiltersPerTopic of all its subscriptions (S-365)
 * @param correlationFiltersPerTopic of all its subscriptions (S-365)
 * @param queuesOnly the features of the vendor's Basic tier: no topics, sessions, auto-forwarding
 *     or duplicate detection (S-069, S-284)
 */
public record NamespaceLimits(
    int entities,
    int subscriptionsPerTopic,
    int sqlFiltersPerTopic,
    int correlationFiltersPerTopic,
    boolean queuesOnly) {

  /** No limit but memory. */
  public static final NamespaceLimits NONE =
      new NamespaceLimits(
          Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, false);

  /** Refuses limits below 1. */
  public NamespaceLimits {
    require(entities, "entities");
    require(subscriptionsPerTopic, "subscriptionsPerTopic");
    require(sqlFiltersPerTopic, "sqlFiltersPerTopic");
    require(correlationFiltersPerTopic, "correlationFiltersPerTopic");
  }

  private static void require(int limit, String name) {
    if (limit < 1) {
      throw new IllegalArgumentException(name + " must be at least 1");
    }
  }
}
