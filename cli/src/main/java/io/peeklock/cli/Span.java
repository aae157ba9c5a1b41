package io.peeklock.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as people type them: {@code 500ms}, {@code 5s}, {@code 10m}, {@code PT1H}. */
final class Span implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    var lower = text.strip().toLowerCase(Locale.ROOT);
    try {
      var span = lower.endsWith("ms") ? millis(lower) : iso(lower);
      if (!span.isNegative()) {
        return span;
      }
    } catch (DateTimeException | NumberFormatException | ArithmeticException notOne) {
      throw wrong(text);
    }
    throw wrong(text);
  }

  private static Duration millis(String text) {
    return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
  }

  private static Duration iso(String text) {
    if (text.startsWith("p")) {
      return Duration.parse(text);
    }
    return Duration.parse(text.endsWith("d") ? "p" + text : "pt" + text);
  }

  private static TypeConversionException wrong(String text) {
    return new TypeConversionException("\"" + text + "\" is not a duration like 500ms, 5s or PT1H");
  }
}
