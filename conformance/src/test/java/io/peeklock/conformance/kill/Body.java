package io.peeklock.conformance.kill;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** Bodies that can be checked by who knows the id alone. */
final class Body {
  private static final int LARGE = 1_200_000;

  private Body() {}

  /** Mostly small, now and then some frames long, rarely larger than what lies in the log. */
  static int size(Random chance) {
    var dice = chance.nextInt(3_000);
    if (dice == 0) {
      return LARGE;
    }
    return 8 + chance.nextInt(dice < 30 ? 150_000 : 1_500);
  }

  static byte[] of(String id, int size) {
    var words = ByteBuffer.allocate((size + 7) & ~7);
    var state = 0x9e3779b97f4a7c15L * (id.hashCode() | 1L);
    while (words.hasRemaining()) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
      words.putLong(state);
    }
    return Arrays.copyOf(words.array(), size);
  }

  static boolean whole(String id, byte[] body) {
    return Arrays.equals(body, of(id, body.length));
  }
}
