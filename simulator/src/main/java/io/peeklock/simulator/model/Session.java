package io.peeklock.simulator.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session of an entity: who holds it until when, and the states that it may have. */
final class Session {
  /** Receiver that has it; null for nobody. */
  @Nullable String holder;

  long lockedUntil;

  /** Whether the holder was closed, and the broker may know of it by now (S-248). */
  boolean isClosing;

  /** None at first (S-255). */
  final List<@Nullable String> states =
      new ArrayList<@Nullable String>(Collections.singletonList(null));

  boolean isSurelyHeldBy(@Nullable String receiver, Moment now) {
    return holder != null && holder.equals(receiver) && !isClosing && !now.mayBeAfter(lockedUntil);
  }

  /** Whether somebody has it without doubt. */
  boolean isSurelyHeld(Moment now) {
    return isSurelyHeldBy(holder, now);
  }

  long mostBytes() {
    return states.stream()
        .mapToLong(state -> state == null ? 0 : state.length() + 100)
        .max()
        .orElse(0);
  }

  void become(@Nullable String state) {
    states.clear();
    states.add(state);
  }
}
