package io.peeklock.amqp.engine.link;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.FrameWriter;
import io.peeklock.amqp.engine.framing.Output;
import org.jspecify.annotations.Nullable;

/** Encodes the attach and detach frames of one session. */
final class LinkWriter {
  private final Output output;
  private final int channel;

  LinkWriter(Output output, int channel) {
    this.output = output;
    this.channel = channel;
  }

  /** Answers an attach; a null reply refuses it, with null source and target (T-24). */
  void attach(int handle, AttachRequest request, @Nullable AttachReply reply) {
    ByteBuf out = output.withRoom(FrameWriter.SMALL_ROOM);
    int frame = FrameWriter.beginFrame(out, FrameWriter.AMQP_TYPE | channel);
    int list = FrameWriter.beginPerformative(out, Descriptor.ATTACH);
    AmqpWriter.writeString(out, request.name);
    AmqpWriter.writeUint(out, handle);
    AmqpWriter.writeBoolean(out, !request.clientReceives); // role: true is receiver
    writeMode(out, request.senderSettleMode);
    writeMode(out, request.receiverSettleMode);
    request.writeSource(out, reply);
    request.writeTarget(out, reply);
    FrameWriter.writeNulls(out, 2); // unsettled, incomplete-unsettled
    if (request.clientReceives) {
      AmqpWriter.writeUint(out, 0); // initial-delivery-count
    } else {
      AmqpWriter.writeNull(out);
    }
    writeRestOfAttach(out, reply);
    AmqpWriter.endList(out, list, 14);
    FrameWriter.endFrame(out, frame);
  }

  private static void writeRestOfAttach(ByteBuf out, @Nullable AttachReply reply) {
    if (reply == null) {
      FrameWriter.writeNulls(out, 3);
      FrameWriter.writeEmptyMap(out);
      return;
    }
    out.writeByte(FormatCode.ULONG); // wide, so that 0 and small limits look alike on the wire
    out.writeLong(reply.maxMessageSize());
    FrameWriter.writeNulls(out, 2); // capabilities
    AmqpValues.encodeSymbolMap(out, reply.properties());
  }

  private static void writeMode(ByteBuf out, int mode) {
    if (mode == AttachRequest.NO_MODE) {
      AmqpWriter.writeNull(out);
    } else {
      AmqpWriter.writeUbyte(out, mode);
    }
  }

  void detach(int handle, @Nullable AmqpError error) {
    ByteBuf out = output.withRoom(FrameWriter.SMALL_ROOM);
    int frame = FrameWriter.beginFrame(out, FrameWriter.AMQP_TYPE | channel);
    int list = FrameWriter.beginPerformative(out, Descriptor.DETACH);
    AmqpWriter.writeUint(out, handle);
    AmqpWriter.writeBoolean(out, true); // closed: Go takes a detach without it as an error
    FrameWriter.writeError(out, error, output.frameSize());
    AmqpWriter.endList(out, list, 3);
    FrameWriter.endFrame(out, frame);
  }
}
