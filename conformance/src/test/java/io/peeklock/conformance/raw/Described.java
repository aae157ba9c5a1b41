package io.peeklock.conformance.raw;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A described value; performatives and sections are such. */
public record Described(Object descriptor, @Nullable Object value) {

  /** A list under a numeric descriptor, as performatives are. */
  public static Described list(long code, @Nullable Object... fields) {
    return new Described(new Unsigned(8, code), new ArrayList<>(Arrays.asList(fields)));
  }

  /** A section or filter under a numeric descriptor. */
  public static Described of(long code, @Nullable Object value) {
    return new Described(new Unsigned(8, code), value);
  }

  /** The numeric descriptor, or -1. */
  public long code() {
    return descriptor instanceof Unsigned number ? number.value() : -1;
  }

  /** A field of the list inside; null beyond its end. */
  public @Nullable Object field(int index) {
    return value instanceof List<?> fields && index < fields.size() ? fields.get(index) : null;
  }

  /** A numeric field, or the other value when it is absent. */
  public long number(int index, long otherwise) {
    var field = field(index);
    if (field instanceof Unsigned number) {
      return number.value();
    }
    return field instanceof Number number ? number.longValue() : otherwise;
  }

  /** A truth field; absent is false. */
  public boolean truth(int index) {
    return Boolean.TRUE.equals(field(index));
  }

  /** The map inside; empty when there is none. */
  public Map<?, ?> map() {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }
}
