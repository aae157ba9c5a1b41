package io.peeklock.junit;

import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.platform.commons.support.AnnotationSupport;

/** The entities that annotations name. */
final class Declared {
  private Declared() {}

  /** Adds those of a class or method. */
  static void addTo(PeeklockBuilder builder, AnnotatedElement from) {
    for (var queue : AnnotationSupport.findRepeatableAnnotations(from, Queue.class)) {
      builder.queue(queue.value(), options -> set(options, queue));
    }
    for (var topic : AnnotationSupport.findRepeatableAnnotations(from, Topic.class)) {
      builder.topic(topic.value(), options -> set(options, topic));
      for (var name : topic.subscriptions()) {
        builder.subscription(topic.value(), name);
      }
    }
    for (var each : AnnotationSupport.findRepeatableAnnotations(from, Subscription.class)) {
      builder.subscription(each.topic(), each.name(), options -> set(options, each));
    }
  }

  private static void set(QueueOptions options, Queue queue) {
    ifSaid(queue.lockDuration(), options::lockDuration);
    ifSaid(queue.timeToLive(), options::timeToLive);
    ifSaid(queue.duplicateWindow(), options::duplicateWindow);
    options.maxDeliveryCount(queue.maxDeliveryCount());
    set(options, queue.requiresSession(), queue.deadLetteringOnExpiration());
    forward(options, queue.forwardTo(), queue.forwardDeadLettersTo());
  }

  private static void set(TopicOptions options, Topic topic) {
    ifSaid(topic.timeToLive(), options::timeToLive);
    ifSaid(topic.duplicateWindow(), options::duplicateWindow);
  }

  private static void set(SubscriptionOptions options, Subscription each) {
    ifSaid(each.lockDuration(), options::lockDuration);
    ifSaid(each.timeToLive(), options::timeToLive);
    options.maxDeliveryCount(each.maxDeliveryCount());
    set(options, each.requiresSession(), each.deadLetteringOnExpiration());
    forward(options, each.forwardTo(), each.forwardDeadLettersTo());
    if (!each.filter().isEmpty()) {
      options.filter("filter", each.filter());
    }
  }

  private static void set(ReceivingOptions<?> options, boolean sessions, boolean deadLettering) {
    if (sessions) {
      options.requiresSession();
    }
    if (deadLettering) {
      options.deadLetteringOnExpiration();
    }
  }

  private static void forward(ReceivingOptions<?> options, String to, String deadLettersTo) {
    if (!to.isEmpty()) {
      options.forwardTo(to);
    }
    if (!deadLettersTo.isEmpty()) {
      options.forwardDeadLettersTo(deadLettersTo);
    }
  }

  private static void ifSaid(String duration, Consumer<Duration> setter) {
    if (!duration.isEmpty()) {
      setter.accept(Duration.parse(duration));
    }
  }
}
