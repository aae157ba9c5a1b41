package io.peeklock.amqp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Messages of every form that the encoding allows, most of which a broker may take: each section or
 * none, keys and values of any type, described and nested, in the short and the long encodings.
 */
final class AnyMessage {
  private static final int[] FIXED = {
    0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x60, 0x61, 0x70,
    0x71, 0x72, 0x73, 0x80, 0x81, 0x82, 0x83, 0x84, 0x94, 0x98
  };
  private static final int DEEPEST = 3;
  private static final String[] KEYS = {"k", "k2", "x-opt-partition-key", "DeadLetterReason", "x"};
  private static final int[] TEXT_FIELDS = {2, 3, 4, 6, 7, 10, 11, 12};

  private final Random random;

  AnyMessage(Random random) {
    this.random = random;
  }

  byte[] bytes() {
    return bytes(new byte[0]);
  }

  /**
   * One with another message annotation.
   *
   * @param annotation its key and value, or nothing
   */
  byte[] bytes(byte[] annotation) {
    var out = new ByteArrayOutputStream();
    if (some(3)) {
      section(out, 0x70, header());
    }
    if (some(4)) {
      section(out, 0x71, map(some(2)));
    }
    if (some(2) || annotation.length > 0) {
      section(out, 0x72, map(some(2), annotation));
    }
    if (!some(4)) {
      section(out, 0x73, properties());
    }
    if (some(2)) {
      section(out, 0x74, map(!some(8)));
    }
    body(out);
    if (some(6)) {
      section(out, 0x78, map(false));
    }
    return out.toByteArray();
  }

  private boolean some(int of) {
    return random.nextInt(of) == 0;
  }

  private void section(ByteArrayOutputStream out, int code, byte[] value) {
    out.writeBytes(new byte[] {0, 0x53, (byte) code});
    out.writeBytes(value);
  }

  private void body(ByteArrayOutputStream out) {
    switch (random.nextInt(4)) {
      case 0 -> section(out, 0x77, value(0));
      case 1 -> {
        for (var i = sections(); i > 0; i--) {
          section(out, 0x76, compound(0xc0, 2, join(value(1), value(1))));
        }
      }
      default -> {
        for (var i = sections(); i > 0; i--) {
          section(out, 0x75, wide(0xa0, "x".repeat(i - 1).getBytes(StandardCharsets.US_ASCII)));
        }
      }
    }
  }

  /** Often one; a message may have no body at all. */
  private int sections() {
    return some(3) ? random.nextInt(4) : 1;
  }

  private byte[] header() {
    var priority = new byte[] {0x50, (byte) random.nextInt(10)};
    var ttl = new byte[] {0x52, (byte) random.nextInt(256)};
    var truth = some(2) ? new byte[] {0x56, 1} : new byte[] {0x42};
    var none = new byte[] {0x40};
    return compound(0xc0, 4, join(truth, some(2) ? priority : none, some(2) ? ttl : none, truth));
  }

  private byte[] properties() {
    var count = random.nextInt(14);
    var fields = new ByteArrayOutputStream();
    for (var field = 0; field < count; field++) {
      fields.writeBytes(some(2) ? new byte[] {0x40} : property(field));
    }
    return compound(0xc0, count, fields.toByteArray());
  }

  private byte[] property(int field) {
    if (field == 0 || field == 5) {
      return some(3) ? value(DEEPEST) : some(3) ? described(value(1)) : text();
    }
    for (var textField : TEXT_FIELDS) {
      if (field == textField && field != 11) {
        return some(40) ? value(1) : text();
      }
    }
    return switch (field) {
      case 1 -> wide(0xa0, new byte[] {1});
      case 11 -> new byte[] {0x43};
      default ->
          ByteBuffer.allocate(9).put((byte) 0x83).putLong(1_000_000L * random.nextInt(9)).array();
    };
  }

  private byte[] map(boolean textKeys) {
    return map(textKeys, new byte[0]);
  }

  private byte[] map(boolean textKeys, byte[] another) {
    var pairs = random.nextInt(4);
    var entries = new ByteArrayOutputStream();
    for (var pair = 0; pair < pairs; pair++) {
      entries.writeBytes(textKeys || some(2) ? text() : value(1));
      entries.writeBytes(value(0));
    }
    entries.writeBytes(another);
    return compound(0xc1, 2 * pairs + (another.length == 0 ? 0 : 2), entries.toByteArray());
  }

  private byte[] value(int depth) {
    if (depth < DEEPEST && some(3)) {
      return switch (random.nextInt(4)) {
        case 0 -> described(value(depth + 1));
        case 1 -> compound(0xc0, 2, join(value(depth + 1), value(depth + 1)));
        case 2 -> compound(0xc1, 2, join(value(depth + 1), value(depth + 1)));
        default -> array();
      };
    }
    return some(3) ? text() : fixed(FIXED[random.nextInt(FIXED.length)]);
  }

  private byte[] described(byte[] value) {
    var number = new byte[] {0, 0x53, (byte) random.nextInt(0x80)};
    var name =
        join(
            new byte[] {0},
            wide(0xa3, "com.microsoft:timespan".getBytes(StandardCharsets.US_ASCII)));
    return join(some(2) ? number : name, value);
  }

  private byte[] array() {
    var constructor = FIXED[random.nextInt(FIXED.length)];
    var content = fixed(constructor);
    return compound(0xe0, 1, content);
  }

  private byte[] fixed(int code) {
    var width =
        switch (code & 0xf0) {
          case 0x50 -> 1;
          case 0x60 -> 2;
          case 0x70 -> 4;
          case 0x80 -> 8;
          case 0x90 -> 16;
          default -> 0;
        };
    var bytes = new byte[1 + width];
    random.nextBytes(bytes);
    bytes[0] = (byte) code;
    return bytes;
  }

  private byte[] text() {
    var kind = some(3) ? 0xa3 : 0xa1;
    return wide(kind, KEYS[random.nextInt(KEYS.length)].getBytes(StandardCharsets.US_ASCII));
  }

  /** A text or binary; its long encoding has the same lower half. */
  private byte[] wide(int shortCode, byte[] content) {
    return some(3)
        ? join(sized(shortCode + 0x10, content.length), content)
        : join(new byte[] {(byte) shortCode, (byte) content.length}, content);
  }

  private byte[] compound(int shortCode, int count, byte[] content) {
    if (some(4) || content.length > 250) {
      var counted = ByteBuffer.allocate(4).putInt(count).array();
      return join(sized(shortCode + 0x10, content.length + 4), counted, content);
    }
    return join(new byte[] {(byte) shortCode, (byte) (content.length + 1), (byte) count}, content);
  }

  private static byte[] sized(int code, int size) {
    return ByteBuffer.allocate(5).put((byte) code).putInt(size).array();
  }

  private static byte[] join(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (var part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
