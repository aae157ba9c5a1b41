package io.peeklock.kernel.entity;

import org.jspecify.annotations.Nullable;

/**
 * What a queue is to others. The kernel knows queues: a topic is one that keeps what is scheduled,
 * remembers ids and gives numbers, and never has an active message; a subscription is one that a
 * topic feeds.
 */
public sealed interface QueueRole {

  /** One that clients send to and receive from. */
  QueueRole QUEUE = new Queue();

  /** One that clients send to and receive from. */
  record Queue() implements QueueRole {}

  /**
   * One that clients send to, whose subscriptions get copies.
   *
   * @param filteringBeforePublishing whether a message that no subscription selects is refused
   *     (S-055) instead of dropped (S-054)
   */
  record Topic(boolean filteringBeforePublishing) implements QueueRole {}

  /**
   * One that clients receive from.
   *
   * @param topicPath the topic that feeds it, which was there before
   * @param deadLetteringOnFilterErrors whether a message whose filter or action fails is
   *     dead-lettered here (S-195) instead of left out (S-196)
   */
  record Subscription(String topicPath, boolean deadLetteringOnFilterErrors) implements QueueRole {}

  /**
   * One that nobody sends to or receives from: messages that were sent via an entity wait in it for
   * their destination, to which it forwards (S-305). One of an entity's forwards nowhere and is
   * always empty; its dead-letter queue is the transfer dead-letter queue of the entity (S-205).
   * Both are made when they are needed first.
   *
   * @param entityPath the entity, which was there before
   */
  record Transfers(String entityPath) implements QueueRole {

    /**
     * What such a queue is like.
     *
     * @param entity via which messages go
     * @param destination where they go to; null for the one that has the dead letters
     */
    public static QueueDefinition of(QueueDefinition entity, @Nullable String destination) {
      return QueueDefinition.named(path(entity.path(), destination))
          .with()
          .lockDurationMillis(entity.lockDurationMillis())
          .maxMessageBytes(entity.maxMessageBytes())
          .forwardTo(destination)
          .role(new Transfers(entity.path()))
          .build();
    }

    /** Its path, which no entity of a client's can have; destination as above. */
    public static String path(String entityPath, @Nullable String destination) {
      return entityPath + "/$Transfer" + (destination == null ? "" : "/" + destination);
    }
  }
}
