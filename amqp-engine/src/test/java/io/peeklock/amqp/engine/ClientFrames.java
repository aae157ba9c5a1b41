package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Unsigned;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Frames as a client writes them. */
final class ClientFrames {
  static final String SASL_HEADER = "414d515003010000";
  static final String AMQP_HEADER = "414d515000010000";

  private ClientFrames() {}

  static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  static byte[] frame(int channel, long code, @Nullable Object... fields) {
    return frame(0, channel, code, fields, new byte[0]);
  }

  static byte[] saslInit(String mechanism) {
    return saslInit(mechanism, new byte[] {1, 2});
  }

  static byte[] saslInit(String mechanism, byte[] response) {
    return frame(
        1,
        0,
        Descriptor.SASL_INIT,
        new @Nullable Object[] {new Symbol(mechanism), response, "host"},
        new byte[0]);
  }

  static byte[] frame(int type, int channel, long code, @Nullable Object[] fields, byte[] payload) {
    ByteBuf out = Unpooled.buffer();
    out.writeInt(0).writeByte(2).writeByte(type).writeShort(channel);
    AmqpWriter.writeDescriptor(out, code);
    AmqpValues.encode(out, Arrays.asList(fields));
    out.writeBytes(payload);
    out.setInt(0, out.writerIndex());
    return bytes(out);
  }

  static byte[] bytes(ByteBuf buffer) {
    var bytes = new byte[buffer.readableBytes()];
    buffer.readBytes(bytes);
    buffer.release();
    return bytes;
  }

  static Unsigned.Uint uint(long value) {
    return new Unsigned.Uint(value & 0xffff_ffffL);
  }

  static Unsigned.Ubyte ubyte(int value) {
    return new Unsigned.Ubyte(value);
  }

  static Described described(long code, @Nullable Object... fields) {
    return new Described(new Unsigned.Ulong(code), Arrays.asList(fields));
  }

  static Described accepted() {
    return new Described(new Unsigned.Ulong(Descriptor.ACCEPTED), List.of());
  }

  static Described source(@Nullable Object address) {
    return described(Descriptor.SOURCE, address);
  }

  static Described target(@Nullable Object address) {
    return described(Descriptor.TARGET, address);
  }

  static byte[] open() {
    return frame(0, Descriptor.OPEN, "client", "host", uint(65536), null, uint(60_000));
  }

  static byte[] begin(int channel, int incomingWindow) {
    return frame(channel, Descriptor.BEGIN, null, uint(0), uint(incomingWindow), uint(2048));
  }

  /** An attach of a client that receives. */
  static byte[] attachReceiver(int channel, int handle, String name) {
    return frame(
        channel,
        Descriptor.ATTACH,
        name,
        uint(handle),
        true,
        ubyte(0),
        ubyte(1),
        source("q"),
        target("t"));
  }

  /** An attach of a client that sends. */
  static byte[] attachSender(int channel, int handle, String name) {
    return frame(
        channel,
        Descriptor.ATTACH,
        name,
        uint(handle),
        false,
        null,
        null,
        source("s"),
        target("q"),
        null,
        null,
        uint(0));
  }

  static byte[] credit(int channel, int handle, int deliveryCount, long credit) {
    return flow(channel, 0, 5000, handle, deliveryCount, credit, false, false);
  }

  static byte[] flow(
      int channel,
      int nextIncomingId,
      int incomingWindow,
      int handle,
      int deliveryCount,
      long credit,
      boolean drain,
      boolean echo) {
    return frame(
        channel,
        Descriptor.FLOW,
        uint(nextIncomingId),
        uint(incomingWindow),
        uint(0),
        uint(2048),
        uint(handle),
        uint(deliveryCount),
        uint(credit),
        null,
        drain,
        echo);
  }

  static byte[] sessionFlow(int channel, int nextIncomingId, int incomingWindow, boolean echo) {
    return frame(
        channel,
        Descriptor.FLOW,
        uint(nextIncomingId),
        uint(incomingWindow),
        uint(0),
        uint(2048),
        null,
        null,
        null,
        null,
        null,
        echo);
  }

  static byte[] transfer(int channel, int handle, int id, boolean settled, byte[] payload) {
    return transfer(channel, handle, uint(id), settled, false, false, payload);
  }

  static byte[] transfer(
      int channel,
      int handle,
      Unsigned.@Nullable Uint id,
      @Nullable Boolean settled,
      boolean more,
      boolean aborted,
      byte[] payload) {
    var fields =
        new @Nullable Object[] {
          uint(handle), id, new byte[] {7}, uint(0), settled, more, null, null, null, aborted
        };
    return frame(0, channel, Descriptor.TRANSFER, fields, payload);
  }

  static byte[] disposition(
      int channel, int first, @Nullable Integer last, boolean settled, @Nullable Object state) {
    return frame(
        channel,
        Descriptor.DISPOSITION,
        true,
        uint(first),
        last == null ? null : uint(last),
        settled,
        state);
  }

  static byte[] detach(int channel, int handle) {
    return frame(channel, Descriptor.DETACH, uint(handle), true);
  }
}
