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
      implements ForwardFact, Fact.MovesMessages, Fact.CopiesMessages {
    @Override
    public QueueId destination() {
      return topic;
    }

    @Override
    public int count() {
      return sequenceNumbers.length;
    }
  }

  /** Messages are gone, because where they were to move to had seen their ids (S-266, S-298). */
  record Dropped(QueueId queue, long[] sequenceNumbers) implements ForwardFact, Fact.AboutQueue {}
}
