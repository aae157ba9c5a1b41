package io.peeklock.http.admin.properties;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.filter.FilterLimits;

/**
 * What the profile of a broker allows its administrators.
 *
 * @param tier what the namespace says it is
 * @param defaults of an entity about which nothing is said
 * @param shortestLockMillis from 1,000
 * @param largestMessageBytes that an entity can be set to take
 * @param leastMegabytes the smallest size of an entity
 * @param mostMegabytes the largest; {@link #ENDLESS_MEGABYTES} where it may be without limit
 * @param filters how large filters and actions may be
 * @param startedAtMillis when the broker was started, in UTC milliseconds
 */
public record ProfileTerms(
    Tier tier,
    QueueDefinition defaults,
    long shortestLockMillis,
    long largestMessageBytes,
    long leastMegabytes,
    long mostMegabytes,
    FilterLimits filters,
    long startedAtMillis) {

  /** A size, in MiB, that means none. */
  public static final long ENDLESS_MEGABYTES = 80L << 20;

  /** What the vendor sells, as {@code MessagingSKU} names it. */
  public enum Tier {
    /** Queues alone. */
    BASIC("Basic"),
    /** Small messages. */
    STANDARD("Standard"),
    /** Large ones too. */
    PREMIUM("Premium");

    private final String word;

    Tier(String word) {
      this.word = word;
    }

    /** As it is written. */
    public String word() {
      return word;
    }
  }
}
