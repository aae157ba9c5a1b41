package io.peeklock.amqp.engine.session;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.FrameWriter;
import io.peeklock.amqp.engine.framing.Output;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.OutcomeWriter;
import org.jspecify.annotations.Nullable;

/** Encodes the frames of one session that concern all of it: begin, flow, disposition, end. */
public final class SessionWriter {
  /** The windows of our sessions, which never close. */
  private static final int WIDE_WINDOW = Integer.MAX_VALUE;

  private final Output output;
  private final int channel;

  /** A writer for the session on this channel. */
  public SessionWriter(Output output, int channel) {
    this.output = output;
    this.channel = channel;
  }

  /** Answers a begin. */
  public void begin(int nextOutgoingId, int handleMax) {
    ByteBuf out = output.withRoom(FrameWriter.SMALL_ROOM);
    int frame = FrameWriter.beginFrame(out, FrameWriter.AMQP_TYPE | channel);
    int list = FrameWriter.beginPerformative(out, Descriptor.BEGIN);
    AmqpWriter.writeUshort(out, channel); // remote-channel: we answer on the same number
    AmqpWriter.writeUint(out, nextOutgoingId);
    AmqpWriter.writeUint(out, WIDE_WINDOW);
    AmqpWriter.writeUint(out, WIDE_WINDOW);
    AmqpWriter.writeUint(out, handleMax);
    FrameWriter.writeNulls(out, 2); // capabilities
    FrameWriter.writeEmptyMap(out);
    AmqpWriter.endList(out, list, 8);
    FrameWriter.endFrame(out, frame);
  }

  /** A FLOW about the session only. */
  public void sessionFlow(int nextIncomingId, int nextOutgoingId) {
    ByteBuf out = output.withRoom(FrameWriter.SMALL_ROOM);
    int frame = beginFlow(out, nextIncomingId, nextOutgoingId);
    FrameWriter.writeNulls(out, 4); // handle, delivery-count, link-credit, available
    out.writeByte(FormatCode.BOOLEAN_FALSE); // drain
    endFlow(out, frame);
  }

  /** A FLOW about a link; all fields that clients compute with are there (T-29). */
  public void linkFlow(
      int nextIncomingId,
      int nextOutgoingId,
      int handle,
      int deliveryCount,
      int credit,
      boolean drain) {
    ByteBuf out = output.withRoom(FrameWriter.SMALL_ROOM);
    int frame = beginFlow(out, nextIncomingId, nextOutgoingId);
    AmqpWriter.writeUint(out, handle);
    FrameWriter.writeWideUint(out, deliveryCount);
    FrameWriter.writeWideUint(out, credit);
    AmqpWriter.writeNull(out); // available
    out.writeByte(drain ? FormatCode.BOOLEAN_TRUE : FormatCode.BOOLEAN_FALSE);
    endFlow(out, frame);
  }

  private int beginFlow(ByteBuf out, int nextIncomingId, int nextOutgoingId) {
    int frame = FrameWriter.beginFrame(out, FrameWriter.AMQP_TYPE | channel);
    FrameWriter.beginList8(out, Descriptor.FLOW, 11);
    FrameWriter.writeWideUint(out, nextIncomingId);
    FrameWriter.writeWideUint(out, WIDE_WINDOW);
    FrameWriter.writeWideUint(out, nextOutgoingId);
    FrameWriter.writeWideUint(out, WIDE_WINDOW);
    return frame;
  }

  private static void endFlow(ByteBuf out, int frame) {
    out.writeByte(FormatCode.BOOLEAN_FALSE); // echo
    AmqpWriter.writeNull(out); // properties
    FrameWriter.endFrame8(out, frame);
  }

  /** Settles a range of deliveries; {@code receiver} is our role in them. */
  void disposition(boolean receiver, int first, int last, boolean settled, Outcome outcome) {
    ByteBuf out = output.withRoom(FrameWriter.SMALL_ROOM);
    int frame = FrameWriter.beginFrame(out, FrameWriter.AMQP_TYPE | channel);
    boolean small = isSmall(outcome);
    int list = 0;
    if (small) {
      FrameWriter.beginList8(out, Descriptor.DISPOSITION, 6);
    } else {
      list = FrameWriter.beginPerformative(out, Descriptor.DISPOSITION);
    }
    out.writeByte(receiver ? FormatCode.BOOLEAN_TRUE : FormatCode.BOOLEAN_FALSE);
    FrameWriter.writeWideUint(out, first);
    FrameWriter.writeWideUint(out, last);
    out.writeByte(settled ? FormatCode.BOOLEAN_TRUE : FormatCode.BOOLEAN_FALSE);
    OutcomeWriter.write(out, outcome, output.frameSize());
    out.writeByte(FormatCode.BOOLEAN_FALSE); // batchable
    if (small) {
      FrameWriter.endFrame8(out, frame);
    } else {
      AmqpWriter.endList(out, list, 6);
      FrameWriter.endFrame(out, frame);
    }
  }

  /** Whether the whole list surely stays under 256 bytes. */
  private static boolean isSmall(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Accepted accepted -> true;
      case Outcome.Released released -> true;
      case Outcome.Modified modified -> true;
      case Outcome.Rejected rejected -> rejected.error() == null;
      case Outcome.Declared declared -> false;
      case Outcome.Transactional transactional -> false;
    };
  }

  /** Ends the session, or answers its end. */
  public void end(@Nullable AmqpError error) {
    FrameWriter.writeEnd(output, FrameWriter.AMQP_TYPE | channel, Descriptor.END, error);
  }
}
