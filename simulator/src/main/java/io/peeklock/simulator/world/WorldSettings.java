package io.peeklock.simulator.world;

/**
 * How large a world is. Bounds are far smaller than a real broker's, so that short runs reach them.
 *
 * @param onDisk whether there is a disk; else all is in memory and no process can end
 * @param memoryBytes bound of bodies in memory, where there is no disk; at least 1 MiB
 * @param segmentBytes from which a file of the log is full
 * @param residentBytes of bodies that need not be read; 0 has all of them read
 * @param checkpointBytes of log from which a checkpoint is due
 * @param reserveBytes free space below which sends are refused
 * @param mailboxBytes above which clients are told to stop
 * @param deliveryBytes that may be under way to receivers
 * @param messageBytes of heap that stored messages may take
 * @param stepNanos that pass for the broker whenever it looks how long its step takes; 0 for a
 *     machine without end
 */
public record WorldSettings(
    boolean onDisk,
    long memoryBytes,
    long segmentBytes,
    long residentBytes,
    long checkpointBytes,
    long reserveBytes,
    long mailboxBytes,
    long deliveryBytes,
    long messageBytes,
    long stepNanos) {

  /** A disk, and bounds that a short run seldom reaches. */
  public static final WorldSettings PLAIN =
      new WorldSettings(
          true, 64 << 20, 1 << 20, 0, 4 << 20, 1 << 20, 8 << 20, 64 << 20, 64 << 20, 0);
}
