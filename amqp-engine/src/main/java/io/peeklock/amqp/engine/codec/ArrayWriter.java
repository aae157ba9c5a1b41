package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;

/**
 * Writes arrays of any element type, always with the widest constructor of that type: all elements
 * share one, and the widest fits every element.
 */
final class ArrayWriter {
  private ArrayWriter() {}

  static void write(ByteBuf out, TypedArray array) {
    int code = widest(array.elementCode());
    int mark = AmqpWriter.beginArray(out);
    if (!array.elements().isEmpty() && array.elements().getFirst() instanceof Described first) {
      out.writeByte(FormatCode.DESCRIBED);
      AmqpValues.encode(out, first.descriptor());
    }
    out.writeByte(code);
    for (Object element : array.elements()) {
      Object bare = element instanceof Described described ? described.value() : element;
      if (bare == null) {
        throw new IllegalArgumentException("an array cannot hold null");
      }
      writeContent(out, code, bare);
    }
    AmqpWriter.endArray(out, mark, array.elements().size());
  }

  private static int widest(int code) {
    return switch (code) {
      case FormatCode.BOOLEAN_TRUE, FormatCode.BOOLEAN_FALSE -> FormatCode.BOOLEAN;
      case FormatCode.UINT0, FormatCode.SMALL_UINT -> FormatCode.UINT;
      case FormatCode.ULONG0, FormatCode.SMALL_ULONG -> FormatCode.ULONG;
      case FormatCode.SMALL_INT -> FormatCode.INT;
      case FormatCode.SMALL_LONG -> FormatCode.LONG;
      case FormatCode.LIST0 -> FormatCode.LIST32;
      default -> FormatCode.widthOf(code) == FormatCode.SIZE8 ? code | 0x10 : code;
    };
  }

  /** Writes a value without its constructor, in the form that {@code code} announces. */
  private static void writeContent(ByteBuf out, int code, Object value) {
    switch (value) {
      case Boolean truth -> out.writeByte(truth ? 1 : 0);
      case Unsigned unsigned -> writeInteger(out, code, unsigned.value());
      case Float number -> out.writeInt(Float.floatToRawIntBits(number));
      case Double number -> out.writeLong(Double.doubleToRawLongBits(number));
      case Number number -> writeInteger(out, code, number.longValue());
      default -> writeOther(out, code, value);
    }
  }

  private static void writeInteger(ByteBuf out, int code, long value) {
    switch (FormatCode.widthOf(code)) {
      case 1 -> out.writeByte((int) value);
      case 2 -> out.writeShort((int) value);
      case 4 -> out.writeInt((int) value);
      case 8 -> out.writeLong(value);
      default -> throw new IllegalArgumentException("not an integer constructor: " + code);
    }
  }

  private static void writeOther(ByteBuf out, int code, Object value) {
    int start = out.writerIndex();
    AmqpValues.encode(out, value);
    int written = out.getUnsignedByte(start);
    if (written == code) {
      dropConstructor(out, start);
    } else if (written == FormatCode.LIST0 && code == FormatCode.LIST32) {
      out.writerIndex(start).writeLong(4L << 32); // a size of four bytes: the count, which is 0
    } else if ((written | 0x10) == code && FormatCode.widthOf(written) == FormatCode.SIZE8) {
      widen(out, start, written);
    } else {
      throw new IllegalArgumentException("an element of another type than the array's");
    }
  }

  private static void dropConstructor(ByteBuf out, int start) {
    var content = out.copy(start + 1, out.writerIndex() - start - 1);
    out.writerIndex(start).writeBytes(content);
    content.release();
  }

  private static void widen(ByteBuf out, int start, int code8) {
    boolean counted = code8 >= FormatCode.LIST8;
    var content = out.copy(start + 2, out.writerIndex() - start - 2);
    out.writerIndex(start);
    if (counted) {
      int count = content.readUnsignedByte();
      out.writeInt(content.readableBytes() + 4).writeInt(count);
    } else {
      out.writeInt(content.readableBytes());
    }
    out.writeBytes(content);
    content.release();
  }
}
