package io.peeklock.journal.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The head of a cold segment's file. Bodies follow without gaps. The file gets its name only when
 * all of it is on the disk, and is never written again.
 *
 * @param number cold segments count up
 * @param salt random; checkpoints repeat it, so that another file is not taken for this one
 */
public record ColdHead(long number, long salt) {
  public static final int BYTES = 32;
  private static final HeadLayout LAYOUT =
      new HeadLayout(0x0A31_444C_434B_4C50L, BYTES); // "PLKCLD1\n"

  public ByteBuffer bytes() {
    return LAYOUT.head(number, salt);
  }

  /**
   * Reads a head.
   *
   * @param in little endian; at least {@link #BYTES} from position 0
   * @return null when it is damaged
   * @throws IOException when it is intact and of a version that is not known
   */
  public static @Nullable ColdHead read(ByteBuffer in, String file) throws IOException {
    if (!LAYOUT.isAt(in, 0, file)) {
      return null;
    }
    return new ColdHead(HeadLayout.number(in, 0, 0), HeadLayout.number(in, 0, 1));
  }
}
