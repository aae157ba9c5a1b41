package io.peeklock.journal.scan;

import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.log.Frame;
import io.peeklock.kernel.fact.Fact;
import java.util.List;

/**
 * One batch of a segment.
 *
 * @param offset the offset of its frame
 * @param bytes the bytes of its frame
 * @param durable the highest index known to be durable when it was written
 * @param marked whether a high-water mark was kept beside the log
 * @param firstBodyId id of its first body; they count up
 * @param lengths bytes of each body; {@link #LARGE} for one with its own file
 * @param places the offset of each body's checksum in the segment; 0 for a large one
 * @param larges the entries of the large bodies, in order
 * @param damagedBodies ids of bodies that fail their checksum, if bodies were verified
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
