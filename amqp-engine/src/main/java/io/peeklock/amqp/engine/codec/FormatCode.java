package io.peeklock.amqp.engine.codec;

import java.util.Arrays;

/** The constructors of AMQP 1.0's primitive types (core specification 1.6). */
public final class FormatCode {
  public static final int DESCRIBED = 0x00;
  public static final int NULL = 0x40;
  public static final int BOOLEAN_TRUE = 0x41;
  public static final int BOOLEAN_FALSE = 0x42;
  public static final int UINT0 = 0x43;
  public static final int ULONG0 = 0x44;
  public static final int LIST0 = 0x45;
  public static final int UBYTE = 0x50;
  public static final int BYTE = 0x51;
  public static final int SMALL_UINT = 0x52;
  public static final int SMALL_ULONG = 0x53;
  public static final int SMALL_INT = 0x54;
  public static final int SMALL_LONG = 0x55;
  public static final int BOOLEAN = 0x56;
  public static final int USHORT = 0x60;
  public static final int SHORT = 0x61;
  public static final int UINT = 0x70;
  public static final int INT = 0x71;
  public static final int FLOAT = 0x72;
  public static final int CHAR = 0x73;
  public static final int DECIMAL32 = 0x74;
  public static final int ULONG = 0x80;
  public static final int LONG = 0x81;
  public static final int DOUBLE = 0x82;
  public static final int TIMESTAMP = 0x83;
  public static final int DECIMAL64 = 0x84;
  public static final int DECIMAL128 = 0x94;
  public static final int UUID = 0x98;
  public static final int BIN8 = 0xa0;
  public static final int STR8 = 0xa1;
  public static final int SYM8 = 0xa3;
  public static final int BIN32 = 0xb0;
  public static final int STR32 = 0xb1;
  public static final int SYM32 = 0xb3;
  public static final int LIST8 = 0xc0;
  public static final int MAP8 = 0xc1;
  public static final int LIST32 = 0xd0;
  public static final int MAP32 = 0xd1;
  public static final int ARRAY8 = 0xe0;
  public static final int ARRAY32 = 0xf0;

  /** In {@link #widthOf}: no such constructor. */
  static final int UNKNOWN_WIDTH = -1;

  /** In {@link #widthOf}: a one-byte size is next. */
  static final int SIZE8 = 17;

  /** In {@link #widthOf}: a four-byte size is next. */
  static final int SIZE32 = 18;

  private static final byte[] WIDTHS = widths();

  private FormatCode() {}

  /** How many bytes follow a constructor: 0 to 16, {@link #SIZE8}, {@link #SIZE32}, or unknown. */
  static int widthOf(int code) {
    return WIDTHS[code];
  }

  /** Whether this is the constructor of a list or a map, empty lists aside. */
  static boolean isListOrMap(int code) {
    return code >= LIST8 && code <= MAP32;
  }

  /** Whether a value is a string or a symbol; clients send either for a name. */
  public static boolean isText(int code) {
    return code == SYM8 || code == STR8 || code == SYM32 || code == STR32;
  }

  static boolean isMap(int code) {
    return code == MAP8 || code == MAP32;
  }

  static boolean isArray(int code) {
    return code == ARRAY8 || code == ARRAY32;
  }

  private static byte[] widths() {
    var widths = new byte[256];
    Arrays.fill(widths, (byte) UNKNOWN_WIDTH);
    set(widths, 0, NULL, BOOLEAN_TRUE, BOOLEAN_FALSE, UINT0, ULONG0, LIST0);
    set(widths, 1, UBYTE, BYTE, SMALL_UINT, SMALL_ULONG, SMALL_INT, SMALL_LONG, BOOLEAN);
    set(widths, 2, USHORT, SHORT);
    set(widths, 4, UINT, INT, FLOAT, CHAR, DECIMAL32);
    set(widths, 8, ULONG, LONG, DOUBLE, TIMESTAMP, DECIMAL64);
    set(widths, 16, DECIMAL128, UUID);
    set(widths, SIZE8, BIN8, STR8, SYM8, LIST8, MAP8, ARRAY8);
    set(widths, SIZE32, BIN32, STR32, SYM32, LIST32, MAP32, ARRAY32);
    return widths;
  }

  private static void set(byte[] widths, int width, int... codes) {
    for (int code : codes) {
      widths[code] = (byte) width;
    }
  }
}
