package io.peeklock.journal.segment;

/** A file with bodies, as the shard's thread sees it. */
public abstract class BodyFile {
  public final String name;

  /** Its size in bytes; that of the open segment grows on the log's thread. */
  public volatile long bytes;

  /** The number of living bodies in it, without those that have their own files. */
  public long live;

  /** The bytes of these bodies, each with its checksum. */
  public long liveBytes;

  /** The reads of it in progress, and a compaction that copies from it. */
  public int pins;

  /**
   * The newest checkpoint ordinal that may name outdated locations in this file, as older ones may;
   * 0 for none. The file stays while such a checkpoint is kept.
   */
  public long leftAt;

  /** The bytes that were copied out of it. */
  public long movedBytes;

  /** Its living bodies are being copied. */
  public boolean isVictim;

  /** Whether a body in it could not be copied, so that the file stays. */
  public boolean isGivenUp;

  BodyFile(String name) {
    this.name = name;
  }

  /** Adds a living body. */
  public void gained(long location) {
    live++;
    liveBytes += BodyLocations.bytes(location);
  }

  /** Removes a body that died or was moved. */
  public void lost(long location) {
    live--;
    liveBytes -= BodyLocations.bytes(location);
  }
}
