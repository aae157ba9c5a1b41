package io.peeklock.kernel.fact;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fact: what is now true, as the log has it. Applying one needs no clock and no rule, so an old
 * log replays to the same state under a later version. Bursts are columns, not objects: arrays are
 * exactly as long as the burst and never changed after construction.
 */
public sealed interface Fact
    permits Fact.QueueCreated,
        Fact.Enqueued,
        Fact.Scheduled,
        Fact.NumbersGiven,
        Fact.Cancelled,
        Fact.Activated,
        Fact.Published,
        Fact.ScheduledPublished,
        Fact.PropertiesChanged,
        Fact.MessageIdsSeen,
        Fact.RuleAdded,
        Fact.RuleRemoved,
        Fact.RulesDescribed,
        Fact.Completed,
        Fact.Consumed,
        Fact.Expired,
        Fact.Abandoned,
        Fact.LockLapsed,
        Fact.Deferred,
        Fact.DeadLettered,
        Fact.NamespaceDescribed,
        Fact.SessionStateSet,
        Fact.SessionStatesRestored,
        Fact.MessageIdsRestored,
        Fact.CopyCursorRestored,
        MessagesRestored,
        EntityFact,
        ForwardFact {

  /** A fact about one queue, topic or subscription, or about its contents. */
  interface AboutQueue {

    /** The entity that it is about. */
    QueueId queue();
  }

  /** A fact that brings a queue, topic or subscription into being, with its dead-letter queue. */
  interface DefinesQueue extends AboutQueue {

    /** Where its dead letters go. */
    QueueId deadLetterQueue();

    /** Its properties. */
    QueueDefinition definition();

    /** The number that the next message gets. */
    default long nextSequenceNumber() {
      return 1;
    }
  }

  /**
   * A fact that shows which features its queue has, also where the fact with its definition is
   * missing.
   */
  interface ShowsFeatures extends AboutQueue {

    /** Whether only a queue with sessions can have it. */
    boolean showsSessions();

    /** Whether only a queue that detects duplicates can have it (S-266). */
    boolean showsDuplicateDetection();
  }

  /** A fact about the rules of a subscription. */
  interface AboutRules extends AboutQueue {

    /** The subscription that has them. */
    QueueId subscription();

    @Override
    default QueueId queue() {
      return subscription();
    }
  }

  /** A fact that gives out sequence numbers, counting up from the first (S-140). */
  interface GivesNumbers {

    /** The queue or topic whose numbers they are. */
    QueueId numberedBy();

    /** The lowest of them. */
    long firstSequenceNumber();

    /** How many, from 0 on. */
    int count();
  }

  /** A fact that stores new messages, with body ids that count up from the first. */
  interface StoresMessages extends GivesNumbers {

    /** Bytes of each. */
    int[] sizes();

    @Override
    default int count() {
      return sizes().length;
    }
  }

  /** A fact that gives subscriptions copies of messages that came to a topic. */
  interface CopiesMessages {

    /** The topic that they subscribe to. */
    QueueId topic();

    /** The copies, one entry for each subscription that gets any. */
    Copies[] copies();

    /** How many messages were copied, from 0. */
    int count();
  }

  /**
   * A fact that moves messages from one place to another. If it {@link GivesNumbers} too, they get
   * new numbers there, in the same order; otherwise they keep theirs.
   */
  interface MovesMessages {

    /** The queue that they leave; scheduled messages leave the schedule of their queue or topic. */
    QueueId source();

    /** Their numbers there. */
    long[] sequenceNumbers();

    /** The queue that they come to, or the topic that copies them. */
    QueueId destination();
  }

  /**
   * A fact that removes messages from a queue for good. A message that moves elsewhere is not
   * removed.
   */
  interface RemovesMessages extends AboutQueue {

    /** Their numbers. */
    long[] sequenceNumbers();
  }

  /**
   * The facts that describe a whole state: in checkpoints, and at the beginning of a repaired log.
   */
  sealed interface InCheckpoint
      permits NamespaceDescribed,
          EntityFact.QueueRestored,
          RulesDescribed,
          MessagesRestored,
          MessageIdsRestored,
          CopyCursorRestored,
          SessionStatesRestored {}

  /** A queue and its dead-letter queue exist. */
  record QueueCreated(
      QueueId queue, QueueId deadLetterQueue, QueueDefinition definition, long createdAtMillis)
      implements Fact, DefinesQueue {}

  /**
   * Messages are stored, with numbers and body ids counting up from the first (S-140, S-144).
   *
   * @param expiresAtMillis when each expires, {@link QueueDefinition#FOREVER} for never; null when
   *     none does (S-162)
   * @param messageIdHashes two numbers for each, to be remembered; both 0 for none; null unless the
   *     queue detects duplicates (S-266)
   * @param sessionIds of each; null in a queue without sessions
   */
  record Enqueued(
      QueueId queue,
      long firstSequenceNumber,
      long firstBodyId,
      long enqueuedAtMillis,
      int[] sizes,
      int[] headerBytes,
      long @Nullable [] expiresAtMillis,
      long @Nullable [] messageIdHashes,
      String @Nullable [] sessionIds)
      implements Fact, StoresMessages, ShowsFeatures {
    /** Messages without sessions in a queue without duplicate detection. */
    public Enqueued(
        QueueId queue,
        long firstSequenceNumber,
        long firstBodyId,
        long enqueuedAtMillis,
        int[] sizes,
        int[] headerBytes,
        long @Nullable [] expiresAtMillis) {
      this(
          queue,
          firstSequenceNumber,
          firstBodyId,
          enqueuedAtMillis,
          sizes,
          headerBytes,
          expiresAtMillis,
          null,
          null);
    }

    @Override
    public QueueId numberedBy() {
      return queue;
    }

    @Override
    public boolean showsSessions() {
      return sessionIds != null;
    }

    @Override
    public boolean showsDuplicateDetection() {
      return messageIdHashes != null;
    }
  }

  /**
   * Messages are stored to become active later, with numbers and body ids counting up from the
   * first (S-148): new numbers, or ones that were {@link NumbersGiven given} before.
   *
   * @param arrivedAtMillis when they arrived; their ids are remembered from then on
   * @param dueAtMillis when each becomes active
   * @param expiresAtMillis when each expires if it becomes active exactly when due; as in {@link
   *     Enqueued}
   * @param messageIdHashes as in {@link Enqueued}
   * @param sessionIds as in {@link Enqueued}
   */
  record Scheduled(
      QueueId queue,
      long firstSequenceNumber,
      long firstBodyId,
      long arrivedAtMillis,
      int[] sizes,
      int[] headerBytes,
      long[] dueAtMillis,
      long @Nullable [] expiresAtMillis,
      long @Nullable [] messageIdHashes,
      String @Nullable [] sessionIds)
      implements Fact, StoresMessages, ShowsFeatures {
    @Override
    public QueueId numberedBy() {
      return queue;
    }

    @Override
    public boolean showsSessions() {
      return sessionIds != null;
    }

    @Override
    public boolean showsDuplicateDetection() {
      return messageIdHashes != null;
    }
  }

  /**
   * Sequence numbers were given out before their messages are stored, if they ever are: a schedule
   * in a transaction answers with them (S-149, S-160). No other message gets them.
   */
  record NumbersGiven(QueueId queue, long firstSequenceNumber, int count)
      implements Fact, AboutQueue, GivesNumbers {
    @Override
    public QueueId numberedBy() {
      return queue;
    }
  }

  /** Scheduled messages are gone before their time (S-153). */
  record Cancelled(QueueId queue, long[] sequenceNumbers) implements Fact, RemovesMessages {}

  /**
   * Scheduled messages are active, at the end of the queue, with numbers that count up from the
   * first (S-151). A time to live runs from here.
   *
   * @param sequenceNumbers that they had, in the order in which they get the new ones
   */
  record Activated(
      QueueId queue, long[] sequenceNumbers, long firstSequenceNumber, long enqueuedAtMillis)
      implements Fact, AboutQueue, MovesMessages, GivesNumbers {
    @Override
    public QueueId source() {
      return queue;
    }

    @Override
    public QueueId destination() {
      return queue;
    }

    @Override
    public QueueId numberedBy() {
      return queue;
    }

    @Override
    public int count() {
      return sequenceNumbers.length;
    }
  }

  /**
   * Messages came to a topic, and copies of them are in its subscriptions, all in this one step
   * (S-053). A message that no subscription selects is not among them (S-054). The bodies are
   * stored once.
   *
   * @param topic the topic, whose numbers they have, counting up from the first
   * @param messageIdHashes as in {@link Enqueued}
   */
  record Published(
      QueueId topic,
      long firstSequenceNumber,
      long firstBodyId,
      long enqueuedAtMillis,
      int[] sizes,
      int[] headerBytes,
      long @Nullable [] messageIdHashes,
      Copies[] copies)
      implements Fact, AboutQueue, StoresMessages, CopiesMessages {
    @Override
    public QueueId queue() {
      return topic;
    }

    @Override
    public QueueId numberedBy() {
      return topic;
    }

    @Override
    public int count() {
      return sizes.length;
    }
  }

  /**
   * Scheduled messages of a topic are active: copies of them are in its subscriptions (S-156).
   *
   * @param sequenceNumbers that they had, in the order in which they get the new ones, which count
   *     up from the first
   */
  record ScheduledPublished(
      QueueId topic,
      long[] sequenceNumbers,
      long firstSequenceNumber,
      long enqueuedAtMillis,
      Copies[] copies)
      implements Fact, AboutQueue, MovesMessages, CopiesMessages, GivesNumbers {
    @Override
    public QueueId queue() {
      return topic;
    }

    @Override
    public QueueId numberedBy() {
      return topic;
    }

    @Override
    public QueueId source() {
      return topic;
    }

    @Override
    public QueueId destination() {
      return topic;
    }

    @Override
    public int count() {
      return sequenceNumbers.length;
    }
  }

  /**
   * A message has changed properties, from a rule's action or with the reason why it is a dead
   * letter.
   *
   * @param queue the queue that has it, which may be a dead-letter queue
   */
  record PropertiesChanged(QueueId queue, long sequenceNumber, StoredOverlay overlay)
      implements Fact, AboutQueue {}

  /** Ids of messages that were not kept, to be remembered all the same (S-279). */
  record MessageIdsSeen(QueueId queue, long[] hashes, long arrivedAtMillis)
      implements Fact, ShowsFeatures {
    @Override
    public boolean showsSessions() {
      return false;
    }

    @Override
    public boolean showsDuplicateDetection() {
      return true;
    }
  }

  /** A subscription has one more rule. */
  record RuleAdded(QueueId subscription, Rule rule) implements Fact, AboutRules {}

  /** A subscription lost a rule. */
  record RuleRemoved(QueueId subscription, String name) implements Fact, AboutRules {}

  /** All rules of a subscription. Only in checkpoints and at the beginning of a repaired log. */
  record RulesDescribed(QueueId subscription, List<Rule> rules)
      implements Fact, AboutRules, InCheckpoint {}

  /** Messages are done and gone (S-030). */
  record Completed(QueueId queue, long[] sequenceNumbers) implements Fact, RemovesMessages {}

  /** Messages left by receive-and-delete (S-021). */
  record Consumed(QueueId queue, long[] sequenceNumbers) implements Fact, RemovesMessages {}

  /** Messages expired and were dropped (S-168). */
  record Expired(QueueId queue, long[] sequenceNumbers) implements Fact, RemovesMessages {}

  /**
   * Messages were abandoned, a failed attempt each unless they are dead letters: active again, or
   * deferred again if they were deferred (S-120, S-212, S-132).
   *
   * @param overlay changed properties, with a single number only; null for none
   */
  record Abandoned(QueueId queue, long[] sequenceNumbers, @Nullable StoredOverlay overlay)
      implements Fact, AboutQueue {}

  /** Locks lapsed, a failed attempt for each message (S-121, S-033). */
  record LockLapsed(QueueId queue, long[] sequenceNumbers) implements Fact, AboutQueue {}

  /** Messages are deferred, a failed attempt each unless they are dead letters (S-206, S-123). */
  record Deferred(QueueId queue, long[] sequenceNumbers, @Nullable StoredOverlay overlay)
      implements Fact, AboutQueue {}

  /**
   * Messages moved to the dead-letter queue with their numbers and times kept.
   *
   * @param counted whether the move counts as a failed attempt of each message
   */
  record DeadLettered(
      QueueId queue,
      QueueId deadLetterQueue,
      long[] sequenceNumbers,
      DeadLetterCause cause,
      boolean counted,
      @Nullable StoredOverlay overlay)
      implements Fact, AboutQueue, MovesMessages {
    @Override
    public QueueId source() {
      return queue;
    }

    @Override
    public QueueId destination() {
      return deadLetterQueue;
    }
  }

  /**
   * The counters of the whole shard, followed by one {@link EntityFact.QueueRestored} for each
   * queue. Only in checkpoints and where a repaired log begins.
   *
   * @param nextQueueNumber the number that the next queue gets
   * @param nextBodyId the id that the next body gets
   */
  record NamespaceDescribed(int nextQueueNumber, long nextBodyId) implements Fact, InCheckpoint {}

  /**
   * The state of a session was set or cleared (S-253 to S-256).
   *
   * @param bodyId where it is stored; 0 when it was cleared
   * @param bytes its size
   */
  record SessionStateSet(QueueId queue, String sessionId, long bodyId, int bytes, long setAtMillis)
      implements Fact, ShowsFeatures {
    @Override
    public boolean showsSessions() {
      return true;
    }

    @Override
    public boolean showsDuplicateDetection() {
      return false;
    }
  }

  /**
   * Session states as a checkpoint has them; sessions that are not named have none. Only in
   * checkpoints and in repaired logs.
   */
  record SessionStatesRestored(
      QueueId queue, String[] sessionIds, long[] bodyIds, int[] sizes, long[] setAtMillis)
      implements Fact, ShowsFeatures, InCheckpoint {
    @Override
    public boolean showsSessions() {
      return true;
    }

    @Override
    public boolean showsDuplicateDetection() {
      return false;
    }
  }

  /**
   * Message ids that a queue remembers. Only in checkpoints, which may include ids that came while
   * they were written, and in repaired logs.
   *
   * @param hashes two numbers for each
   * @param arrivedAtMillis of each
   */
  record MessageIdsRestored(QueueId queue, long[] hashes, long[] arrivedAtMillis)
      implements Fact, ShowsFeatures, InCheckpoint {
    @Override
    public boolean showsSessions() {
      return false;
    }

    @Override
    public boolean showsDuplicateDetection() {
      return true;
    }
  }

  /**
   * How far one message of a topic's backlog is copied. Only in checkpoints and in repaired logs.
   *
   * @param queue the backlog
   * @param upTo as in {@link ForwardFact.PartPublished}
   */
  record CopyCursorRestored(QueueId queue, long sequenceNumber, int upTo)
      implements Fact, AboutQueue, InCheckpoint {}

  /**
   * Where the changed properties of the fact's one message are stored.
   *
   * @param bodyId the overlay's body id
   * @param bytes its size
   */
  record StoredOverlay(long bodyId, int bytes) {}
}
