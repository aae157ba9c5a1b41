package io.peeklock.server.config;

import java.util.Locale;

/** What an operator can ask for. Topics come before what they feed. */
enum EntityKind {
  QUEUE("LockDuration=PT30S"),
  TOPIC("DefaultMessageTimeToLive=PT1H"),
  SUBSCRIPTION("MaxDeliveryCount=5");

  private final String exampleProperty;

  EntityKind(String exampleProperty) {
    this.exampleProperty = exampleProperty;
  }

  /** How errors call it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String exampleProperty() {
    return exampleProperty;
  }
}
