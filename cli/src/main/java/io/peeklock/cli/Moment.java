package io.peeklock.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads points in time: {@code 2027-01-31T08:00:00Z}, with an offset such as {@code +01:00}, or
 * with neither, which is the time of this machine's zone.
 */
final class Moment implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException withoutOffset) {
      return local(text);
    }
  }

  private static Instant local(String text) {
    try {
      return LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant();
    } catch (DateTimeException none) {
      throw new TypeConversionException("\"" + text + "\" is not a time like 2027-01-31T08:00:00Z");
    }
  }
}
