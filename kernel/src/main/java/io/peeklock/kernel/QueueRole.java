package io.peeklock.kernel;

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
}
