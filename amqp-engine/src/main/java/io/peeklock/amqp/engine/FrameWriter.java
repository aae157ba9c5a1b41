package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import org.jspecify.annotations.Nullable;

/**
 * Encodes every frame the engine sends, but for transfers ({@link TransferWriter}).
 *
 * <p>Always with the full field list, explicit nulls, and a {@code smallulong} descriptor: released
 * Python clients read fields by position without looking at the count (amqp.md 1.6, T-04 to T-07).
 */
final class FrameWriter {
  static final long AMQP_HEADER = 0x414d5150_00010000L;
  static final long SASL_HEADER = 0x414d5150_03010000L;

  /** What our sessions take at most: the windows that never close. */
  static final int WIDE_WINDOW = Integer.MAX_VALUE;

  private static final int FRAME_HEADER = 8;
  private static final int AMQP_TYPE = 0x0200_0000; // doff 2, type 0, channel in the low half
  private static final int SASL_TYPE = 0x0201_0000;
  private static final int SMALL_ROOM = 128;

  private final Output output;

  FrameWriter(Output output) {
    this.output = output;
  }

  void protocolHeader(long header) {
    output.withRoom(Long.BYTES).writeLong(header);
  }

  void heartbeat() {
    output.withRoom(FRAME_HEADER).writeInt(FRAME_HEADER).writeInt(AMQP_TYPE);
  }

  void saslMechanisms(EngineConfig config) {
    ByteBuf out = output.withRoom(SMALL_ROOM);
    int frame = beginFrame(out, SASL_TYPE);
    int list = beginPerformative(out, Descriptor.SASL_MECHANISMS);
    AmqpWriter.writeSymbolArray(out, config.saslMechanisms());
    AmqpWriter.endList(out, list, 1);
    endFrame(out, frame);
  }

  void saslOutcome(SaslCode code) {
    ByteBuf out = output.withRoom(SMALL_ROOM);
    int frame = beginFrame(out, SASL_TYPE);
    int list = beginPerformative(out, Descriptor.SASL_OUTCOME);
    AmqpWriter.writeUbyte(out, code.code());
    AmqpWriter.writeNull(out);
    AmqpWriter.endList(out, list, 2);
    endFrame(out, frame);
  }

  void open(EngineConfig config) {
    ByteBuf out = output.withRoom(SMALL_ROOM);
    int frame = beginFrame(out, AMQP_TYPE);
    int list = beginPerformative(out, Descriptor.OPEN);
    AmqpWriter.writeString(out, config.containerId());
    AmqpWriter.writeNull(out); // hostname
    AmqpWriter.writeUint(out, config.limits().maxFrameSize());
    AmqpWriter.writeUshort(out, config.limits().channelMax());
    AmqpWriter.writeUint(out, (int) config.times().idleTimeOutMillis());
    writeNulls(out, 4); // locales and capabilities
    AmqpValues.encodeSymbolMap(out, config.openProperties());
    AmqpWriter.endList(out, list, 10);
    endFrame(out, frame);
  }

  void begin(int channel, int nextOutgoingId, int handleMax) {
    ByteBuf out = output.withRoom(SMALL_ROOM);
    int frame = beginFrame(out, AMQP_TYPE | channel);
    int list = beginPerformative(out, Descriptor.BEGIN);
    AmqpWriter.writeUshort(out, channel); // remote-channel: we answer on the same number
    AmqpWriter.writeUint(out, nextOutgoingId);
    AmqpWriter.writeUint(out, WIDE_WINDOW);
    AmqpWriter.writeUint(out, WIDE_WINDOW);
    AmqpWriter.writeUint(out, handleMax);
    writeNulls(out, 2); // capabilities
    writeEmptyMap(out);
    AmqpWriter.endList(out, list, 8);
    endFrame(out, frame);
  }

  /** Answers an attach; a null reply refuses it, with null source and target (T-24). */
  void attach(AmqpLink link, @Nullable AttachReply reply) {
    ByteBuf out = output.withRoom(SMALL_ROOM);
    boolean sending = link instanceof SendingLink;
    int frame = beginFrame(out, AMQP_TYPE | link.session().channel());
    int list = beginPerformative(out, Descriptor.ATTACH);
    AmqpWriter.writeString(out, link.name());
    AmqpWriter.writeUint(out, link.localHandle());
    AmqpWriter.writeBoolean(out, !sending); // role: true is receiver
    writeMode(out, link.senderSettleMode());
    writeMode(out, link.receiverSettleMode());
    link.request().writeSource(out, reply);
    link.request().writeTarget(out, reply);
    writeNulls(out, 2); // unsettled, incomplete-unsettled
    if (sending) {
      AmqpWriter.writeUint(out, 0); // initial-delivery-count
    } else {
      AmqpWriter.writeNull(out);
    }
    writeRestOfAttach(out, reply);
    AmqpWriter.endList(out, list, 14);
    endFrame(out, frame);
  }

  private static void writeRestOfAttach(ByteBuf out, @Nullable AttachReply reply) {
    if (reply == null) {
      writeNulls(out, 3);
      writeEmptyMap(out);
      return;
    }
    out.writeByte(FormatCode.ULONG); // wide, so that 0 and small limits look alike on the wire
    out.writeLong(reply.maxMessageSize());
    writeNulls(out, 2); // capabilities
    AmqpValues.encodeSymbolMap(out, reply.properties());
  }

  /** A FLOW about the session only. */
  void sessionFlow(AmqpSession session) {
    ByteBuf out = output.withRoom(SMALL_ROOM);
    int frame = beginFlow(out, session);
    writeNulls(out, 4); // handle, delivery-count, link-credit, available
    out.writeByte(FormatCode.BOOLEAN_FALSE); // drain
    endFlow(out, frame);
  }

