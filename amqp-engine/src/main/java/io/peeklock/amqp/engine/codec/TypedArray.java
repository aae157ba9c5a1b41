package io.peeklock.amqp.engine.codec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/**
 * An {@code array}: elements of one type, written with one constructor. Always different from a
 * list on the wire, which clients check ({@code amqp.md} 0.1 rule 18).
 *
 * @param elementCode the constructor of the elements, one of {@link FormatCode}, in its widest form
 *     when made by the factories here (0x81 for long, 0x83 for timestamp, 0x98 for uuid, 0xa3 for
 *     symbol, 0xa1 for string)
 * @param elements the elements, in the Java types of {@link AmqpValues}
 */
public record TypedArray(int elementCode, List<Object> elements) {
  public TypedArray {
    elements = Collections.unmodifiableList(new ArrayList<>(elements));
  }

  /** An array of {@code long}. */
  public static TypedArray ofLongs(long... values) {
    var elements = new ArrayList<>(values.length);
    for (long value : values) {
      elements.add(value);
    }
    return new TypedArray(FormatCode.LONG, elements);
  }

  /** An array of {@code timestamp}, from milliseconds since the epoch. */
  public static TypedArray ofTimestamps(long... epochMillis) {
    var elements = new ArrayList<>(epochMillis.length);
    for (long millis : epochMillis) {
      elements.add(new Timestamp(millis));
    }
    return new TypedArray(FormatCode.TIMESTAMP, elements);
  }

  /** An array of {@code uuid}. */
  public static TypedArray ofUuids(List<UUID> values) {
    return new TypedArray(FormatCode.UUID, new ArrayList<>(values));
  }

  /** An array of {@code symbol}. */
  public static TypedArray ofSymbols(List<String> values) {
    var elements = new ArrayList<>(values.size());
    for (String value : values) {
      elements.add(new Symbol(value));
    }
    return new TypedArray(FormatCode.SYM8, elements);
  }

  /** An array of {@code string}. */
  public static TypedArray ofStrings(List<String> values) {
    return new TypedArray(FormatCode.STR32, new ArrayList<>(values));
  }
}
