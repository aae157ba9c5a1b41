package io.peeklock.cli;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Text that others wrote, as it may be printed. A terminal obeys control characters: what a broker
 * or a sender puts into a text could rename its window, type for its user, or hide a line.
 */
final class Printed {
  private static final int MOST_CHARACTERS = 2_000;

  /** Control characters, and those that turn the direction of what follows. */
  private static final Pattern CONTROLS =
      Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]");

  /** The same, but tabs and ends of lines. */
  private static final Pattern UNSAFE =
      Pattern.compile("[\\p{Cc}\\u202a-\\u202e\\u2066-\\u2069&&[^\\t\\n]]");

  private static final Pattern WINDOWS_LINE = Pattern.compile("\\r\\n");

  private Printed() {}

  /** One line for the error stream: without control characters, and not endless. */
  static String sentence(String text) {
    var begin = text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) + "…" : text;
    return cell(begin);
  }

  /** A part of a line: blanks in the place of control characters. */
  static String cell(String text) {
    return CONTROLS.matcher(text).replaceAll(" ");
  }

  /**
   * A body for the standard output: as it is where that goes to a file or a program, which the
   * launcher knows; on a terminal with control characters but tabs and ends of lines as escapes.
   */
  static String body(String text) {
    return Boolean.getBoolean("peeklock.terminal") ? harmless(text) : text;
  }

  /** A part of a line parted by tabs: tabs and ends of lines as in JSON, the rest as a body. */
  static String oneLine(String text) {
    return body(text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t"));
  }

  /** Control characters but tabs and ends of lines as escapes. */
  static String harmless(String text) {
    var lines = WINDOWS_LINE.matcher(text).replaceAll("\n");
    return UNSAFE.matcher(lines).replaceAll(found -> "\\\\" + escape(found.group().charAt(0)));
  }

  /** As JSON and Java write it, without the backslash. */
  private static String escape(char control) {
    return String.format(Locale.ROOT, "u%04x", (int) control);
  }
}
