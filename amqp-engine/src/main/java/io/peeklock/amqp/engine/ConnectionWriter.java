package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.FrameWriter;
import io.peeklock.amqp.engine.framing.Output;
import io.peeklock.amqp.engine.limits.EngineConfig;
import org.jspecify.annotations.Nullable;

/** Encodes the frames of the connection: protocol headers, heartbeats, open and close. */
final class ConnectionWriter {
  static final long AMQP_HEADER = 0x414d5150_00010000L;
  static final long SASL_HEADER = 0x414d5150_03010000L;

  private ConnectionWriter() {}

  static void protocolHeader(Output output, long header) {
    output.withRoom(Long.BYTES).writeLong(header);
  }

  static void heartbeat(Output output) {
    output
        .withRoom(FrameWriter.HEADER)
        .writeInt(FrameWriter.HEADER)
        .writeInt(FrameWriter.AMQP_TYPE);
  }

  static void open(Output output, EngineConfig config) {
    ByteBuf out = output.withRoom(FrameWriter.SMALL_ROOM);
    int frame = FrameWriter.beginFrame(out, FrameWriter.AMQP_TYPE);
    int list = FrameWriter.beginPerformative(out, Descriptor.OPEN);
    AmqpWriter.writeString(out, config.containerId());
    AmqpWriter.writeNull(out); // hostname
    AmqpWriter.writeUint(out, config.limits().maxFrameSize());
    AmqpWriter.writeUshort(out, config.limits().channelMax());
    AmqpWriter.writeUint(out, (int) config.times().idleTimeOutMillis());
    FrameWriter.writeNulls(out, 4); // locales and capabilities
    AmqpValues.encodeSymbolMap(out, config.openProperties());
    AmqpWriter.endList(out, list, 10);
    FrameWriter.endFrame(out, frame);
  }

  static void close(Output output, @Nullable AmqpError error) {
    FrameWriter.writeEnd(output, FrameWriter.AMQP_TYPE, Descriptor.CLOSE, error);
  }
}
