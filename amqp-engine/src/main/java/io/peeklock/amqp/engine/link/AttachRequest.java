package io.peeklock.amqp.engine.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.Performative;
import io.peeklock.amqp.engine.framing.ProtocolViolation;
import io.peeklock.amqp.engine.messaging.Terminus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client's {@code attach}: decoded for the edge, with source and target as raw bytes for the
 * echo, until it is answered.
 */
final class AttachRequest {
  private static final int SOURCE_FIELDS = 11;
  private static final int TARGET_FIELDS = 7;
  private static final int COORDINATOR_FIELDS = 1;
  private static final int FILTER = 7;
  private static final byte[] NOTHING = {};

  /** A settle mode that the client left null. */
  static final int NO_MODE = -1;

  final String name;
  final boolean clientReceives;
  final int senderSettleMode;
  final int receiverSettleMode;
  final Terminus.@Nullable Source source;
  final @Nullable Terminus target;
  final Map<String, @Nullable Object> properties;
  final long maxMessageSize;
  final int initialDeliveryCount;
  private byte[] rawSource;
  private byte[] rawTarget;

  /** Reads an attach; what is malformed becomes a {@link ProtocolViolation}. */
  AttachRequest(Performative attach, boolean clientReceives) {
    name = attach.requiredText(0, "attach.name");
    this.clientReceives = clientReceives;
    senderSettleMode = mode(attach, 3, 2);
    receiverSettleMode = mode(attach, 4, 1);
    rawSource = raw(attach, 5);
    rawTarget = raw(attach, 6);
    initialDeliveryCount = attach.uint(9, 0);
    maxMessageSize = attach.ulong(10, 0);
    properties = attach.textMap(13);
    source = source(rawSource);
    target = target(rawTarget);
  }

  /** Drops the raw bytes, which are not needed after the answer. */
  void dropRawBytes() {
    rawSource = NOTHING;
    rawTarget = NOTHING;
  }

  /**
   * Writes the source of the reply: eleven fields, as they came except those that the edge
   * replaces.
   */
  void writeSource(ByteBuf out, @Nullable AttachReply reply) {
    if (reply == null) {
      AmqpWriter.writeNull(out);
      return;
    }
    Performative came = located(rawSource);
    AmqpWriter.writeDescriptor(out, Descriptor.SOURCE);
    int list = AmqpWriter.beginList(out);
    writeAddress(out, came);
    for (int field = 1; field < SOURCE_FIELDS; field++) {
      if (field == FILTER && reply.filter() != null) {
        AmqpValues.encode(out, reply.filter());
      } else {
        echo(out, came, field);
      }
    }
    AmqpWriter.endList(out, list, SOURCE_FIELDS);
  }

  /** Writes the target of the reply: seven fields as they came, or the coordinator. */
  void writeTarget(ByteBuf out, @Nullable AttachReply reply) {
    if (reply == null) {
      AmqpWriter.writeNull(out);
      return;
    }
    Performative came = located(rawTarget);
    boolean coordinator = target instanceof Terminus.Coordinator;
    AmqpWriter.writeDescriptor(out, coordinator ? Descriptor.COORDINATOR : Descriptor.TARGET);
    int list = AmqpWriter.beginList(out);
    if (coordinator) {
      echo(out, came, 0);
    } else {
      writeAddress(out, came);
    }
    int fields = coordinator ? COORDINATOR_FIELDS : TARGET_FIELDS;
    for (int field = 1; field < fields; field++) {
      echo(out, came, field);
    }
    AmqpWriter.endList(out, list, fields);
  }

  /**
   * Writes the address, or the link's name if there was none, as Python refuses a link without
   * addresses.
   */
  private void writeAddress(ByteBuf out, Performative came) {
    if (came.has(0)) {
      echo(out, came, 0);
    } else {
      AmqpWriter.writeString(out, name);
    }
  }

  private static void echo(ByteBuf out, Performative came, int field) {
    if (came.has(field)) {
      out.writeBytes(came.buffer(), came.offset(field), came.length(field));
    } else {
      AmqpWriter.writeNull(out);
    }
  }

  private static int mode(Performative attach, int field, int most) {
    int mode = (int) attach.unsigned(field, NO_MODE);
    if (mode > most) {
      throw ProtocolViolation.of(AmqpError.INVALID_FIELD, "there is no such settle mode: " + mode);
    }
    return mode;
  }

  private static byte[] raw(Performative attach, int field) {
    if (!attach.has(field)) {
      return NOTHING;
    }
    var bytes = new byte[attach.length(field)];
    attach.buffer().getBytes(attach.offset(field), bytes);
    return bytes;
  }

  private static Performative located(byte[] raw) {
    var fields = new Performative();
    if (raw.length > 0) {
      fields.locate(Unpooled.wrappedBuffer(raw), 0, raw.length);
    }
    return fields;
  }

  private static Terminus.@Nullable Source source(byte[] raw) {
    if (raw.length == 0) {
      return null;
    }
    Performative fields = located(raw);
    requireDescriptor(fields, Descriptor.SOURCE, "attach.source");
    return new Terminus.Source(
        fields.text(0),
        fields.uint(1, 0),
        fields.flag(4),
        fields.text(6),
        fields.textMap(FILTER),
        symbols(fields, 10));
  }

  private static @Nullable Terminus target(byte[] raw) {
    if (raw.length == 0) {
      return null;
    }
    Performative fields = located(raw);
    if (fields.code() == Descriptor.COORDINATOR) {
      return new Terminus.Coordinator(symbols(fields, 0));
    }
    requireDescriptor(fields, Descriptor.TARGET, "attach.target");
    return new Terminus.Target(
        fields.text(0), fields.uint(1, 0), fields.flag(4), symbols(fields, 6));
  }

  private static void requireDescriptor(Performative fields, long code, String name) {
    if (fields.code() != code) {
      throw ProtocolViolation.of(AmqpError.DECODE_ERROR, name + " has a wrong descriptor");
    }
  }

  /** A field that holds one symbol, or an array of them. */
  private static List<String> symbols(Performative fields, int field) {
    if (!fields.has(field)) {
      return List.of();
    }
    try {
      var reader =
          new AmqpReader().reset(fields.buffer(), fields.offset(field), fields.length(field));
      Object value = AmqpValues.decode(reader);
      var elements = value instanceof TypedArray array ? array.elements() : List.of(nonNull(value));
      var texts = new ArrayList<String>();
      for (Object element : elements) {
        texts.add(symbol(element));
      }
      return List.copyOf(texts);
    } catch (AmqpDecodeException malformed) {
      throw ProtocolViolation.undecodable(malformed);
    }
  }

  private static String symbol(Object element) {
    if (element instanceof Symbol symbol) {
      return symbol.text();
    }
    throw new AmqpDecodeException("not a symbol");
  }

  private static Object nonNull(@Nullable Object value) {
    if (value == null) {
      throw new AmqpDecodeException("null where a value must be");
    }
    return value;
  }
}
