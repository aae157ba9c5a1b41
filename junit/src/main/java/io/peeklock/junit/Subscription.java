package io.peeklock.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A subscription of a {@link Topic}. On a parameter of type {@link PeeklockEntity}: the view of the
 * subscription.
 */
@Documented
@Inherited
@Repeatable(Subscription.List.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER})
public @interface Subscription {
  /** The topic, which must be named too. */
  String topic();

  /** Its name. */
  String name();

  /** The SQL filter of its only rule; empty to select all messages. */
  String filter() default "";

  /** How long a lock lasts, as ISO 8601 has it, such as {@code PT5S}; empty for one minute. */
  String lockDuration() default "";

  /** After how many failed deliveries a message is dead-lettered. */
  int maxDeliveryCount() default 10;

  /** Whether each message belongs to a session. */
  boolean requiresSession() default false;

  /** How long messages live at most, such as {@code PT1H}; empty for without end. */
  String timeToLive() default "";

  /** Whether messages that expire are dead-lettered. */
  boolean deadLetteringOnExpiration() default false;

  /** Where its messages move on to; empty for nowhere. */
  String forwardTo() default "";

  /** Where its dead letters move on to; empty for nowhere. */
  String forwardDeadLettersTo() default "";

  /** Several of them. */
  @Documented
  @Inherited
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  @interface List {
    /** Each of them. */
    Subscription[] value();
  }
}
