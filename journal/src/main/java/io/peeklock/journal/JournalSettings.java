package io.peeklock.journal;

import java.nio.file.Path;

/**
 * Where a file journal lives, and its bounds.
 *
 * @param folder made when missing; belongs to one journal at a time
 * @param segmentBytes size from which a segment is full
 * @param residentBytes memory kept for bodies that were logged or read
 * @param stagedBytes memory for bodies that arrived and are not yet appended, for all arenas
 * @param largeStagedBytes disk for large bodies that are not yet appended
 * @param reserveBytes free space below which sends are refused
 * @param groupBytes bytes after which a group is synced although more wait
 * @param quietMillis idle time after which the watermark is written
 */
public record JournalSettings(
    Path folder,
    long segmentBytes,
    long residentBytes,
    long stagedBytes,
    long largeStagedBytes,
    long reserveBytes,
    long groupBytes,
    long quietMillis) {
  private static final long MIB = 1L << 20;

  /** Refuses bounds that nothing could work with. */
  public JournalSettings {
    if (segmentBytes < 1
        || residentBytes < 0
        || stagedBytes < 1
        || largeStagedBytes < 0
        || reserveBytes < 0
        || groupBytes < 1
        || quietMillis < 1) {
      throw new IllegalArgumentException("bounds of a journal must be positive");
    }
  }

  /**
   * The defaults: segments of 64 MiB, 256 MiB of resident and 64 MiB of staged bodies, 512 MiB of
   * large bodies in flight, 256 MiB reserve, groups of up to 8 MiB, a watermark after 100 ms of
   * quiet.
   */
  public static JournalSettings in(Path folder) {
    return new JournalSettings(
        folder, 64 * MIB, 256 * MIB, 64 * MIB, 512 * MIB, 256 * MIB, 8 * MIB, 100);
  }

  /** The same with other segments. */
  public JournalSettings withSegmentBytes(long bytes) {
    return new JournalSettings(
        folder,
        bytes,
        residentBytes,
        stagedBytes,
        largeStagedBytes,
        reserveBytes,
        groupBytes,
        quietMillis);
  }

  /** The same with another bound of resident bodies. */
  public JournalSettings withResidentBytes(long bytes) {
    return new JournalSettings(
        folder,
        segmentBytes,
        bytes,
        stagedBytes,
        largeStagedBytes,
        reserveBytes,
        groupBytes,
        quietMillis);
  }

  /** The same with another reserve. */
  public JournalSettings withReserveBytes(long bytes) {
    return new JournalSettings(
        folder,
        segmentBytes,
        residentBytes,
        stagedBytes,
        largeStagedBytes,
        bytes,
        groupBytes,
        quietMillis);
  }

  /** The same with another quota for large bodies in flight. */
  public JournalSettings withLargeStagedBytes(long bytes) {
    return new JournalSettings(
        folder,
        segmentBytes,
        residentBytes,
        stagedBytes,
        bytes,
        reserveBytes,
        groupBytes,
        quietMillis);
  }
}
