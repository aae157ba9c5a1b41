package io.peeklock.amqp.engine.sasl;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.framing.FrameWriter;
import io.peeklock.amqp.engine.framing.Output;
import java.util.List;

/** Encodes our part of the SASL exchange. */
public final class SaslWriter {
  private SaslWriter() {}

  /** Writes the offered mechanisms, in this order. */
  public static void mechanisms(Output output, List<String> mechanisms) {
    ByteBuf out = output.withRoom(FrameWriter.SMALL_ROOM);
    int frame = FrameWriter.beginFrame(out, FrameWriter.SASL_TYPE);
    int list = FrameWriter.beginPerformative(out, Descriptor.SASL_MECHANISMS);
    AmqpWriter.writeSymbolArray(out, mechanisms);
    AmqpWriter.endList(out, list, 1);
    FrameWriter.endFrame(out, frame);
  }

  /** Writes the outcome. */
  public static void outcome(Output output, SaslCode code) {
    ByteBuf out = output.withRoom(FrameWriter.SMALL_ROOM);
    int frame = FrameWriter.beginFrame(out, FrameWriter.SASL_TYPE);
    int list = FrameWriter.beginPerformative(out, Descriptor.SASL_OUTCOME);
    AmqpWriter.writeUbyte(out, code.code());
    AmqpWriter.writeNull(out);
    AmqpWriter.endList(out, list, 2);
    FrameWriter.endFrame(out, frame);
  }
}
