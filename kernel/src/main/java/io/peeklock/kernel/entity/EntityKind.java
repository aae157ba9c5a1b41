package io.peeklock.kernel.entity;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What an operator can ask for. Topics come before what they feed. */
public enum EntityKind {
  /** Sent to and received from. */
  QUEUE,
  /** Sent to. */
  TOPIC,
  /** Received from. */
  SUBSCRIPTION;

  /** All of them. */
  public static final Set<EntityKind> ALL = of(QUEUE, TOPIC, SUBSCRIPTION);

  /** Those that keep what is sent. */
  public static final Set<EntityKind> SENT_TO = of(QUEUE, TOPIC);

  /** Those that give messages to receivers. */
  public static final Set<EntityKind> RECEIVED_FROM = of(QUEUE, SUBSCRIPTION);

  private static Set<EntityKind> of(EntityKind first, EntityKind... more) {
    return Collections.unmodifiableSet(EnumSet.of(first, more));
  }

  /** How sentences call it, such as {@code queue}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
