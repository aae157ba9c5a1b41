package io.peeklock.http.admin.atom;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;

/** Points in time as the API writes them: UTC, with a fraction of seven digits. */
public final class Instants {
  /** What stands for "never". */
  public static final String NEVER = "0001-01-01T00:00:00Z";

  private static final DateTimeFormatter LONG =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .optionalStart()
          .appendOffsetId()
          .optionalEnd()
          .parseDefaulting(ChronoField.OFFSET_SECONDS, 0)
          .toFormatter(Locale.ROOT);
  private static final long TICKS_PER_MILLI = 10_000;
  private static final long TICKS_BEFORE_1970 =
      -LocalDateTime.of(1, 1, 1, 0, 0).toEpochSecond(ZoneOffset.UTC) * 1_000 * TICKS_PER_MILLI;

  private Instants() {}

  /** Such as {@code 2026-01-01T00:00:00.0000000Z}. */
  public static String text(long millis) {
    return LONG.format(Instant.ofEpochMilli(millis));
  }

  /**
   * UTC milliseconds of what a client wrote; without a zone it is UTC.
   *
   * @throws Problem when it is no point in time
   */
  public static long millis(String given) {
    try {
      return ISO.parse(given, Instant::from).toEpochMilli();
    } catch (DateTimeException | ArithmeticException wrong) {
      throw Problem.bad("'" + cut(given) + "' is no point in time");
    }
  }

  private static String cut(String given) {
    return given.length() > 100 ? given.substring(0, 100) + "…" : given;
  }

  /** Units of 100 ns since the year 1, as the vendor's entity tags have them. */
  public static String ticks(long millis) {
    return Long.toString(millis * TICKS_PER_MILLI + TICKS_BEFORE_1970);
  }
}
