package io.peeklock.journal.segment;

/**
 * The disk use of the log, and how much of it is needed. The promise is at most twice the living
 * bytes plus two segments, so compaction begins well before.
 *
 * @param bytes of all segments, cold ones included
 * @param liveBytes bytes of living bodies in them
 * @param leavingBytes bytes of files without living bodies, which checkpoints still need
 * @param movedBytes the bytes copied out of those files
 */
public record Usage(long bytes, long liveBytes, long leavingBytes, long movedBytes) {

  /** The use in bytes above which compaction begins. */
  public static long tooMuch(long liveBytes, long segmentBytes) {
    return liveBytes + liveBytes / 4 * 3 + segmentBytes + segmentBytes / 2;
  }

  /** The use in bytes at which compaction ends, low enough not to begin again at once. */
  public static long enough(long liveBytes, long segmentBytes) {
    return liveBytes + liveBytes / 2 + segmentBytes;
  }

  /** The most bytes that may be on the disk twice during compaction. */
  public static long mostMoving(long liveBytes, long segmentBytes) {
    return Math.max(segmentBytes / 2, liveBytes / 8);
  }
}
