package io.peeklock.journal.scan;

import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.log.Frame;
import io.peeklock.kernel.fact.Fact;
import java.util.List;

/**
 * One batch as it lies in a segment.
 *
 * @param offset of its frame
 * @param bytes of its frame
 * @param durable the highest index known to be durable when it was written
 * @param marked whether a high-water mark was kept beside the log
 * @param firstBodyId id of its first body; they count up
 * @param lengths bytes of each body; {@link #LARGE} where it has a file of its own
 * @param places where each body's checksum lies in the segment; 0 for a large one
 * @param larges what is said of the large bodies, in order
 * @param damagedBodies ids of those that fail their checksum, as far as they were looked at
 */
public record LoggedBatch(
    long offset,
    long bytes,
    long index,
    long predecessor,
    long term,
    long timeMillis,
    long durable,
    boolean marked,
    List<Fact> facts,
    long firstBodyId,
    int[] lengths,
    long[] places,
    List<CheckpointReader.Large> larges,
    long[] damagedBodies) {

  /** In place of a length. */
  public static final int LARGE = Frame.LARGE;
}
