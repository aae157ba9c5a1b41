package io.peeklock.amqp.engine.messaging;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.amqp.engine.framing.FrameWriter;
import org.jspecify.annotations.Nullable;

/** Encodes outcomes: rejected with one field, modified with three (T-06). */
public final class OutcomeWriter {
  private OutcomeWriter() {}

  /**
   * Appends an outcome.
   *
   * @param frameBytes the largest frame that the peer takes
   */
  public static void write(ByteBuf out, Outcome outcome, int frameBytes) {
    switch (outcome) {
      case Outcome.Accepted accepted -> writeEmpty(out, Descriptor.ACCEPTED);
      case Outcome.Released released -> writeEmpty(out, Descriptor.RELEASED);
      case Outcome.Rejected rejected -> writeRejected(out, rejected, frameBytes);
      case Outcome.Modified modified -> writeModified(out, modified);
      case Outcome.Declared declared -> writeDeclared(out, declared);
      case Outcome.Transactional transactional ->
          writeTransactional(out, transactional, frameBytes);
    }
  }

  private static void writeEmpty(ByteBuf out, long descriptor) {
    AmqpWriter.writeDescriptor(out, descriptor);
    out.writeByte(FormatCode.LIST0); // these two have no fields at all
  }

  private static void writeRejected(ByteBuf out, Outcome.Rejected rejected, int frameBytes) {
    AmqpWriter.writeDescriptor(out, Descriptor.REJECTED);
    if (rejected.error() == null) {
      out.writeByte(FormatCode.LIST8).writeShort(0x0201).writeByte(FormatCode.NULL);
      return;
    }
    int list = AmqpWriter.beginList(out);
    FrameWriter.writeError(out, rejected.error(), frameBytes);
    AmqpWriter.endList(out, list, 1);
  }

  private static void writeModified(ByteBuf out, Outcome.Modified modified) {
    AmqpWriter.writeDescriptor(out, Descriptor.MODIFIED);
    out.writeByte(FormatCode.LIST8).writeShort(0x0403);
    writeFlag(out, modified.deliveryFailed());
    writeFlag(out, modified.undeliverableHere());
    AmqpWriter.writeNull(out); // message-annotations
  }

  private static void writeFlag(ByteBuf out, @Nullable Boolean flag) {
    if (flag == null) {
      AmqpWriter.writeNull(out);
    } else {
      AmqpWriter.writeBoolean(out, flag);
    }
  }

  private static void writeDeclared(ByteBuf out, Outcome.Declared declared) {
    AmqpWriter.writeDescriptor(out, Descriptor.DECLARED);
    int list = AmqpWriter.beginList(out);
    AmqpWriter.writeBinary(out, declared.transaction().raw());
    AmqpWriter.endList(out, list, 1);
  }

  private static void writeTransactional(ByteBuf out, Outcome.Transactional state, int frameBytes) {
    AmqpWriter.writeDescriptor(out, Descriptor.TRANSACTIONAL_STATE);
    int list = AmqpWriter.beginList(out);
    AmqpWriter.writeBinary(out, state.transaction().raw());
    write(out, state.outcome(), frameBytes);
    AmqpWriter.endList(out, list, 2);
  }
}
