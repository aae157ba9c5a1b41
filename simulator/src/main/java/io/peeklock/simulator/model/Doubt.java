package io.peeklock.simulator.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether something happened that nobody was told of, and that happened to several messages or to
 * none (S-405, S-379). What is learned of one of them is known of all.
 */
final class Doubt {
  private final List<Copy> copies = new ArrayList<>();
  private boolean isOver;

  /** The states of this copy depend on it. */
  void on(Copy copy) {
    copies.add(copy);
  }

  /** It is known now. */
  void end(boolean happened) {
    if (!isOver) {
      isOver = true;
      for (var copy : copies) {
        copy.keep(
            "S-405",
            happened ? "others of its batch came" : "others of its batch did not come",
            state -> state.doubts.getOrDefault(this, happened) == happened);
      }
    }
  }
}
