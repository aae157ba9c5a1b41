package io.peeklock.http.messages;

import io.peeklock.kernel.entity.QueueDefinition;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Times and spans of time as this API writes them. */
final class HttpTimes {
  private static final DateTimeFormatter OUT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** The longest span that .NET knows, in seconds: "for ever". */
  private static final String FOREVER = "922337203685.47754";

  private static final double FOREVER_SECONDS = 922_337_203_685.0;
  private static final Pattern SPAN =
      Pattern.compile("(?:([0-9]{1,8})\\.)?([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\\.([0-9]{1,7}))?");
  private static final long DAY_MILLIS = 86_400_000;

  private HttpTimes() {}

  /** A time of RFC 1123, in whole seconds. */
  static String rfc1123(long millis) {
    return OUT.format(Instant.ofEpochMilli(millis));
  }

  /** Reads a time of RFC 1123. */
  static Optional<Instant> rfc1123(String text) {
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
    } catch (DateTimeException none) {
      return Optional.empty();
    }
  }

  /** Reads a time of RFC 1123 or ISO-8601; without a zone it is UTC. In milliseconds, from 0. */
  static long millis(String text, String what) throws BadRequest {
    var found = rfc1123(text).or(() -> iso(text));
    if (found.isPresent()) {
      var seconds = found.get().getEpochSecond();
      if (seconds >= 0 && seconds < Long.MAX_VALUE / 1_000) {
        return found.get().toEpochMilli();
      }
    }
    throw new BadRequest("'" + what + "' is no time of RFC 1123");
  }

  private static Optional<Instant> iso(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException withoutZone) {
      try {
        return Optional.of(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
      } catch (DateTimeException none) {
        return Optional.empty();
      }
    }
  }

  /** A time to live in seconds, as a JSON number. */
  static String seconds(long millis) {
    return millis == QueueDefinition.FOREVER
        ? FOREVER
        : BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
  }

  /** Reads a time to live in seconds. */
  static long ttlMillis(double seconds, String what) throws BadRequest {
    if (!(seconds > 0)) {
      throw new BadRequest("'" + what + "' must be more than 0 seconds");
    }
    return seconds >= FOREVER_SECONDS
        ? QueueDefinition.FOREVER
        : Math.max(1, Math.round(seconds * 1_000));
  }

  /** Reads a span as .NET writes it, {@code d.hh:mm:ss}. */
  static long spanMillis(String text, String what) throws BadRequest {
    var found = SPAN.matcher(text);
    if (!found.matches()) {
      throw new BadRequest("'" + what + "' is no time span such as 0.00:00:40");
    }
    var days = found.group(1) == null ? 0 : Long.parseLong(found.group(1));
    var seconds =
        Long.parseLong(found.group(2)) * 3_600
            + Long.parseLong(found.group(3)) * 60
            + Long.parseLong(found.group(4));
    var fraction = found.group(5) == null ? 0.0 : Double.parseDouble("0." + found.group(5));
    return ttlMillis(days * (DAY_MILLIS / 1_000.0) + seconds + fraction, what);
  }
}
