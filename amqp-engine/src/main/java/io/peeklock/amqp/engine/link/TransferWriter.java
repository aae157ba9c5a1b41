package io.peeklock.amqp.engine.link;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.amqp.engine.framing.FrameWriter;

/**
 * Encodes the heads of the transfer frames of one session, straight-line: eleven fields, always.
 * The first frame of a delivery has id, tag and format; the others have null there, or Python loses
 * the tag (T-31).
 */
final class TransferWriter {
  /** More than any head takes. */
  static final int HEAD_ROOM = 64;

  private static final int LIST8_HEAD =
      FormatCode.SMALL_ULONG << 16 | (int) Descriptor.TRANSFER << 8 | FormatCode.LIST8;
  private static final int FIELDS = 11;
  private static final int LIST_AT = 8 + 4;
  private static final int MORE_BEFORE_PAYLOAD = 6;

  private final int typeAndChannel;

  TransferWriter(int channel) {
    this.typeAndChannel = FrameWriter.AMQP_TYPE | channel;
  }

  /**
   * Appends the head of a delivery's first frame, as if no other followed; {@link #finish} must
   * come once the payload is there.
   *
   * @return the absolute index of the frame
   */
  int first(ByteBuf out, int handle, int deliveryId, long tagHigh, long tagLow, boolean settled) {
    int start = begin(out, handle);
    out.writeByte(FormatCode.UINT);
    out.writeInt(deliveryId);
    out.writeShort(FormatCode.BIN8 << 8 | 16);
    out.writeLong(tagHigh);
    out.writeLong(tagLow);
    out.writeByte(FormatCode.UINT0); // message-format 0, explicit: Go refuses null
    end(out, start, settled, false, false);
    return start;
  }

  /** Appends the head of a further frame of a delivery. */
  int further(ByteBuf out, int handle, boolean settled, boolean more, boolean aborted) {
    int start = begin(out, handle);
    out.writeMedium(0x404040); // delivery-id, delivery-tag, message-format: null
    end(out, start, settled, more, aborted);
    return start;
  }

  /** Writes the size of the frame that starts at {@code start} and ends at the writer index. */
  static void finish(ByteBuf out, int start) {
    out.setInt(start, out.writerIndex() - start);
  }

  /** Sets the more flag of the frame whose payload starts at {@code payloadAt}. */
  static void setMore(ByteBuf out, int payloadAt) {
    out.setByte(payloadAt - MORE_BEFORE_PAYLOAD, FormatCode.BOOLEAN_TRUE);
  }

  private int begin(ByteBuf out, int handle) {
    int start = out.writerIndex();
    out.writeInt(0);
    out.writeInt(typeAndChannel);
    out.writeInt(LIST8_HEAD);
    out.writeShort(FIELDS); // the size, still 0, and the count
    if (handle < 256) {
      out.writeShort(FormatCode.SMALL_UINT << 8 | handle);
    } else {
      out.writeByte(FormatCode.UINT);
      out.writeInt(handle);
    }
    return start;
  }

  private static void end(ByteBuf out, int start, boolean settled, boolean more, boolean aborted) {
    out.writeByte(flag(settled));
    out.writeByte(flag(more));
    out.writeShort(FormatCode.NULL << 8 | FormatCode.NULL); // rcv-settle-mode, state
    out.writeByte(FormatCode.BOOLEAN_FALSE); // resume
    out.writeByte(flag(aborted));
    out.writeByte(FormatCode.BOOLEAN_TRUE); // batchable
    int sizeAt = start + LIST_AT;
    out.setByte(sizeAt, out.writerIndex() - sizeAt - 1);
  }

  private static int flag(boolean value) {
    return value ? FormatCode.BOOLEAN_TRUE : FormatCode.BOOLEAN_FALSE;
  }
}
