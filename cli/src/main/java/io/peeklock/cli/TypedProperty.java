package io.peeklock.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A property as people write it: {@code NAME=TEXT}, {@code NAME:=VALUE} for a number, a truth or
 * null as JSON has them, or {@code NAME:TYPE=VALUE} for a type of AMQP.
 */
record TypedProperty(String name, @Nullable Object value) {
  private static final List<String> TYPES =
      List.of(
          "string",
          "boolean",
          "byte",
          "short",
          "int",
          "long",
          "ubyte",
          "ushort",
          "uint",
          "ulong",
          "float",
          "double",
          "char",
          "timestamp",
          "uuid",
          "symbol",
          "binary");

  /**
   * Reads one.
   *
   * @param left what stands before the first sign of equality
   * @throws CliFailure when it has no name, or the value is none of its type
   */
  static TypedProperty of(String left, String text) {
    var colon = left.lastIndexOf(':');
    var type = left.substring(colon + 1);
    if (colon < 0 || !(type.isEmpty() || isType(type))) {
      return named(left, text);
    }
    var name = left.substring(0, colon);
    return named(name, type.isEmpty() ? guessed(name, text) : new TypedValue(text, type).value());
  }

  private static TypedProperty named(String name, @Nullable Object value) {
    if (name.isEmpty()) {
      throw CliFailure.usage("a property has a name: --property NAME=VALUE");
    }
    return new TypedProperty(name, value);
  }

  /** A name may have a colon in it, but not before what is nearly a type. */
  private static boolean isType(String word) {
    if (TYPES.contains(word)) {
      return true;
    }
    var hint = Nearest.hint(word, TYPES);
    if (!hint.isEmpty()) {
      throw CliFailure.usage("there is no type " + word + hint);
    }
    return false;
  }

  private static @Nullable Object guessed(String name, String text) {
    try {
      var read = JsonReader.object("{\"v\":" + text + "}");
      if (read.size() == 1 && !(read.get("v") instanceof String)) {
        return new TypedValue(read.get("v"), null).value();
      }
    } catch (IllegalArgumentException | CliFailure none) {
      throw wrong(name, text);
    }
    throw wrong(name, text);
  }

  private static CliFailure wrong(String name, String text) {
    return CliFailure.usage(
        "--property "
            + name
            + ":="
            + text
            + " is no number, true, false or null; a text is written "
            + name
            + "="
            + text);
  }
}
