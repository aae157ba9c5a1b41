package io.peeklock.kernel.entity;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a queue, topic or subscription (S-063 gives the defaults).
 *
 * @param path the name; look-up ignores case (S-060). That of a queue or topic is made in lower
 *     case (S-524), but not in logs of earlier versions; that of a subscription keeps its spelling
 * @param lockDurationMillis how long a lock lasts (S-025, S-046), 1,000 to 300,000 (S-047, Q-3)
 * @param maxDeliveryCount failed attempts after which a message is dead-lettered (S-029, R-28),
 *     from 1
 * @param defaultTimeToLiveMillis applies when the message has none or a longer one (S-164); {@link
 *     #FOREVER} for none
 * @param deadLetteringOnExpiration whether an expired message is dead-lettered instead of dropped
 *     (S-168)
 * @param maxMessageBytes the largest encoded message that a send may bring (S-431)
 * @param maxSizeBytes the most that the queue and its dead-letter queue may hold together (S-435,
 *     S-187); {@link #FOREVER} for no limit
 * @param requiresSession whether each message belongs to a session and is received through it only
 *     (S-231); fixed at creation (S-067)
 * @param duplicateWindowMillis how long message ids are remembered (S-266, S-268), {@link
 *     #MIN_WINDOW_MILLIS} to {@link #MAX_WINDOW_MILLIS}; 0 when duplicates are not detected, which
 *     is fixed at creation (S-067)
 * @param status what clients may do with it (S-421 to S-426)
 * @param forwardTo the path of the queue or topic that its messages move on to (S-285); null for
 *     none
 * @param forwardDeadLettersTo the path of the queue or topic that its dead letters move on to
 *     (S-197); null for none
 * @param autoDeleteOnIdleMillis after how long without use it is deleted (S-307), from {@link
 *     #MIN_IDLE_MILLIS}; {@link #FOREVER} for never
 * @param partitioned whether the rules about partition keys hold (S-369 to S-374); fixed at
 *     creation (S-067)
 * @param attributes what edges keep with it and no rule reads, such as an operator's comment;
 *     sorted by name
 * @param role whether it is a queue, a topic, a subscription or a transfer queue
 */
public record QueueDefinition(
    String path,
    long lockDurationMillis,
    int maxDeliveryCount,
    long defaultTimeToLiveMillis,
    boolean deadLetteringOnExpiration,
    long maxMessageBytes,
    long maxSizeBytes,
    boolean requiresSession,
    long duplicateWindowMillis,
    EntityStatus status,
    @Nullable String forwardTo,
    @Nullable String forwardDeadLettersTo,
    long autoDeleteOnIdleMillis,
    boolean partitioned,
    Map<String, String> attributes,
    QueueRole role) {

  /** No limit in time or size. */
  public static final long FOREVER = Long.MAX_VALUE;

  /** The shortest lock that the relaxed profile takes. */
  public static final long MIN_LOCK_MILLIS = 1_000;

  /** The longest lock (S-047). */
  public static final long MAX_LOCK_MILLIS = 300_000;

  /** The shortest time that message ids are remembered (S-268). */
  public static final long MIN_WINDOW_MILLIS = 20_000;

  /** The longest (S-268). */
  public static final long MAX_WINDOW_MILLIS = 7 * 24 * 3_600_000L;

  /** The shortest time after which an idle entity is deleted (S-307). */
  public static final long MIN_IDLE_MILLIS = 300_000;

  /**
   * Creates a definition.
   *
   * @throws IllegalArgumentException when a value is outside its range
   */
  public QueueDefinition {
    requireLockDuration(lockDurationMillis);
    if (maxDeliveryCount < 1) {
      throw new IllegalArgumentException(
          "MaxDeliveryCount must be at least 1, got " + maxDeliveryCount);
    }
    if (defaultTimeToLiveMillis < 1_000) {
      throw new IllegalArgumentException(
          "DefaultMessageTimeToLive must be at least 1 second, got "
              + defaultTimeToLiveMillis
              + " ms");
    }
    if (maxMessageBytes < 1 || maxSizeBytes < 1) {
      throw new IllegalArgumentException("sizes must be at least 1 byte");
    }
    requireDuplicateWindow(duplicateWindowMillis);
    if (autoDeleteOnIdleMillis < MIN_IDLE_MILLIS) {
      throw new IllegalArgumentException(
          "AutoDeleteOnIdle must be at least 5 minutes, got " + autoDeleteOnIdleMillis + " ms");
    }
    if (forwardTo != null) {
      defaultTimeToLiveMillis = FOREVER;
      autoDeleteOnIdleMillis = FOREVER;
    }
    attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
  }

  private static void requireLockDuration(long millis) {
    if (millis < MIN_LOCK_MILLIS || millis > MAX_LOCK_MILLIS) {
      throw new IllegalArgumentException(
          "LockDuration must be from 1 second to 5 minutes, got " + millis + " ms");
    }
  }

  private static void requireDuplicateWindow(long millis) {
    if (millis != 0 && (millis < MIN_WINDOW_MILLIS || millis > MAX_WINDOW_MILLIS)) {
      throw new IllegalArgumentException(
          "DuplicateDetectionHistoryTimeWindow must be from 20 seconds to 7 days, got "
              + millis
              + " ms");
    }
  }

  /** A queue with only these properties; every other one is off or empty. */
  public QueueDefinition(
      String path,
      long lockDurationMillis,
      int maxDeliveryCount,
      long defaultTimeToLiveMillis,
      boolean deadLetteringOnExpiration,
      long maxMessageBytes,
      long maxSizeBytes) {
    this(
        path,
        lockDurationMillis,
        maxDeliveryCount,
        defaultTimeToLiveMillis,
        deadLetteringOnExpiration,
        maxMessageBytes,
        maxSizeBytes,
        false,
        0,
        EntityStatus.ACTIVE,
        null,
        null,
        FOREVER,
        false,
        Collections.emptySortedMap(),
        QueueRole.QUEUE);
  }

  /**
   * A queue with the defaults of S-063 and no limit on its size.
   *
   * @param path its name
   */
  public static QueueDefinition named(String path) {
    return new QueueDefinition(path, 60_000, 10, FOREVER, false, 100L << 20, FOREVER);
  }

  /** A builder that starts with these properties. */
  public QueueDefinitionBuilder with() {
    return new QueueDefinitionBuilder(this);
  }

  /** This definition with sessions, or without. */
  public QueueDefinition withSession(boolean required) {
    return with().requiresSession(required).build();
  }

  /**
   * This definition with another duplicate window in milliseconds; 0 for no duplicate detection.
   */
  public QueueDefinition withDuplicateWindow(long millis) {
    return with().duplicateWindowMillis(millis).build();
  }

  /** This definition with another role. */
  public QueueDefinition as(QueueRole other) {
    return with().role(other).build();
  }
}
