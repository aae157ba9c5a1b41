package io.peeklock.journal;

import java.util.Locale;

/** One file of the log, as the shard's thread knows it. */
final class Segment extends BodyFile {
  private static final String SUFFIX = ".log";
  private static final int DIGITS = 19;

  final long number;
  final long firstIndex;
  final long firstBodyId;

  /** Bodies named in it that live and have files of their own. */
  long larges;

  Segment(long number, long firstIndex, long firstBodyId) {
    super(nameOf(firstIndex));
    this.number = number;
    this.firstIndex = firstIndex;
    this.firstBodyId = firstBodyId;
  }

  static String nameOf(long firstIndex) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", firstIndex) + SUFFIX;
  }

  static boolean isName(String file) {
    return file.length() == DIGITS + SUFFIX.length()
        && file.endsWith(SUFFIX)
        && file.chars().limit(DIGITS).allMatch(c -> c >= '0' && c <= '9');
  }

  /** The first index that a file's name says. */
  static long firstIndexIn(String file) {
    return Long.parseLong(file, 0, DIGITS, 10);
  }
}
