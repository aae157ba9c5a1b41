package io.peeklock.journal.segment;

/** A file that bodies lie in, as the shard's thread knows it. */
public abstract class BodyFile {
  public final String name;

  /** Its size; the open segment's grows on the log's thread. */
  public volatile long bytes;

  /** Bodies in it that something refers to, without those that have files of their own. */
  public long live;

  /** What these take in it, each with its checksum. */
  public long liveBytes;

  /** Reads that are on their way to it, and a compaction that copies from it. */
  public int pins;

  /**
   * A checkpoint with this ordinal, or an older one, may name places in it that hold no longer; 0
   * for none. It stays while one of these is kept.
   */
  public long leftAt;

  /** What was copied out of it. */
  public long movedBytes;

  /** Its living bodies are being copied. */
  public boolean isVictim;

  /** A body in it could not be copied: it stays as it is. */
  public boolean isGivenUp;

  BodyFile(String name) {
    this.name = name;
  }

  /** A body in it is known now. */
  public void gained(long location) {
    live++;
    liveBytes += BodyLocations.bytes(location);
  }

  /** A body in it died, or lies elsewhere now. */
  public void lost(long location) {
    live--;
    liveBytes -= BodyLocations.bytes(location);
  }
}
