package io.peeklock.amqp.limit;

import io.peeklock.amqp.engine.limits.EngineConfig;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.runtime.ShardClock;

/**
 * Everything about the AMQP edge that is a choice.
 *
 * @param namespace the name in error texts and 404 sentences, for example {@code localhost}
 * @param engine frames, mechanisms and time-outs; PLAIN is taken out where it would be in the clear
 * @param clock the wall's and the monotonic time of this machine; tests own it
 * @param limits see {@link Limits}
 * @param times see {@link Times}
 * @param oneEntityPerTransaction whether a transaction cannot span entities unless the client is in
 *     its cross-entity mode, as in the vendor's tiers; else it can span any
 * @param quotas see {@link Quotas}
 * @param mostDeleted how many messages one request may delete (S-413), at most {@link
 *     EntityRequest#MOST_DELETED}
 */
public record AmqpSettings(
    String namespace,
    EngineConfig engine,
    ShardClock clock,
    Limits limits,
    Times times,
    boolean oneEntityPerTransaction,
    Quotas quotas,
    int mostDeleted) {

  /** The values of amqp.md 1.3, 1.4 and reliability.md 5.6. */
  public static AmqpSettings defaults(String namespace, String containerId, ShardClock clock) {
    return new AmqpSettings(
        namespace,
        EngineConfig.defaults(containerId),
        clock,
        Limits.DEFAULT,
        Times.DEFAULT,
        false,
        Quotas.NONE,
        EntityRequest.MOST_DELETED);
  }

  /** The same with other limits. */
  public AmqpSettings withLimits(Limits newLimits) {
    return new AmqpSettings(
        namespace, engine, clock, newLimits, times, oneEntityPerTransaction, quotas, mostDeleted);
  }

  /** The same with other times. */
  public AmqpSettings withTimes(Times newTimes) {
    return new AmqpSettings(
        namespace, engine, clock, limits, newTimes, oneEntityPerTransaction, quotas, mostDeleted);
  }

  /** The same with transactions as in the vendor's tiers, or without their limits. */
  public AmqpSettings withOneEntityPerTransaction(boolean newOneEntityPerTransaction) {
    return new AmqpSettings(
        namespace, engine, clock, limits, times, newOneEntityPerTransaction, quotas, mostDeleted);
  }

  /** The same with so many messages that one request may delete. */
  public AmqpSettings withMostDeleted(int newMostDeleted) {
    return new AmqpSettings(
        namespace, engine, clock, limits, times, oneEntityPerTransaction, quotas, newMostDeleted);
  }

  /** The same with what a namespace may have and do. */
  public AmqpSettings withQuotas(Quotas newQuotas) {
    return new AmqpSettings(
        namespace, engine, clock, limits, times, oneEntityPerTransaction, newQuotas, mostDeleted);
  }

  /**
   * What a namespace may have and do at a time (groups V and W).
   *
   * @param connections S-438
   * @param receiversPerEntity of a queue, or of a topic over its subscriptions (S-439)
   * @param creditsPerSecond S-445; 0 for no limit
   * @param transactions whether there are any (S-069)
   * @param rules how large filters and actions may be (S-365)
   * @param sharedSessions whether a session may be held by one who hands it over (S-522)
   */
  public record Quotas(
      int connections,
      int receiversPerEntity,
      long creditsPerSecond,
      boolean transactions,
      FilterLimits rules,
      boolean sharedSessions) {
    /** No limit but that of all rules. */
    public static final Quotas NONE = new Quotas(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, true);

    /** With sessions that may be shared. */
    public Quotas(
        int connections,
        int receiversPerEntity,
        long creditsPerSecond,
        boolean transactions,
        FilterLimits rules) {
      this(connections, receiversPerEntity, creditsPerSecond, transactions, rules, true);
    }

    /** With rules as large as they can be at all. */
    public Quotas(
        int connections, int receiversPerEntity, long creditsPerSecond, boolean transactions) {
      this(connections, receiversPerEntity, creditsPerSecond, transactions, FilterLimits.CEILING);
    }
  }

  /**
   * Sizes and counts.
   *
   * @param senderCredit what a client sender may have under way; topped up at half, so from 4,096
   *     on JavaScript never waits for it (amqp.md 3.5)
   * @param batchBytes the largest batch envelope that is taken (S-407)
   * @param partialBytes what one connection may have half received, in all, and again what may wait
   *     in its open transactions; eight times as much in files of large messages
   * @param unsettledPerLink deliveries of a link that the client has not settled (S-102)
   * @param requestBytes the largest request to a {@code $cbs} or {@code $management} node
   * @param replyBytes answers of one reply link that wait for its credit
   * @param peekBytes where an answer to peek stops, in bytes of messages
   * @param failedTokens tokens and passwords that may fail before the connection is closed
   */
  public record Limits(
      int senderCredit,
      int batchBytes,
      int partialBytes,
      int unsettledPerLink,
      int requestBytes,
      int replyBytes,
      int peekBytes,
      int failedTokens) {
    /** As reliability.md 5.6 has them where it does. */
    public static final Limits DEFAULT =
        new Limits(4_096, 4 << 20, 32 << 20, 50_000, 1 << 20, 8 << 20, 1 << 20, 10);

    /** The largest batch that any link announces: bytes alone bound one of that size (S-408). */
    public static final int MOST_ANNOUNCED = 1 << 20;

    /**
     * The most messages of a larger one, where one is taken: as many as the smallest that fit into
     * one that is announced, for a shard decides all of them in one step.
     */
    public static final int MOST_MESSAGES = MOST_ANNOUNCED / 10;

    /** The largest batch to an entity that its links announce: no more than a message may have. */
    public long announcedBatchBytes(QueueDefinition definition) {
      return Math.min(MOST_ANNOUNCED, batchBytesOf(definition));
    }

    /** The largest batch to an entity that is taken. */
    public long batchBytesOf(QueueDefinition definition) {
      return Math.min(batchBytes, definition.maxMessageBytes());
    }

    /** The same with another size of batches (S-407). */
    public Limits withBatchBytes(int newBatchBytes) {
      return new Limits(
          senderCredit,
          newBatchBytes,
          partialBytes,
          unsettledPerLink,
          requestBytes,
          replyBytes,
          peekBytes,
          failedTokens);
    }
  }

  /**
   * Durations in milliseconds.
   *
   * @param tokenMillis until a valid token must have been put (S-465)
   * @param firstLinkMillis until a link must have been made (S-101)
   * @param lastLinkMillis how long a connection may stay without links (S-100)
   * @param idleLinkMillis how long a link may stay idle (S-099)
   * @param transactionMillis how long a transaction may go on after its first operation (S-386)
   */
  public record Times(
      long tokenMillis,
      long firstLinkMillis,
      long lastLinkMillis,
      long idleLinkMillis,
      long transactionMillis) {
    /** 20 s, 1 min, 5 min, 10 min, 2 min. */
    public static final Times DEFAULT = new Times(20_000, 60_000, 300_000, 600_000, 120_000);
  }
}
