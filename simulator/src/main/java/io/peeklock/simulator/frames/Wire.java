package io.peeklock.simulator.frames;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * AMQP types that Java has no class for. Other values are those that one expects: {@link Boolean},
 * {@link Integer}, {@link Long}, {@link String}, {@code byte[]}, {@link java.util.UUID}, {@link
 * List}, {@link Map}.
 */
final class Wire {
  private Wire() {}

  record Ubyte(int value) {}

  record Ushort(int value) {}

  record Uint(long value) {}

  record Ulong(long value) {}

  record Symbol(String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  record Timestamp(long millis) {}

  /** All of one type, which is not that of a list. */
  record Array(List<?> items) {}

  record Described(@Nullable Object descriptor, @Nullable Object value) {
    /** The number of the descriptor; -1 where it is a symbol. */
    long code() {
      return descriptor instanceof Ulong number ? number.value() : -1;
    }

    /** A field of a described list; null behind its end. */
    @Nullable Object field(int i) {
      return value instanceof List<?> fields && i < fields.size() ? fields.get(i) : null;
    }
  }

  static Described composite(long code, @Nullable Object... fields) {
    return new Described(new Ulong(code), Arrays.asList(fields));
  }

  /** A whole number of any type. */
  static long number(@Nullable Object value) {
    return switch (value) {
      case Ubyte it -> it.value();
      case Ushort it -> it.value();
      case Uint it -> it.value();
      case Ulong it -> it.value();
      case Timestamp it -> it.millis();
      case Number it -> it.longValue();
      case null -> throw new IllegalArgumentException("there is no number");
      default -> throw new IllegalArgumentException("no number: " + value);
    };
  }

  /** The same, where there may be none. */
  static long number(@Nullable Object value, long otherwise) {
    return value == null ? otherwise : number(value);
  }

  /** The value of a key in a map, be the key a string or a symbol. */
  static @Nullable Object entry(@Nullable Object map, String key) {
    if (map instanceof Map<?, ?> entries) {
      for (var entry : entries.entrySet()) {
        if (key.equals(String.valueOf(entry.getKey()))) {
          return entry.getValue();
        }
      }
    }
    return null;
  }
}
