package io.peeklock.journal.segment;

/**
 * What the log takes on the disk and what of it is needed. The promise is at most two times the
 * living bytes and two segments; so work begins well before.
 *
 * @param bytes of all segments, cold ones included
 * @param liveBytes of living bodies that lie in them
 * @param leavingBytes of files in which nothing lives, and that wait for checkpoints to go
 * @param movedBytes what was copied out of these
 */
public record Usage(long bytes, long liveBytes, long leavingBytes, long movedBytes) {

  /** What must be copied out of somewhere is not copied before there is this much. */
  public static long tooMuch(long liveBytes, long segmentBytes) {
    return liveBytes + liveBytes / 4 * 3 + segmentBytes + segmentBytes / 2;
  }

  /** As far as copying goes then, so that it does not begin again at once. */
  public static long enough(long liveBytes, long segmentBytes) {
    return liveBytes + liveBytes / 2 + segmentBytes;
  }

  /** What may lie on the disk twice meanwhile. */
  public static long mostMoving(long liveBytes, long segmentBytes) {
    return Math.max(segmentBytes / 2, liveBytes / 8);
  }
}
