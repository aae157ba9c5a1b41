package io.peeklock.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A topic that a test's broker has from the start, with subscriptions that select all messages; see
 * {@link Subscription} for others. Where it may stand, as {@link Queue}.
 */
@Documented
@Inherited
@Repeatable(Topic.List.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Topic {
  /** Its name. */
  String value();

  /** Names of subscriptions that select all messages. */
  String[] subscriptions() default {};

  /** How long messages live at most, such as {@code PT1H}; empty for without end. */
  String timeToLive() default "";

  /** Over how long duplicates are detected, such as {@code PT1M}; empty for not at all. */
  String duplicateWindow() default "";

  /** Several of them. */
  @Documented
  @Inherited
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  @interface List {
    /** Each of them. */
    Topic[] value();
  }
}
