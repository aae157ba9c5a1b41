package io.peeklock.journal.segment;

import java.util.Locale;

/** One file of the log, as the shard's thread sees it. */
public final class Segment extends BodyFile {
  private static final String SUFFIX = ".log";
  private static final int DIGITS = 19;

  public final long number;
  public final long firstIndex;
  public final long firstBodyId;

  /** The living bodies named in it that have their own files. */
  public long larges;

  public Segment(long number, long firstIndex, long firstBodyId) {
    super(nameOf(firstIndex));
    this.number = number;
    this.firstIndex = firstIndex;
    this.firstBodyId = firstBodyId;
  }

  /** The file name of the segment that begins with this batch. */
  public static String nameOf(long firstIndex) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", firstIndex) + SUFFIX;
  }

  /** Whether a file name is that of a segment. */
  public static boolean isName(String file) {
    return file.length() == DIGITS + SUFFIX.length()
        && file.endsWith(SUFFIX)
        && file.chars().limit(DIGITS).allMatch(c -> c >= '0' && c <= '9');
  }

  /** The first index in a file's name. */
  public static long firstIndexIn(String file) {
    return Long.parseLong(file, 0, DIGITS, 10);
  }
}
