package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Unsigned;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One frame out of the engine, decoded; a protocol header has code -1, a heartbeat -2. */
record SentFrame(
    int channel, long code, List<@Nullable Object> fields, String payload, String hex) {
  static final long HEADER = -1;
  static final long HEARTBEAT = -2;

  /** Cuts and decodes all bytes; anything malformed throws. */
  static List<SentFrame> parseAll(ByteBuf bytes) {
    var frames = new ArrayList<SentFrame>();
    while (bytes.isReadable()) {
      int at = bytes.readerIndex();
      boolean header = bytes.getInt(at) == 0x414d5150;
      int size = header ? 8 : bytes.getInt(at);
      frames.add(header ? header(bytes, at) : parse(bytes, at, size));
      bytes.skipBytes(size);
    }
    return frames;
  }

  /** The fields of a described list inside of a frame. */
  static List<@Nullable Object> listIn(Object described) {
    var list = new ArrayList<@Nullable Object>();
    list.addAll((List<?>) Objects.requireNonNull(((Described) described).value()));
    return list;
  }

  Object field(int index) {
    return Objects.requireNonNull(fields.get(index), "field " + index + " of " + this);
  }

  long number(int index) {
    return ((Unsigned) field(index)).value();
  }

  private static SentFrame header(ByteBuf bytes, int at) {
    return new SentFrame(0, HEADER, List.of(), "", ByteBufUtil.hexDump(bytes, at, 8));
  }

  private static SentFrame parse(ByteBuf bytes, int at, int size) {
    String hex = ByteBufUtil.hexDump(bytes, at, size);
    int channel = bytes.getUnsignedShort(at + 6);
    if (size == 8) {
      return new SentFrame(channel, HEARTBEAT, List.of(), "", hex);
    }
    var reader = new AmqpReader().reset(bytes, at + 8, size - 8);
    var performative = (Described) Objects.requireNonNull(AmqpValues.decode(reader));
    long code = ((Unsigned.Ulong) performative.descriptor()).value();
    var fields = new ArrayList<@Nullable Object>();
    fields.addAll((List<?>) Objects.requireNonNull(performative.value()));
    int payload = reader.position();
    return new SentFrame(
        channel, code, fields, ByteBufUtil.hexDump(bytes, payload, at + size - payload), hex);
  }
}
