package io.peeklock.amqp.link;

import io.peeklock.amqp.error.Errors;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.amqp.limit.ReceiverCounts;
import io.peeklock.amqp.limit.Throttle;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.thread.AnyThread;
import org.jspecify.annotations.Nullable;

/** What all connections to one namespace share. */
@AnyThread
public interface EdgeServices {

  Broker broker();

  AccessControl access();

  AmqpSettings settings();

  AmqpBudgets budgets();

  Throttle throttle();

  ReceiverCounts receivers();

  Errors errors();

  /**
   * Pays for messages that a client sends, and for every rule of a topic that each is held against
   * (S-446). Who cannot pay is refused, and nothing of it happens (S-447).
   *
   * @param path of the entity that gets them
   * @return {@link Throttle#BUSY}, or null when they are paid
   */
  @Nullable MessageProblem charge(int messages, String path);
}
