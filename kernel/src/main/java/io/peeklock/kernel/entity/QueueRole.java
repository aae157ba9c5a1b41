package io.peeklock.kernel.entity;

import org.jspecify.annotations.Nullable;

/**
 * The role of a queue. The kernel knows only queues: a topic is a queue that keeps scheduled
 * messages, remembers ids and gives numbers, and never has an active message; a subscription is a
 * queue that a topic feeds.
 */
public sealed interface QueueRole {

  /** One that clients send to and receive from. */
  QueueRole QUEUE = new Queue();

  /** One that clients send to and receive from. */
  record Queue() implements QueueRole {}

  /**
   * A topic: clients send to it, and its subscriptions get copies.
   *
   * @param filteringBeforePublishing whether a message that no subscription selects is refused
   *     (S-055) instead of dropped (S-054)
   */
  record Topic(boolean filteringBeforePublishing) implements QueueRole {}

  /**
   * A subscription: clients receive from it.
   *
   * @param topicPath the topic that feeds it, which must exist
   * @param deadLetteringOnFilterErrors whether a message whose filter or action fails is
   *     dead-lettered here (S-195) instead of left out (S-196)
   */
  record Subscription(String topicPath, boolean deadLetteringOnFilterErrors) implements QueueRole {}

  /**
   * A transfer queue, which no client sends to or receives from: messages sent via an entity wait
   * in it for their destination, to which it forwards (S-305). One transfer queue of each entity
   * forwards nowhere and is always empty; its dead-letter queue is the transfer dead-letter queue
   * of the entity (S-205). Both are created when they are first needed.
   *
   * @param entityPath the entity, which must exist
   */
  record Transfers(String entityPath) implements QueueRole {

    /**
     * The definition of a transfer queue.
     *
     * @param entity the entity that the messages are sent via
     * @param destination the path of their destination; null for the transfer queue that has the
     *     dead letters
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

    /** Whether a definition is of a topic's backlog: a transfer queue to the topic itself. */
    public static boolean isBacklog(QueueDefinition definition) {
      return definition.role() instanceof Transfers transfers
          && transfers.entityPath.equals(definition.forwardTo());
    }

    /** The path of a transfer queue, which no client's entity can have; destination as above. */
    public static String path(String entityPath, @Nullable String destination) {
      return entityPath + "/$Transfer" + (destination == null ? "" : "/" + destination);
    }
  }
}
