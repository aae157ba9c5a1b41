package io.peeklock.journal.segment;

import java.util.Locale;

/** A file of bodies that were moved out of mostly dead files, as the shard's thread sees it. */
public final class ColdSegment extends BodyFile {
  /** The slot of a file that recovery found and no checkpoint names. */
  public static final int NO_SLOT = -1;

  private static final String SUFFIX = ".cold";
  private static final String FRESH_SUFFIX = ".cold.new";
  private static final int DIGITS = 19;

  public final long number;
  public final long salt;

  /** The slot by which locations name it while it exists. */
  public final int slot;

  /** The lowest id of its bodies. */
  public long firstBodyId = Long.MAX_VALUE;

  /** The highest id of its bodies. */
  public long lastBodyId;

  public ColdSegment(long number, long salt, int slot) {
    super(nameOf(number));
    this.number = number;
    this.salt = salt;
    this.slot = slot;
  }

  /** Adds a living body. */
  public void gained(long bodyId, long location) {
    gained(location);
    firstBodyId = Math.min(firstBodyId, bodyId);
    lastBodyId = Math.max(lastBodyId, bodyId);
  }

  /** The file name of a cold segment. */
  public static String nameOf(long number) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", number) + SUFFIX;
  }

  /** While it is written. */
  public static String freshNameOf(long number) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", number) + FRESH_SUFFIX;
  }

  /** Whether a file name is that of a complete cold segment. */
  public static boolean isName(String file) {
    return file.length() == DIGITS + SUFFIX.length()
        && file.endsWith(SUFFIX)
        && file.chars().limit(DIGITS).allMatch(c -> c >= '0' && c <= '9');
  }

  /** Whether a file name is that of a cold segment that was being written. */
  public static boolean isFreshName(String file) {
    return file.endsWith(FRESH_SUFFIX);
  }

  /** The number in a file's name. */
  public static long numberIn(String file) {
    return Long.parseLong(file, 0, DIGITS, 10);
  }
}
