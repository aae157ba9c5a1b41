package io.peeklock.amqp.engine.framing;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import org.jspecify.annotations.Nullable;

/**
 * Begins and ends the frames of all writers, and encodes what performatives have in common.
 *
 * <p>Always with the full field list, explicit nulls, and a {@code smallulong} descriptor: released
 * Python clients read fields by position without looking at the count (amqp.md 1.6, T-04 to T-07).
 */
public final class FrameWriter {
  /** How many bytes come before the body of a frame. */
  public static final int HEADER = 8;

  /** Of an AMQP frame: data offset 2, type 0; its channel belongs into the low half. */
  public static final int AMQP_TYPE = 0x0200_0000;

  /** Of a SASL frame: data offset 2, type 1. */
  public static final int SASL_TYPE = 0x0201_0000;

  /** The bytes to reserve for a frame without payload; it may take more. */
  public static final int SMALL_ROOM = 128;

  private FrameWriter() {}

  /**
   * Begins a frame.
   *
   * @return where it starts, for {@link #endFrame}
   */
  public static int beginFrame(ByteBuf out, int typeAndChannel) {
    int start = out.writerIndex();
    out.writeInt(0).writeInt(typeAndChannel);
    return start;
  }

  /** Ends a frame at the writer index: writes its size. */
  public static void endFrame(ByteBuf out, int start) {
    out.setInt(start, out.writerIndex() - start);
  }

  /**
   * Begins a performative of any size.
   *
   * @return what {@link AmqpWriter#endList} asks for
   */
  public static int beginPerformative(ByteBuf out, long descriptor) {
    AmqpWriter.writeDescriptor(out, descriptor);
    return AmqpWriter.beginList(out);
  }

  /** Begins a performative whose fields surely take less than 256 bytes. */
  public static void beginList8(ByteBuf out, long descriptor, int fields) {
    out.writeInt((int) (FormatCode.SMALL_ULONG << 16 | descriptor << 8) | FormatCode.LIST8);
    out.writeShort(fields); // the size, still 0, and the count
  }

  /** Ends a frame whose list was begun by {@link #beginList8}. */
  public static void endFrame8(ByteBuf out, int start) {
    endFrame(out, start);
    int sizeAt = start + HEADER + 4;
    out.setByte(sizeAt, out.writerIndex() - sizeAt - 1);
  }

  /** Writes a {@code uint} in the form that has one size. */
  public static void writeWideUint(ByteBuf out, int bits) {
    out.writeByte(FormatCode.UINT);
    out.writeInt(bits);
  }

  /** Writes {@code count} nulls. */
  public static void writeNulls(ByteBuf out, int count) {
    for (int i = 0; i < count; i++) {
      AmqpWriter.writeNull(out);
    }
  }

  /** Writes a map without entries. */
  public static void writeEmptyMap(ByteBuf out) {
    out.writeByte(FormatCode.MAP8);
    out.writeShort(0x0100);
  }

  /**
   * Writes an error with three fields, or null (T-06).
   *
   * @param frameBytes the largest frame that the peer takes, to which the description is cut
   */
  public static void writeError(ByteBuf out, @Nullable AmqpError whole, int frameBytes) {
    if (whole == null) {
      AmqpWriter.writeNull(out);
      return;
    }
    AmqpError error = whole.fitting(frameBytes);
    AmqpWriter.writeDescriptor(out, Descriptor.ERROR);
    int list = AmqpWriter.beginList(out);
    AmqpWriter.writeSymbol(out, error.condition());
    AmqpWriter.writeString(out, error.description());
    if (error.info().isEmpty()) {
      AmqpWriter.writeNull(out);
    } else {
      AmqpValues.encodeSymbolMap(out, error.info());
    }
    AmqpWriter.endList(out, list, 3);
  }

  /** Appends a whole frame whose performative has one field, an error or null. */
  public static void writeEnd(
      Output output, int typeAndChannel, long descriptor, @Nullable AmqpError error) {
    ByteBuf out = output.withRoom(SMALL_ROOM);
    int frame = beginFrame(out, typeAndChannel);
    if (error == null) {
      beginList8(out, descriptor, 1); // one null, never list0 (T-05)
      AmqpWriter.writeNull(out);
      endFrame8(out, frame);
      return;
    }
    int list = beginPerformative(out, descriptor);
    writeError(out, error, output.frameSize());
    AmqpWriter.endList(out, list, 1);
    endFrame(out, frame);
  }
}
