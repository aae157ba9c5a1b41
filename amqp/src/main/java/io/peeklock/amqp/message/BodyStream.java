package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.amqp.engine.codec.ValueCheck;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The body of a large message as its bytes pass by: finds the bounds of its sections, lets the body
 * through with canonical descriptors, and drops delivery annotations (which Python writes last,
 * T-52), as what is before the body is stored already. Knows nothing of what is inside, but of a
 * footer: it waits until that is whole, as its keys are read.
 */
public final class BodyStream {
  /** The largest footer. */
  static final int MAX_FOOTER_BYTES = 64 << 10;

  private final Consumer<ByteBuffer> out;
  private final byte[] head = new byte[16];
  private int headBytes;
  private long left;
  private boolean dropping;
  private long bodyCode;
  private boolean footer;
  private @Nullable ByteBuf footerBytes;

  public BodyStream(Consumer<ByteBuffer> out) {
    this.out = out;
  }

  /**
   * Takes the bytes from position to limit.
   *
   * @return what is wrong with them, or null
   */
  public @Nullable String take(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      if (left > 0) {
        pass(bytes);
        var wrong = left == 0 && footerBytes != null ? writeFooter(footerBytes) : null;
        if (wrong != null) {
          return wrong;
        }
      } else {
        head[headBytes++] = bytes.get();
        var wrong = headEnds() ? begin() : null;
        if (wrong == null && headBytes == head.length) {
          wrong = "a section has an unknown descriptor";
        }
        if (wrong != null) {
          return wrong;
        }
      }
    }
    return null;
  }

  /** What is missing at the end, or null. */
  public @Nullable String atEnd() {
    if (left > 0 || headBytes > 0 || footerBytes != null) {
      return "it ends inside of a section";
    }
    return bodyCode == 0 ? "it has no body" : null;
  }

  private void pass(ByteBuffer bytes) {
    var count = (int) Math.min(left, bytes.remaining());
    left -= count;
    if (dropping) {
      bytes.position(bytes.position() + count);
      return;
    }
    var limit = bytes.limit();
    bytes.limit(bytes.position() + count);
    if (footerBytes != null) {
      footerBytes.writeBytes(bytes);
    } else {
      out.accept(bytes);
    }
    bytes.limit(limit);
  }

  /** Writes the footer, which is whole now. */
  private @Nullable String writeFooter(ByteBuf value) {
    footerBytes = null;
    var length = value.readableBytes();
    var check = new ValueCheck();
    check.start(length);
    if (check.check(value, 0, length) != length) {
      return "its footer is malformed";
    }
    var map = new AnnotationMap(Descriptor.FOOTER);
    map.inspect(value, new AmqpReader().reset(value, 0, length));
    var written = ByteBuffer.allocate(length + 16);
    map.write(value, written);
    out.accept(written.flip());
    return null;
  }

  private int valueAt() {
    return headBytes > 1 && head[1] == (byte) FormatCode.ULONG ? 10 : 3;
  }

  private static int sizeBytes(int code) {
    return switch (code & 0xf0) {
      case 0xa0, 0xc0, 0xe0 -> 1;
      case 0xb0, 0xd0, 0xf0 -> 4;
      default -> 0;
    };
  }

  private boolean headEnds() {
    var at = valueAt();
    return headBytes > at && headBytes == at + 1 + sizeBytes(head[at] & 0xff);
  }

  private @Nullable String begin() {
    var at = valueAt();
    var described =
        head[0] == 0
            && (head[1] == (byte) FormatCode.SMALL_ULONG
                || (at == 10 && ByteBuffer.wrap(head).getLong(2) >>> 8 == 0));
    var code = described ? head[at - 1] & 0xff : 0;
    var constructor = head[at] & 0xff;
    var wrong = check(code, constructor);
    if (wrong != null) {
      return wrong;
    }
    left = sizeOf(at, constructor);
    if (left < 0) {
      return "a section claims a size that it cannot have";
    }
    dropping = code == Descriptor.DELIVERY_ANNOTATIONS;
    if (code == Descriptor.FOOTER) {
      if (left > MAX_FOOTER_BYTES) {
        return "its footer takes more than the allowed " + MAX_FOOTER_BYTES + " bytes";
      }
      footerBytes = Unpooled.buffer((int) left + headBytes);
      footerBytes.writeBytes(head, at, headBytes - at);
    } else if (!dropping) {
      var canonical = ByteBuffer.allocate(3 + headBytes - at);
      MessageNormalizer.descriptor(canonical, code);
      canonical.put(head, at, headBytes - at).flip();
      out.accept(canonical);
    }
    headBytes = 0;
    return null;
  }

  private @Nullable String check(int code, int constructor) {
    var isMap = isMap(constructor);
    if (code == Descriptor.DELIVERY_ANNOTATIONS) {
      return isMap ? null : "its delivery annotations are no map";
    }
    if (code == Descriptor.FOOTER) {
      footer = true;
      return isMap && bodyCode != 0 ? null : "its footer is no map, or comes before the body";
    }
    if (code < Descriptor.DATA || code > Descriptor.AMQP_VALUE || footer) {
      return "a section behind the body is out of place";
    }
    if (bodyCode != 0 && (code != bodyCode || code == Descriptor.AMQP_VALUE)) {
      return "it has bodies of different kinds";
    }
    bodyCode = code;
    return wrongType(code, constructor);
  }

  private static boolean isMap(int constructor) {
    return constructor == FormatCode.MAP8 || constructor == FormatCode.MAP32;
  }

  private static @Nullable String wrongType(int code, int constructor) {
    if (code == Descriptor.DATA
        && constructor != FormatCode.BIN8
        && constructor != FormatCode.BIN32) {
      return "a data section is no binary";
    }
    if (code == Descriptor.AMQP_SEQUENCE
        && constructor != FormatCode.LIST8
        && constructor != FormatCode.LIST32) {
      return "a sequence section is no list";
    }
    return constructor == FormatCode.DESCRIBED
        ? "a large body of a described value is not supported"
        : null;
  }

  private long sizeOf(int at, int constructor) {
    return switch (constructor & 0xf0) {
      case 0x40 -> 0;
      case 0x50 -> 1;
      case 0x60 -> 2;
      case 0x70 -> 4;
      case 0x80 -> 8;
      case 0x90 -> 16;
      case 0xa0, 0xc0, 0xe0 -> head[at + 1] & 0xff;
      case 0xb0, 0xd0, 0xf0 -> ByteBuffer.wrap(head).getInt(at + 1) & 0xffff_ffffL;
      default -> -1;
    };
  }
}
