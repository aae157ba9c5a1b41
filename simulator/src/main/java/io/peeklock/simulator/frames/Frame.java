package io.peeklock.simulator.frames;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A frame that the broker sent. */
record Frame(int channel, Wire.Described performative, byte[] payload) {
  static final int OPEN = 0x10;
  static final int BEGIN = 0x11;
  static final int ATTACH = 0x12;
  static final int FLOW = 0x13;
  static final int TRANSFER = 0x14;
  static final int DISPOSITION = 0x15;
  static final int DETACH = 0x16;
  static final int END = 0x17;
  static final int CLOSE = 0x18;
  static final int ERROR = 0x1d;
  static final int SASL_MECHANISMS = 0x40;
  static final int SASL_INIT = 0x41;
  static final int SASL_OUTCOME = 0x44;

  /** The frame in these bytes, which are those behind the size; null for an empty one. */
  static @Nullable Frame parse(ByteBuffer bytes) {
    var header = bytes.getInt(); // data offset, type, channel
    if ((header >>> 24) != 2) {
      throw new IllegalArgumentException("a frame has its data elsewhere: " + (header >>> 24));
    }
    if (!bytes.hasRemaining()) {
      return null;
    }
    var reader = new WireReader(bytes);
    var performative = (Wire.Described) java.util.Objects.requireNonNull(reader.value());
    return new Frame(header & 0xffff, performative, reader.rest());
  }

  int code() {
    return (int) performative.code();
  }

  @Nullable Object field(int i) {
    return performative.field(i);
  }

  long number(int i) {
    return Wire.number(field(i));
  }

  boolean truth(int i) {
    return Boolean.TRUE.equals(field(i));
  }
}
