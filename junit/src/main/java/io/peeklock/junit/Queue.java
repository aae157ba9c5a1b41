package io.peeklock.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A queue that a test's broker has from the start; on a class for all its tests, on a method where
 * each test has a broker of its own. On a parameter of type {@link PeeklockEntity}: the view of the
 * queue of this name; its properties do not count there.
 */
@Documented
@Inherited
@Repeatable(Queue.List.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER})
public @interface Queue {
  /** Its name. */
  String value();

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

  /** Over how long duplicates are detected, such as {@code PT1M}; empty for not at all. */
  String duplicateWindow() default "";

  /** Several of them. */
  @Documented
  @Inherited
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  @interface List {
    /** Each of them. */
    Queue[] value();
  }
}
