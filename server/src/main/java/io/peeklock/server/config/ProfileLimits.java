package io.peeklock.server.config;

import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.NamespaceLimits;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.filter.FilterLimits;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a profile, all in one place (groups V and W); docs/guide/profiles.md shows them
 * side by side.
 *
 * @param sizes of messages and entities
 * @param times of what is in entities, and how often it is tried
 * @param namespace how many entities, filters and states there may be
 * @param filters how large a filter or action may be (S-365)
 * @param connections at a time (S-438)
 * @param connectionsPerAddress of those, from one address; {@link Integer#MAX_VALUE} for half of
 *     the places that there are
 * @param receiversPerEntity at a time, of a queue or of all subscriptions of a topic (S-439)
 * @param creditsPerSecond for what clients do; 0 for no limit (S-445)
 * @param oneEntityPerTransaction R-34
 * @param sharedSessions whether there are non-exclusive sessions (S-522)
 */
public record ProfileLimits(
    Sizes sizes,
    Times times,
    NamespaceLimits namespace,
    FilterLimits filters,
    int connections,
    int connectionsPerAddress,
    int receiversPerEntity,
    long creditsPerSecond,
    boolean oneEntityPerTransaction,
    boolean sharedSessions) {

  private static final long MEBIBYTE = 1L << 20;
  private static final long GIBIBYTE = 1L << 30;
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long FOREVER = QueueDefinition.FOREVER;

  /**
   * In bytes.
   *
   * @param defaultMessage the largest message of an entity that does not say (S-431)
   * @param smallestMaximum the least that an entity can say its largest message is
   * @param largestMessage the most that it can say
   * @param batch the largest batch (S-407); what is announced is 1 MiB at most
   * @param http the largest message over HTTP, where its entity takes larger ones (S-431)
   * @param defaultEntity the size of an entity that does not say (S-435)
   * @param largestEntity that one can say; 5 GiB in the tiers that have more for partitions alone
   */
  public record Sizes(
      long defaultMessage,
      long smallestMaximum,
      long largestMessage,
      int batch,
      long http,
      long defaultEntity,
      long largestEntity) {}

  /**
   * In milliseconds, but for the counts.
   *
   * @param shortestLock Q-3
   * @param defaultLife of messages whose entity does not say (S-166)
   * @param shortestLife that an entity can say
   * @param longestLife that an entity can say
   * @param defaultWindow of duplicate detection where an entity does not say (S-268)
   * @param longestWindow that one can say
   * @param defaultDeliveries of an entity that does not say
   * @param mostDeliveries that one can say
   */
  public record Times(
      long shortestLock,
      long defaultLife,
      long shortestLife,
      long longestLife,
      long defaultWindow,
      long longestWindow,
      int defaultDeliveries,
      int mostDeliveries) {}

  private static final Times UNLIMITED_TIMES =
      new Times(
          1_000,
          FOREVER,
          1_000,
          FOREVER,
          10 * MINUTE,
          QueueDefinition.MAX_WINDOW_MILLIS,
          10,
          Integer.MAX_VALUE);

  private static final Times TIER_TIMES =
      new Times(
          5_000,
          FOREVER,
          1_000,
          FOREVER,
          10 * MINUTE,
          QueueDefinition.MAX_WINDOW_MILLIS,
          10,
          Integer.MAX_VALUE);

  /** No limits but those that keep the machine alive, such as a message of 100 MiB. */
  static final ProfileLimits RELAXED =
      new ProfileLimits(
          new Sizes(
              100 * MEBIBYTE,
              1 << 10,
              100 * MEBIBYTE,
              32 << 20,
              100 * MEBIBYTE,
              FOREVER,
              80L << 40),
          UNLIMITED_TIMES,
          NamespaceLimits.NONE,
          FilterLimits.CEILING,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          0,
          false,
          true);

  static final ProfileLimits STANDARD =
      new ProfileLimits(
          new Sizes(256 << 10, 1 << 10, 256 << 10, 256 << 10, 256 << 10, GIBIBYTE, 5 * GIBIBYTE),
          TIER_TIMES,
          new NamespaceLimits(10_000, 2_000, 2_000, 100_000, false),
          FilterLimits.STANDARD,
          5_000,
          1_000,
          5_000,
          1_000,
          true,
          true);

  static final ProfileLimits BASIC =
      new ProfileLimits(
          STANDARD.sizes,
          new Times(
              5_000,
              14 * DAY,
              1_000,
              14 * DAY,
              10 * MINUTE,
              QueueDefinition.MAX_WINDOW_MILLIS,
              10,
              Integer.MAX_VALUE),
          new NamespaceLimits(10_000, 2_000, 2_000, 100_000, true),
          FilterLimits.STANDARD,
          5_000,
          1_000,
          5_000,
          1_000,
          true,
          false);

  static final ProfileLimits PREMIUM =
      new ProfileLimits(
          new Sizes(MEBIBYTE, MEBIBYTE, 100 * MEBIBYTE, 1 << 20, MEBIBYTE, GIBIBYTE, 80 * GIBIBYTE),
          TIER_TIMES,
          new NamespaceLimits(1_000, 2_000, 2_000, 100_000, false),
          FilterLimits.STANDARD,
          5_000,
          1_000,
          5_000,
          0,
          true,
          true);

  static final ProfileLimits EMULATOR =
      new ProfileLimits(
          new Sizes(
              256 << 10, 1 << 10, 256 << 10, 256 << 10, 256 << 10, 100 * MEBIBYTE, 100 * MEBIBYTE),
          new Times(5_000, HOUR, 5 * MINUTE, HOUR, 20_000, 5 * MINUTE, 3, 10),
          new NamespaceLimits(50, 50, 70, 1_000, false),
          FilterLimits.STANDARD,
          10,
          1_000,
          200,
          0,
          false,
          false);

  /** What properties of entities may be, where that is less than they can be. */
  public Map<EntityProperty<?>, EntityProperty.Range> ranges() {
    return Map.of(
        EntityProperties.LOCK_DURATION,
        new EntityProperty.Range(times.shortestLock(), QueueDefinition.MAX_LOCK_MILLIS),
        EntityProperties.TIME_TO_LIVE,
        new EntityProperty.Range(times.shortestLife(), times.longestLife()),
        EntityProperties.MAX_DELIVERY_COUNT,
        new EntityProperty.Range(1, times.mostDeliveries()),
        EntityProperties.DUPLICATE_WINDOW,
        new EntityProperty.Range(QueueDefinition.MIN_WINDOW_MILLIS, times.longestWindow()),
        EntityProperties.MAX_MESSAGE_SIZE,
        new EntityProperty.Range(sizes.smallestMaximum(), sizes.largestMessage()),
        EntityProperties.MAX_SIZE,
        new EntityProperty.Range(1, sizes.largestEntity()));
  }

  /** The same with other numbers of what happens at a time; what is null stays. */
  ProfileLimits with(
      @Nullable Long newConnections,
      @Nullable Long newPerAddress,
      @Nullable Long newReceivers,
      @Nullable Long newCredits) {
    return new ProfileLimits(
        sizes,
        times,
        namespace,
        filters,
        newConnections == null ? connections : newConnections.intValue(),
        newPerAddress == null ? connectionsPerAddress : newPerAddress.intValue(),
        newReceivers == null ? receiversPerEntity : newReceivers.intValue(),
        newCredits == null ? creditsPerSecond : newCredits,
        oneEntityPerTransaction,
        sharedSessions);
  }
}
