package io.peeklock.journal;

import java.nio.file.Path;

/**
 * The folder of a file journal, and its limits.
 *
 * @param folder created if missing; belongs to one journal at a time
 * @param segmentBytes size from which a segment is full
 * @param residentBytes memory kept for bodies that were logged or read
 * @param stagedBytes memory for bodies that arrived and are not yet appended, for all arenas
 * @param largeStagedBytes disk for large bodies that are not yet appended
 * @param largePieceBytes memory for pieces of large bodies on their way to the disk, from 256 KiB
 * @param reserveBytes free space below which sends are refused, the ballast included
 * @param groupBytes bytes after which a group is synced even if more batches wait
 * @param quietMillis idle time after which the watermark is written
 * @param checkpointBytes bytes of log after which a checkpoint is due
 * @param compactionBytesPerSecond the most bytes per second that compaction reads
 */
public record JournalSettings(
    Path folder,
    long segmentBytes,
    long residentBytes,
    long stagedBytes,
    long largeStagedBytes,
    long largePieceBytes,
    long reserveBytes,
    long groupBytes,
    long quietMillis,
    long checkpointBytes,
    long compactionBytesPerSecond) {
  private static final long MIB = 1L << 20;
  private static final int BALLAST_PART = 8;

  /** The size of a piece of a large body; at least one must fit. */
  private static final int LEAST_PIECE_BYTES = 256 * 1024;

  /**
   * Creates settings.
   *
   * @throws IllegalArgumentException for limits that the journal cannot work with
   */
  public JournalSettings {
    if (segmentBytes < 1
        || residentBytes < 0
        || stagedBytes < 1
        || largeStagedBytes < 0
        || largePieceBytes < LEAST_PIECE_BYTES
        || reserveBytes < 0
        || groupBytes < 1
        || quietMillis < 1
        || checkpointBytes < 1
        || compactionBytesPerSecond < 1) {
      throw new IllegalArgumentException("bounds of a journal must be positive");
    }
  }

  /**
   * The defaults: segments of 64 MiB, 256 MiB of resident and 64 MiB of staged bodies, 512 MiB of
   * large bodies in flight and 128 MiB of their pieces, 256 MiB reserve, groups of up to 8 MiB, a
   * watermark after 100 ms of quiet, a checkpoint after 256 MiB of log, compaction at 32 MiB in a
   * second.
   */
  public static JournalSettings in(Path folder) {
    return new JournalSettings(
        folder, 64 * MIB, 256 * MIB, 64 * MIB, 512 * MIB, 128 * MIB, 256 * MIB, 8 * MIB, 100,
        256 * MIB, 32 * MIB);
  }

  /** The part of the reserve that is held as a file, and given up when all other space is taken. */
  public long ballastBytes() {
    return reserveBytes / BALLAST_PART;
  }

  /** These settings with another segment size. */
  public JournalSettings withSegmentBytes(long bytes) {
    return new JournalSettings(
        folder,
        bytes,
        residentBytes,
        stagedBytes,
        largeStagedBytes,
        largePieceBytes,
        reserveBytes,
        groupBytes,
        quietMillis,
        checkpointBytes,
        compactionBytesPerSecond);
  }

  /** These settings with another limit of resident bodies. */
  public JournalSettings withResidentBytes(long bytes) {
    return new JournalSettings(
        folder,
        segmentBytes,
        bytes,
        stagedBytes,
        largeStagedBytes,
        largePieceBytes,
        reserveBytes,
        groupBytes,
        quietMillis,
        checkpointBytes,
        compactionBytesPerSecond);
  }

  /** These settings with another limit of staged bodies. */
  public JournalSettings withStagedBytes(long bytes) {
    return new JournalSettings(
        folder,
        segmentBytes,
        residentBytes,
        bytes,
        largeStagedBytes,
        largePieceBytes,
        reserveBytes,
        groupBytes,
        quietMillis,
        checkpointBytes,
        compactionBytesPerSecond);
  }

  /** These settings with another reserve. */
  public JournalSettings withReserveBytes(long bytes) {
    return new JournalSettings(
        folder,
        segmentBytes,
        residentBytes,
        stagedBytes,
        largeStagedBytes,
        largePieceBytes,
        bytes,
        groupBytes,
        quietMillis,
        checkpointBytes,
        compactionBytesPerSecond);
  }

  /** These settings with another limit of staged large bodies. */
  public JournalSettings withLargeStagedBytes(long bytes) {
    return new JournalSettings(
        folder,
        segmentBytes,
        residentBytes,
        stagedBytes,
        bytes,
        largePieceBytes,
        reserveBytes,
        groupBytes,
        quietMillis,
        checkpointBytes,
        compactionBytesPerSecond);
  }

  /** These settings with another limit of pieces of large bodies. */
  public JournalSettings withLargePieceBytes(long bytes) {
    return new JournalSettings(
        folder,
        segmentBytes,
        residentBytes,
        stagedBytes,
        largeStagedBytes,
        bytes,
        reserveBytes,
        groupBytes,
        quietMillis,
        checkpointBytes,
        compactionBytesPerSecond);
  }

  /** These settings with a checkpoint after this many bytes of log. */
  public JournalSettings withCheckpointBytes(long bytes) {
    return new JournalSettings(
        folder,
        segmentBytes,
        residentBytes,
        stagedBytes,
        largeStagedBytes,
        largePieceBytes,
        reserveBytes,
        groupBytes,
        quietMillis,
        bytes,
        compactionBytesPerSecond);
  }

  /** These settings with another rate of compaction. */
  public JournalSettings withCompactionBytesPerSecond(long bytes) {
    return new JournalSettings(
        folder,
        segmentBytes,
        residentBytes,
        stagedBytes,
        largeStagedBytes,
        largePieceBytes,
        reserveBytes,
        groupBytes,
        quietMillis,
        checkpointBytes,
        bytes);
  }
}
