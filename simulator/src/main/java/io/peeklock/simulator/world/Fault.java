package io.peeklock.simulator.world;

/** What can go wrong with a machine. */
public enum Fault {
  /** The process is gone at once; what it wrote is there. */
  KILL,
  /** The power is gone: what was not synced is lost, torn, or there. */
  POWER,
  /** As with the power, and bits of what was not synced are flipped. */
  POWER_WITH_FLIPPED_BITS,
  /** The process ends as it wants to, and starts again. */
  STOP,
  /** The clock of the wall is set forward or back. */
  CLOCK,
  /** The machine sleeps, and the monotonic clock does not see it. */
  SLEEP,
  /** For a while each sync may take long. */
  SLOW_SYNCS,
  /** One sync of a file or a folder fails, and what it was to make durable may be lost. */
  SYNC_FAILS,
  /** One write fails, and a part of it is there. */
  WRITE_FAILS,
  /** One file cannot be made. */
  CREATE_FAILS,
  /** One thread of the process gets no time for a while. */
  THREAD_STALLS,
  /** The thread of the rules gets no time for a while. */
  SHARD_STALLS,
  /** For a while each read may come late. */
  LATE_READS,
  /** For a while what is read comes before anything else happens. */
  EARLY_READS,
  /** One read of the disk fails. */
  READ_FAILS_ONCE,
  /** For a while no read of the disk works. */
  READS_FAIL,
  /** For a while the disk has next to no room. */
  DISK_FULL;

  /** Whether there must be a disk for it to happen. */
  public boolean needsDisk() {
    return switch (this) {
      case CLOCK, SLEEP, THREAD_STALLS, SHARD_STALLS -> false;
      default -> true;
    };
  }
}
