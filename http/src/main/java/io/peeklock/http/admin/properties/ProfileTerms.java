package io.peeklock.http.admin.properties;

import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.filter.FilterLimits;
import java.util.Map;

/**
 * What the profile of a broker allows its administrators.
 *
 * @param tier what the namespace says it is
 * @param defaults of an entity about which nothing is said
 * @param ranges what properties of entities may be, where that is less than they can be
 * @param leastMessageKilobytes the smallest that the largest message of an entity can be
 * @param largestMessageBytes that an entity can be set to take
 * @param leastMegabytes the smallest size of an entity
 * @param mostMegabytes the largest; {@link #ENDLESS_MEGABYTES} where it may be without limit
 * @param filters how large filters and actions may be
 * @param startedAtMillis when the broker was started, in UTC milliseconds
 */
public record ProfileTerms(
    Tier tier,
    QueueDefinition defaults,
    Map<EntityProperty<?>, EntityProperty.Range> ranges,
    long leastMessageKilobytes,
    long largestMessageBytes,
    long leastMegabytes,
    long mostMegabytes,
    FilterLimits filters,
    long startedAtMillis) {

  /** A size, in MiB, that means none. */
  public static final long ENDLESS_MEGABYTES = 80L << 20;

  private static final long PARTITIONS = 16;

  /** Takes a copy. */
  public ProfileTerms {
    ranges = Map.copyOf(ranges);
  }

  /** What a property may be: by the profile, or else by the property itself. */
  EntityProperty.Range range(EntityProperty<?> property, EntityProperty.Range own) {
    return ranges.getOrDefault(property, own);
  }

  /** How many partitions an entity has, each of the size that is asked for; 1 for no more. */
  long partitions() {
    return tier == Tier.PREMIUM ? 1 : PARTITIONS;
  }

  /** The largest size of a partitioned entity. */
  long mostPartitionedMegabytes() {
    return mostMegabytes * partitions();
  }

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
