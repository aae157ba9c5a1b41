package io.peeklock.amqp.direct;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;

/**
 * What is in the body of a stored message, as its bytes pass by in pieces: the bytes of data
 * sections one behind the other, those of a text or binary value, and what is of another type as it
 * is encoded. A footer is left out. Stored sections are canonical: their descriptor has three
 * bytes.
 */
final class BodyContent {
  private static final int DESCRIPTOR_BYTES = 3;

  private final byte[] head = new byte[DESCRIPTOR_BYTES + 5];
  private int headBytes;
  private long left;
  private boolean dropping;
  private boolean untilTheEnd;

  /**
   * Takes bytes and passes on what is content.
   *
   * @throws AmqpDecodeException when they are no body
   */
  void take(ByteBuf in, int offset, int length, ByteBuf out) {
    var at = offset;
    var end = offset + length;
    while (at < end) {
      if (left > 0 || untilTheEnd) {
        var count = untilTheEnd ? end - at : (int) Math.min(left, end - at);
        if (!dropping) {
          out.writeBytes(in, at, count);
        }
        left = Math.max(0, left - count);
        at += count;
      } else {
        head[headBytes++] = in.getByte(at++);
        if (isComplete()) {
          begin(out);
          headBytes = 0;
        }
      }
    }
  }

  private static int sizeBytes(int code) {
    return switch (code & 0xf0) {
      case 0xa0, 0xc0, 0xe0 -> 1;
      case 0xb0, 0xd0, 0xf0 -> 4;
      default -> 0;
    };
  }

  private boolean isComplete() {
    return headBytes > DESCRIPTOR_BYTES
        && headBytes == DESCRIPTOR_BYTES + 1 + sizeBytes(head[DESCRIPTOR_BYTES] & 0xff);
  }

  private void begin(ByteBuf out) {
    if (head[0] != 0 || head[1] != (byte) FormatCode.SMALL_ULONG) {
      throw new AmqpDecodeException("a stored body has a section that is none");
    }
    var section = head[2] & 0xff;
    var code = head[DESCRIPTOR_BYTES] & 0xff;
    dropping = section == Descriptor.FOOTER || code == FormatCode.NULL;
    untilTheEnd = code == FormatCode.DESCRIBED; // of any depth, and only a footer could follow
    left = sizeOf(code);
    if (!dropping && !isPlain(section, code)) {
      out.writeBytes(head, DESCRIPTOR_BYTES, headBytes - DESCRIPTOR_BYTES);
    }
  }

  private static boolean isPlain(int section, int code) {
    return section == Descriptor.DATA
        || (section == Descriptor.AMQP_VALUE
            && (code == FormatCode.STR8
                || code == FormatCode.STR32
                || code == FormatCode.BIN8
                || code == FormatCode.BIN32));
  }

  private long sizeOf(int code) {
    return switch (code & 0xf0) {
      case 0x50 -> 1;
      case 0x60 -> 2;
      case 0x70 -> 4;
      case 0x80 -> 8;
      case 0x90 -> 16;
      case 0xa0, 0xc0, 0xe0 -> head[DESCRIPTOR_BYTES + 1] & 0xff;
      case 0xb0, 0xd0, 0xf0 -> size32();
      default -> 0;
    };
  }

  private long size32() {
    var size = 0L;
    for (var i = DESCRIPTOR_BYTES + 1; i < headBytes; i++) {
      size = size << 8 | (head[i] & 0xff);
    }
    return size;
  }
}
