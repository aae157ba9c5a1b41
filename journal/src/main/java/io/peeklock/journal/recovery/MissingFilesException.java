package io.peeklock.journal.recovery;

import io.peeklock.journal.StoreChange;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.log.HighWater;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/**
 * The log was read completely and is intact, but files are missing: those of living bodies, or the
 * high-water mark.
 */
public final class MissingFilesException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Map<String, Long> segments;
  private final transient List<StoreChange> changes;

  private MissingFilesException(
      String said, Map<String, Long> segments, List<StoreChange> changes) {
    super(said);
    this.segments = segments;
    this.changes = changes;
  }

  /**
   * For missing segments.
   *
   * @param bodies the number of living bodies in each; at least one segment
   * @param changes that a start would make, were it not for this
   */
  static MissingFilesException ofSegments(
      Disk disk, long checkpoint, NavigableMap<String, Long> bodies, List<StoreChange> changes) {
    var first = bodies.firstEntry();
    var others = bodies.size() - 1;
    var said =
        disk.describe(first.getKey())
            + " is missing, and the checkpoint of batch "
            + checkpoint
            + " says that "
            + first.getValue()
            + " bodies of messages lie in it"
            + (others == 0 ? "" : "; " + others + " more segments with messages are missing");
    return new MissingFilesException(said + DamagedLog.WAY_OUT, bodies, changes);
  }

  /**
   * For files of large bodies that are missing or incomplete.
   *
   * @param files what is wrong with each; at least one file
   * @param changes that a start would make, were it not for this
   */
  static MissingFilesException ofLargeBodies(
      Disk disk, NavigableMap<String, String> files, List<StoreChange> changes) {
    var first = files.firstEntry();
    var others = files.size() - 1;
    var said =
        disk.describe(first.getKey())
            + " "
            + first.getValue()
            + ", and it is the body of a message"
            + (others == 0 ? "" : "; " + others + " more files of large messages are not whole");
    return new MissingFilesException(said + DamagedLog.WAY_OUT, Map.of(), changes);
  }

  /**
   * For the high-water mark.
   *
   * @param lastIndex the index of the last batch
   * @param changes that a start would make, were it not for this
   */
  static MissingFilesException ofTheMark(Disk disk, long lastIndex, List<StoreChange> changes) {
    var said =
        disk.describe(HighWater.NAME)
            + " is missing, and the log says that it was there: the log ends with batch "
            + lastIndex
            + ", and without that file nobody can tell whether its end is missing too. Look for"
            + " both; where nothing else is missing, an empty file of that name lets the broker"
            + " start";
    return new MissingFilesException(said + DamagedLog.WAY_OUT, Map.of(), changes);
  }

  /** The missing segments, with the number of living bodies in each. */
  public Map<String, Long> segments() {
    return segments;
  }

  /** The changes that a start would otherwise make. */
  public List<StoreChange> changes() {
    return changes;
  }
}
