package io.peeklock.amqp.engine;

import static io.peeklock.amqp.engine.ClientFrames.AMQP_HEADER;
import static io.peeklock.amqp.engine.ClientFrames.SASL_HEADER;
import static io.peeklock.amqp.engine.ClientFrames.hex;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.peeklock.amqp.engine.limits.EngineConfig;
import io.peeklock.amqp.engine.link.SendingLink;
import java.util.List;

/** An engine with a recording edge, and a client that feeds it frames and reads its answers. */
final class EngineFixture {
  static final EngineConfig CONFIG = EngineConfig.defaults("peeklock");

  final RecordingEdge edge = new RecordingEdge();
  final AmqpEngine engine;
  long now = 1_000_000;

  EngineFixture() {
    this(CONFIG, 0);
  }

  EngineFixture(EngineConfig config, int firstId) {
    engine = new AmqpEngine(config, UnpooledByteBufAllocator.DEFAULT, edge, now, firstId, null);
    edge.engine = engine;
  }

  /** A fixture whose opens are exchanged, with nothing heard or written yet. */
  static EngineFixture opened() {
    return opened(CONFIG, 0, ClientFrames.open());
  }

  static EngineFixture opened(EngineConfig config, int firstId, byte[] open) {
    var fixture = new EngineFixture(config, firstId);
    fixture.feed(hex(SASL_HEADER));
    fixture.feed(ClientFrames.saslInit("ANONYMOUS"));
    fixture.feed(hex(AMQP_HEADER));
    fixture.feed(open);
    return fixture.forget();
  }

  /** As {@link #opened}, with a session on channel 1. */
  static EngineFixture begun() {
    return opened().begin(1, 5000);
  }

  /** As {@link #begun}, with a client receiver on handle 0 that gave credit. */
  static EngineFixture receiving(int credit) {
    var fixture = begun();
    fixture.feed(ClientFrames.attachReceiver(1, 0, "r"));
    fixture.feed(ClientFrames.credit(1, 0, 0, credit));
    return fixture.forget();
  }

  /** As {@link #begun}, with a client sender on handle 0. */
  static EngineFixture sending() {
    var fixture = begun();
    fixture.feed(ClientFrames.attachSender(1, 0, "s"));
    return fixture.forget();
  }

  EngineFixture begin(int channel, int incomingWindow) {
    feed(ClientFrames.begin(channel, incomingWindow));
    return forget();
  }

  EngineFixture forget() {
    frames();
    edge.takeHeard();
    return this;
  }

  void feed(byte[]... parts) {
    for (byte[] part : parts) {
      ByteBuf input = Unpooled.wrappedBuffer(part);
      engine.ingest(input, now);
      input.release();
    }
  }

  /** Everything written since the last call. */
  List<SentFrame> frames() {
    ByteBuf out = engine.takeOutput();
    if (out == null) {
      return List.of();
    }
    try {
      return SentFrame.parseAll(out);
    } finally {
      out.release();
    }
  }

  List<String> hexes() {
    return frames().stream().map(SentFrame::hex).toList();
  }

  SentFrame onlyFrame() {
    List<SentFrame> frames = frames();
    if (frames.size() != 1) {
      throw new AssertionError("not one frame: " + frames);
    }
    return frames.getFirst();
  }

  /** Sends one small message on the last client receiver. */
  int deliver(long context) {
    return deliver(edge.lastSending(), context, false, new byte[] {1, 2, 3});
  }

  int deliver(SendingLink link, long context, boolean settled, byte[] payload) {
    ByteBuf out = link.beginDelivery(context, 0x0102030405060708L, 0x090a0b0c0d0e0f10L, settled);
    out.writeBytes(payload);
    return link.endDelivery();
  }
}
