package io.peeklock.simulator.frames;

import io.peeklock.simulator.world.RandomSource;
import java.util.ArrayList;
import java.util.List;

/**
 * How the clients of a run use connections.
 *
 * @param connections how many they have at a time
 * @param putsTokens whether rights come with tokens that expire; else with a password
 * @param troubles that their connections have; may be none
 */
record Habits(int connections, boolean putsTokens, List<Trouble> troubles) {

  /** What happens to a connection. */
  enum Trouble {
    /** It is gone before all that was written is there. */
    CUT_THERE,
    /** It is gone before all that was sent is heard. */
    CUT_BACK,
    /** It is closed with things under way. */
    CLOSE,
    /** A session ends without a word about its links. */
    END,
    /** Nothing, or next to nothing, is read for a while. */
    SLOW_READER
  }

  /** Those of a seed. */
  static Habits of(long seed) {
    var random = new RandomSource(seed ^ ~0L >>> 1);
    var troubles = new ArrayList<Trouble>();
    var hasNone = random.oneIn(4);
    for (var trouble : Trouble.values()) {
      if (!hasNone && random.oneIn(2)) {
        troubles.add(trouble);
      }
    }
    return new Habits(random.between(1, 4), random.oneIn(4), List.copyOf(troubles));
  }
}
