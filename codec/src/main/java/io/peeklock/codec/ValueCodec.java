package io.peeklock.codec;

import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.ValueType;
import java.math.BigDecimal;

/**
 * Values that rules compare with: a fixed number for the type, independent of the order of an enum.
 */
final class ValueCodec {
  private static final int NULL = 1;
  private static final int BOOLEAN = 2;
  private static final int FLOAT = 11;
  private static final int DOUBLE = 12;
  private static final int DECIMAL = 13;
  private static final int TEXT = 14;
  private static final int TIMESTAMP = 15;
  private static final int DURATION = 16;
  private static final int GUID = 17;
  private static final int BINARY = 18;

  /** Longer ones would take long to compare. */
  private static final int MAX_DECIMAL_CHARS = 400;

  private ValueCodec() {}

  static void write(FilterValue value, FactWriter out) {
    out.oneByte(codeOf(value.type()));
    switch (value.type()) {
      case MISSING, NULL, OTHER -> {}
      case BOOLEAN -> out.flag(value.truth());
      case BYTE, SHORT, INT, LONG, UBYTE, USHORT, UINT, ULONG -> out.signed(value.whole());
      case FLOAT, DOUBLE -> out.words(new long[] {Double.doubleToLongBits(value.asDouble())});
      case DECIMAL -> out.text(value.asDecimal().toString());
      case TEXT -> out.text(value.text());
      case TIMESTAMP, DURATION -> out.signed(value.ticks());
      case GUID ->
          out.words(new long[] {value.mostSignificantBits(), value.leastSignificantBits()});
      case BINARY -> out.bytes(value.toBytes());
    }
  }

  static FilterValue read(FactReader in) throws UnreadableFact {
    var code = in.oneByte();
    var into = new FilterValue();
    return switch (code) {
      case NULL -> into.setNull();
      case BOOLEAN -> into.setBoolean(in.flag());
      case FLOAT -> into.setFloat((float) Double.longBitsToDouble(in.words(1)[0]));
      case DOUBLE -> into.setDouble(Double.longBitsToDouble(in.words(1)[0]));
      case DECIMAL -> into.setDecimal(decimal(in.text()));
      case TEXT -> into.setText(in.text());
      case TIMESTAMP -> into.setTimestampTicks(in.signed());
      case DURATION -> into.setDurationTicks(in.signed());
      case GUID -> {
        var bits = in.words(2);
        yield into.setGuid(bits[0], bits[1]);
      }
      case BINARY -> {
        var bytes = in.bytes();
        yield into.setBinary(bytes, 0, bytes.length);
      }
      default -> into.setWhole(widthOf(code), in.signed());
    };
  }

  private static BigDecimal decimal(String text) throws UnreadableFact {
    if (text.length() > MAX_DECIMAL_CHARS) {
      throw new UnreadableFact("a decimal is too long");
    }
    return new BigDecimal(text);
  }

  private static int codeOf(ValueType type) {
    return switch (type) {
      case MISSING, OTHER -> throw new IllegalArgumentException("no rule holds a " + type);
      case NULL -> NULL;
      case BOOLEAN -> BOOLEAN;
      case BYTE -> 3;
      case SHORT -> 4;
      case INT -> 5;
      case LONG -> 6;
      case UBYTE -> 7;
      case USHORT -> 8;
      case UINT -> 9;
      case ULONG -> 10;
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
      case DECIMAL -> DECIMAL;
      case TEXT -> TEXT;
      case TIMESTAMP -> TIMESTAMP;
      case DURATION -> DURATION;
      case GUID -> GUID;
      case BINARY -> BINARY;
    };
  }

  private static ValueType widthOf(int code) throws UnreadableFact {
    return switch (code) {
      case 3 -> ValueType.BYTE;
      case 4 -> ValueType.SHORT;
      case 5 -> ValueType.INT;
      case 6 -> ValueType.LONG;
      case 7 -> ValueType.UBYTE;
      case 8 -> ValueType.USHORT;
      case 9 -> ValueType.UINT;
      case 10 -> ValueType.ULONG;
      default -> throw new UnreadableFact("a value of type " + code + " is not known");
    };
  }
}
