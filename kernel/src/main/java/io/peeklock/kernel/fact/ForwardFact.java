package io.peeklock.kernel.fact;

import io.peeklock.kernel.entity.QueueId;
import org.jspecify.annotations.Nullable;

/**
 * A fact about messages that are forwarded by the broker (S-285, S-197): each leaves one place and
 * arrives at another in the same step (S-290, I-36). There it counts as new, except that it keeps
 * its number of hops and the number that it was first given.
 */
public sealed interface ForwardFact extends Fact {

  /**
   * Messages moved to a queue, where they have numbers that count up from the first.
   *
   * @param source the queue that they left, which may be a dead-letter queue
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
   * Messages moved to a topic: copies of them are in its subscriptions. A message that no
   * subscription selects is among them, and gone (S-054).
   *
   * @param topic the topic, whose numbers they have, counting up from the first
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
   * A part of the copies of one message is in a topic's subscriptions, which are served in order of
   * creation. The message stays in the backlog until the last part.
   *
   * @param source the topic's backlog
   * @param topicNumber the number that the topic gave the message, with the first part; 0 in later
   *     parts
   * @param enqueuedAtMillis when it came to the topic, which is with its first part
   * @param expiresAtMillis when the message expires, by its own time to live and the topic's, as in
   *     {@link Fact.Enqueued}
   * @param messageIdHashes as in {@link Fact.Enqueued}, with the first part; null in later ones
   * @param upTo the queue number of the last subscription that is served with this part
   * @param last whether this is the last part, so that the message leaves the backlog
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
   * @param topicNumber the new number of the first in the topic; the others count up from it
   * @param firstSequenceNumber its number in the backlog; the others count up from it
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

  /** Messages were dropped, because the destination had seen their ids (S-266, S-298). */
  record Dropped(QueueId queue, long[] sequenceNumbers) implements ForwardFact, Fact.AboutQueue {}
}
