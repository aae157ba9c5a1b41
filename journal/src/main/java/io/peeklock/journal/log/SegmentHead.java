package io.peeklock.journal.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The head of a segment's file. It is synced, with the folder, before the first frame is written;
 * so a file that is longer than its head has an intact head, or is damaged.
 *
 * @param number segments count up
 * @param firstIndex of the first frame
 * @param predecessor the last index before it; all of that was durable when this was written
 * @param firstBodyId no body in this segment has a lower id
 * @param term the leader's term that created it
 * @param salt random; repeated in every frame, so that neither stale blocks nor a client's bytes
 *     can pass for a frame
 */
public record SegmentHead(
    long number, long firstIndex, long predecessor, long firstBodyId, long term, long salt) {
  public static final int BYTES = 64;
  private static final HeadLayout LAYOUT =
      new HeadLayout(0x0A31_4745_534B_4C50L, BYTES); // "PLKSEG1\n"

  ByteBuffer bytes() {
    return LAYOUT.head(number, firstIndex, predecessor, firstBodyId, term, salt);
  }

  /**
   * Reads a head.
   *
   * @param in little endian; at least {@link #BYTES} from position 0
   * @return null when it is damaged
   * @throws IOException when it is intact and of a version that is not known
   */
  public static @Nullable SegmentHead read(ByteBuffer in, String file) throws IOException {
    if (!LAYOUT.isAt(in, 0, file)) {
      return null;
    }
    return new SegmentHead(
        HeadLayout.number(in, 0, 0),
        HeadLayout.number(in, 0, 1),
        HeadLayout.number(in, 0, 2),
        HeadLayout.number(in, 0, 3),
        HeadLayout.number(in, 0, 4),
        HeadLayout.number(in, 0, 5));
  }
}
