package io.peeklock.kernel.fact;

import io.peeklock.kernel.entity.QueueId;
import org.jspecify.annotations.Nullable;

/**
 * What is now true of messages that move on by themselves to where their queue forwards (S-285,
 * S-197): each leaves one place and comes to another in the same step (S-290, I-36). There it
 * counts as new, but for its number of hops and the number that it was first given.
 */
public sealed interface ForwardFact extends Fact {

  /**
   * Messages moved to a queue, with numbers that count up from the first.
   *
   * @param source that they left, perhaps a dead-letter queue
   * @param expiresAtMillis as in {@link Fact.Enqueued}: a time to live began anew (S-178)
   * @param messageIdHashes as in {@link Fact.Enqueued}
   * @param sessionIds as in {@link Fact.Enqueued}
   * @param deadLetterSource where they were dead letters (S-197); null when they come from no
   *     dead-letter queue
   */
  record Forwarded(
      QueueId source,
      long[] sequenceNumbers,
      QueueId destination,
      long firstSequenceNumber,
      long enqueuedAtMillis,
      long @Nullable [] expiresAtMillis,
      long @Nullable [] messageIdHashes,
      String @Nullable [] sessionIds,
      @Nullable String deadLetterSource)
      implements ForwardFact, Fact.MovesMessages, Fact.GivesNumbers {
    @Override
    public QueueId numberedBy() {
      return destination;
    }

    @Override
    public int count() {
      return sequenceNumbers.length;
    }
  }

  /**
   * Messages moved to a topic: copies of them are in its subscriptions. What no subscription
   * selects is among them, and gone (S-054).
   *
   * @param topic that gave them numbers, counting up from the first
   * @param messageIdHashes as in {@link Fact.Enqueued}
   * @param deadLetterSource as in {@link Forwarded}
   */
  record ForwardPublished(
      QueueId source,
      long[] sequenceNumbers,
      QueueId topic,
      long firstSequenceNumber,
      long enqueuedAtMillis,
      long @Nullable [] messageIdHashes,
      Copies[] copies,
      @Nullable String deadLetterSource)
      implements ForwardFact, Fact.MovesMessages, Fact.CopiesMessages, Fact.GivesNumbers {
    @Override
    public QueueId destination() {
      return topic;
    }

    @Override
    public QueueId numberedBy() {
      return topic;
    }

    @Override
    public int count() {
      return sequenceNumbers.length;
    }
  }

  /**
   * Copies of one message are in some of a topic's subscriptions: those that have their turn with
   * it, in order of creation. It stays in the backlog until the last of them had it.
   *
   * @param source the topic's backlog
   * @param topicNumber that the topic gave the message, with the first part; 0 in later ones
   * @param enqueuedAtMillis when it came to the topic: with its first part
   * @param expiresAtMillis when the message expires, by its own time to live and the topic's, as in
   *     {@link Fact.Enqueued}
   * @param messageIdHashes as in {@link Fact.Enqueued}, with the first part; null in later ones
   * @param upTo the number of the last subscription's queue that had its turn
   * @param last whether all had it, and the message is gone from the backlog
   */
  record PartPublished(
      QueueId source,
      long sequenceNumber,
      QueueId topic,
      long topicNumber,
      long enqueuedAtMillis,
      long expiresAtMillis,
      long @Nullable [] messageIdHashes,
      Copies[] copies,
      int upTo,
      boolean last)
      implements ForwardFact, Fact.AboutQueue, Fact.CopiesMessages {
    @Override
    public QueueId queue() {
      return source;
    }

    @Override
    public int count() {
      return 1;
    }
  }

  /**
   * Scheduled messages of a topic are active (S-156): they wait in its backlog for copies.
   *
   * @param source the topic
   * @param sequenceNumbers that they had, in the order in which they get the new ones
   * @param topicNumber that the first of them has in the topic from here on; the others count up
   * @param firstSequenceNumber that it has in the backlog, the same
   */
  record ActivatedInBacklog(
      QueueId source,
      long[] sequenceNumbers,
      long topicNumber,
      QueueId backlog,
      long firstSequenceNumber,
      long enqueuedAtMillis)
      implements ForwardFact, Fact.MovesMessages, Fact.GivesNumbers {
    @Override
    public QueueId destination() {
      return backlog;
    }

    @Override
    public QueueId numberedBy() {
      return backlog;
    }

    @Override
    public int count() {
      return sequenceNumbers.length;
    }
  }

  /** Messages are gone, because where they were to move to had seen their ids (S-266, S-298). */
  record Dropped(QueueId queue, long[] sequenceNumbers) implements ForwardFact, Fact.AboutQueue {}
}
