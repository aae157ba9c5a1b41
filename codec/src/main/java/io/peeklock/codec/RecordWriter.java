package io.peeklock.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes the fields of records into a buffer. */
final class RecordWriter extends FactWriter {
  private final ByteBuffer out;

  RecordWriter(ByteBuffer out) {
    this.out = out;
  }

  @Override
  void oneByte(int value) {
    out.put((byte) value);
  }

  @Override
  void unsigned(long value) {
    var rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  @Override
  void text(String value) {
    bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  void bytes(byte[] value) {
    natural(value.length);
    out.put(value);
  }

  @Override
  void words(long[] values) {
    for (var value : values) {
      out.putLong(value);
    }
  }
}
