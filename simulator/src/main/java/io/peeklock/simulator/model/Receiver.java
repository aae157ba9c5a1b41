package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation.Mode;

/** Who receives from an entity. */
final class Receiver {
  final String name;
  final String path;
  final Mode mode;
  long credit;

  /** It was closed or ended, though something may still be on its way to it. */
  boolean isOver;

  Receiver(String name, String path, Mode mode) {
    this.name = name;
    this.path = path;
    this.mode = mode;
  }
}
