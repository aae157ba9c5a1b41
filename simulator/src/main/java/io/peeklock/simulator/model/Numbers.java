package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Violation;
import java.util.HashMap;
import java.util.Map;

/** Sequence numbers of one log: unique, and increasing in the order of arrival (S-140). */
final class Numbers {
  private final Map<Long, Copy> given = new HashMap<>();
  private long highest;
  private long highestTick = -1;

  /** A copy turns out to have this number. */
  void learn(Copy copy, long number) {
    if (number < 1) {
      throw new Violation("S-140", "a message has the number " + number);
    }
    if (copy.number != 0 && copy.number != number) {
      throw new Violation("S-145", copy.sent.tag() + " changed its number");
    }
    Copy other = given.putIfAbsent(number, copy);
    if (other != null && other != copy && !sameMessage(copy, other)) {
      throw new Violation("S-140", "two messages have the number " + number);
    }
    copy.number = number;
    if (!copy.deadLetter) {
      compare(copy);
    }
  }

  private void compare(Copy copy) {
    if (copy.firstTick > highestTick && copy.number < highest) {
      throw new Violation("S-140", "a later message has the smaller number " + copy.number);
    }
    for (Copy other : copy.place.copies) {
      boolean wrong =
          other.number != 0
              && ((copy.cameBefore(other) && copy.number > other.number)
                  || (other.cameBefore(copy) && other.number > copy.number));
      if (wrong) {
        throw new Violation("S-140", "numbers are not in order of arrival at " + copy.number);
      }
    }
    if (copy.number > highest) {
      highest = copy.number;
      highestTick = copy.lastTick;
    }
  }

  /** A dead letter keeps its number; a schedule that was due when it was answered may, too. */
  private static boolean sameMessage(Copy one, Copy other) {
    Copy before = one.origin == other ? other : one;
    Copy after = before == one ? other : one;
    boolean dueAtOnce = before.sent.dueAtMillis() <= before.enqueuedToMillis;
    return after.origin == before && (after.deadLetter || dueAtOnce);
  }
}
