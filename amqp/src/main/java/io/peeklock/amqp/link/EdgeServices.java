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

/** The services that all connections to one namespace share. */
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
   * Charges credits for sent messages, and for each rule of a topic that they are matched against
   * (S-446). Without enough credits the send is refused as a whole (S-447).
   *
   * @param path the path of the entity that gets them
   * @return {@link Throttle#BUSY}, or null when there were enough credits
   */
  @Nullable MessageProblem charge(int messages, String path);
}