  /** A FLOW about a link; all fields that clients compute with are there (T-29). */
  void linkFlow(AmqpLink link, int deliveryCount, int credit, boolean drain) {
    ByteBuf out = output.withRoom(SMALL_ROOM);
    int frame = beginFlow(out, link.session());
    AmqpWriter.writeUint(out, link.localHandle());
    writeWideUint(out, deliveryCount);
    writeWideUint(out, credit);
    AmqpWriter.writeNull(out); // available
    out.writeByte(drain ? FormatCode.BOOLEAN_TRUE : FormatCode.BOOLEAN_FALSE);
    endFlow(out, frame);
  }

  private static int beginFlow(ByteBuf out, AmqpSession session) {
    int frame = beginFrame(out, AMQP_TYPE | session.channel());
    beginList8(out, Descriptor.FLOW, 11);
    writeWideUint(out, session.nextIncomingId());
    writeWideUint(out, WIDE_WINDOW);
    writeWideUint(out, session.deliveries().nextOutgoingId());
    writeWideUint(out, WIDE_WINDOW);
    return frame;
  }

  private static void endFlow(ByteBuf out, int frame) {
    out.writeByte(FormatCode.BOOLEAN_FALSE); // echo
    AmqpWriter.writeNull(out); // properties
    endFrame8(out, frame);
  }

  /** Settles a range of deliveries; {@code receiver} is our role in them. */
  void disposition(
      int channel, boolean receiver, int first, int last, boolean settled, Outcome outcome) {
    ByteBuf out = output.withRoom(SMALL_ROOM);
    int frame = beginFrame(out, AMQP_TYPE | channel);
    boolean small = isSmall(outcome);
    int list = 0;
    if (small) {
      beginList8(out, Descriptor.DISPOSITION, 6);
    } else {
      list = beginPerformative(out, Descriptor.DISPOSITION);
    }
    out.writeByte(receiver ? FormatCode.BOOLEAN_TRUE : FormatCode.BOOLEAN_FALSE);
    writeWideUint(out, first);
    writeWideUint(out, last);
    out.writeByte(settled ? FormatCode.BOOLEAN_TRUE : FormatCode.BOOLEAN_FALSE);
    OutcomeWriter.write(out, outcome);
    out.writeByte(FormatCode.BOOLEAN_FALSE); // batchable
    if (small) {
      endFrame8(out, frame);
    } else {
      AmqpWriter.endList(out, list, 6);
      endFrame(out, frame);
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

  void detach(AmqpLink link, @Nullable AmqpError error) {
    ByteBuf out = output.withRoom(SMALL_ROOM);
    int frame = beginFrame(out, AMQP_TYPE | link.session().channel());
    int list = beginPerformative(out, Descriptor.DETACH);
    AmqpWriter.writeUint(out, link.localHandle());
    AmqpWriter.writeBoolean(out, true); // closed: Go takes a detach without it as an error
    OutcomeWriter.writeError(out, error);
    AmqpWriter.endList(out, list, 3);
    endFrame(out, frame);
  }

  void end(int channel, @Nullable AmqpError error) {
    onlyAnError(AMQP_TYPE | channel, Descriptor.END, error);
  }

  void close(@Nullable AmqpError error) {
    onlyAnError(AMQP_TYPE, Descriptor.CLOSE, error);
  }

  private void onlyAnError(int type, long descriptor, @Nullable AmqpError error) {
    ByteBuf out = output.withRoom(SMALL_ROOM);
    int frame = beginFrame(out, type);
    if (error == null) {
      beginList8(out, descriptor, 1); // one null, never list0 (T-05)
      AmqpWriter.writeNull(out);
      endFrame8(out, frame);
      return;
    }
    int list = beginPerformative(out, descriptor);
    OutcomeWriter.writeError(out, error);
    AmqpWriter.endList(out, list, 1);
    endFrame(out, frame);
  }

  private static int beginFrame(ByteBuf out, int typeAndChannel) {
    int start = out.writerIndex();
    out.writeInt(0).writeInt(typeAndChannel);
    return start;
  }

  private static void endFrame(ByteBuf out, int start) {
    out.setInt(start, out.writerIndex() - start);
  }

  /** Ends a frame whose list was begun by {@link #beginList8}. */
  private static void endFrame8(ByteBuf out, int start) {
    endFrame(out, start);
    int sizeAt = start + FRAME_HEADER + 4;
    out.setByte(sizeAt, out.writerIndex() - sizeAt - 1);
  }

  private static int beginPerformative(ByteBuf out, long descriptor) {
    AmqpWriter.writeDescriptor(out, descriptor);
    return AmqpWriter.beginList(out);
  }

  private static void beginList8(ByteBuf out, long descriptor, int fields) {
    out.writeInt((int) (FormatCode.SMALL_ULONG << 16 | descriptor << 8) | FormatCode.LIST8);
    out.writeShort(fields); // the size, still 0, and the count
  }

  private static void writeWideUint(ByteBuf out, int bits) {
    out.writeByte(FormatCode.UINT);
    out.writeInt(bits);
  }

  private static void writeMode(ByteBuf out, int mode) {
    if (mode == AmqpLink.MODE_NULL) {
      AmqpWriter.writeNull(out);
    } else {
      AmqpWriter.writeUbyte(out, mode);
    }
  }

  private static void writeNulls(ByteBuf out, int count) {
    for (int i = 0; i < count; i++) {
      AmqpWriter.writeNull(out);
    }
  }

  private static void writeEmptyMap(ByteBuf out) {
    out.writeByte(FormatCode.MAP8);
    out.writeShort(0x0100);
  }
}
