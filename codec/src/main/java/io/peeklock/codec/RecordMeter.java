package io.peeklock.codec;

/** Counts the bytes that the fields of records take, and writes none. */
final class RecordMeter extends FactWriter {
  private static final int BITS_PER_BYTE = 7;

  private long bytes;

  long bytes() {
    return bytes;
  }

  @Override
  void oneByte(int value) {
    bytes++;
  }

  @Override
  void unsigned(long value) {
    var bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
    bytes += (bits + BITS_PER_BYTE - 1) / BITS_PER_BYTE;
  }

  @Override
  void text(String value) {
    var length = utf8Length(value);
    unsigned(length);
    bytes += length;
  }

  @Override
  void bytes(byte[] value) {
    natural(value.length);
    bytes += value.length;
  }

  @Override
  void words(long[] values) {
    bytes += (long) Long.BYTES * values.length;
  }

  private static long utf8Length(String text) {
    var length = 0L;
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c < 0x80) {
        length++;
      } else if (c < 0x800) {
        length += 2;
      } else if (!Character.isSurrogate(c)) {
        length += 3;
      } else if (i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1))) {
        length += 4;
        i++;
      } else {
        length++; // half of a surrogate pair is written as a question mark
      }
    }
    return length;
  }
}
