package io.peeklock.conformance;

import java.util.List;
import java.util.Locale;

/** Where a broker under test keeps what it stores. */
public enum Store {
  DISK,
  MEMORY;

  /** That of the broker that tests share: on disk, or what {@code -Dstore=memory} says. */
  static Store ofSharedBroker() {
    return valueOf(System.getProperty("store", "disk").toUpperCase(Locale.ROOT));
  }

  /** What says so to {@code serve}, beside the folder. */
  public List<String> options() {
    return this == MEMORY ? List.of("--in-memory") : List.of();
  }
}
