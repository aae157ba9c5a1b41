package io.peeklock.kernel.entity;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The kinds of entities that an operator creates. Topics come before the subscriptions that they
 * feed.
 */
public enum EntityKind {
  /** Sent to and received from. */
  QUEUE,
  /** Sent to. */
  TOPIC,
  /** Received from. */
  SUBSCRIPTION;

  /** All of them. */
  public static final Set<EntityKind> ALL = of(QUEUE, TOPIC, SUBSCRIPTION);

  /** Kinds that clients send to. */
  public static final Set<EntityKind> SENT_TO = of(QUEUE, TOPIC);

  /** Kinds that clients receive from. */
  public static final Set<EntityKind> RECEIVED_FROM = of(QUEUE, SUBSCRIPTION);

  private static Set<EntityKind> of(EntityKind first, EntityKind... more) {
    return Collections.unmodifiableSet(EnumSet.of(first, more));
  }

  /** Its name in sentences, such as {@code queue}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
