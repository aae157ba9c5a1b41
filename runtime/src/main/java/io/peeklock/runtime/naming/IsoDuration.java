package io.peeklock.runtime.naming;

import io.peeklock.kernel.entity.QueueDefinition;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Period;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** ISO-8601 durations as Service Bus writes them, with years and months as 365 and 30 days. */
public final class IsoDuration {
  /** The vendor's "for ever": the longest time span of .NET. */
  private static final long FOREVER_DAYS = 10_675_199;

  private static final long DAY_MILLIS = 86_400_000;
  private static final String FOREVER = "P10675199DT2H48M5.4775807S";

  private IsoDuration() {}

  /**
   * Reads a duration.
   *
   * @return milliseconds from 0, {@link QueueDefinition#FOREVER} for the longest
   * @throws IllegalArgumentException when the text is no duration
   */
  public static long millis(String text) {
    var upper = text.toUpperCase(Locale.ROOT);
    try {
      var time = upper.indexOf('T');
      var days = daysOf(time < 0 ? upper : upper.substring(0, time));
      if (days >= FOREVER_DAYS) {
        return QueueDefinition.FOREVER;
      }
      var rest = time < 0 ? Duration.ZERO : Duration.parse("P" + upper.substring(time));
      var millis = Duration.ofDays(days).plus(rest).toMillis();
      if (millis >= 0) {
        return millis;
      }
    } catch (DateTimeException | ArithmeticException notOne) {
      throw wrong(text, notOne);
    }
    throw wrong(text, null);
  }

  /**
   * Writes a duration in days, hours, minutes and seconds only, which every client reads.
   *
   * @param millis from 0, {@link QueueDefinition#FOREVER} for the longest
   */
  public static String text(long millis) {
    if (millis == QueueDefinition.FOREVER) {
      return FOREVER;
    }
    var days = millis / DAY_MILLIS;
    var rest = Duration.ofMillis(millis % DAY_MILLIS);
    if (days == 0) {
      return rest.toString();
    }
    return "P" + days + "D" + (rest.isZero() ? "" : rest.toString().substring(1));
  }

  private static long daysOf(String date) {
    if (date.equals("P")) {
      return 0;
    }
    var period = Period.parse(date);
    return period.getYears() * 365L + period.getMonths() * 30L + period.getDays();
  }

  private static IllegalArgumentException wrong(String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "\"" + text + "\" is not an ISO-8601 duration such as PT30S or P1DT12H", cause);
  }
}
