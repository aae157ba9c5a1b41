package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.limits.EngineConfig;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.session.AmqpSession;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection whose client and edge do what a source of chance tells them: mostly sound frames
 * with odd numbers, some damaged ones, some noise; cut anywhere. After every step the invariants
 * are checked: nothing is thrown, what was written can be read, counts agree, ends are told once.
 */
final class FuzzedConnection {
  /** Where the choices come from. */
  interface Chance {
    /** A number from 0 to {@code bound} - 1. */
    int below(int bound);

    /** Whether there is more to come. */
    boolean hasMore();
  }

  private final Chance chance;
  private final FuzzedEdge edge;
  private final AmqpEngine engine;
  private final FuzzedFrames frames;
  private final ByteBuf wire = Unpooled.buffer();
  private long now;

  FuzzedConnection(Chance chance) {
    this.chance = chance;
    edge = new FuzzedEdge(chance);
    frames = new FuzzedFrames(chance);
    var config =
        EngineConfig.defaults("fuzzed")
            .withSaslRequired(chance.below(2) == 0)
            .withLimits(new EngineConfig.Limits(2048, 255, 3, 4));
    engine =
        new AmqpEngine(config, UnpooledByteBufAllocator.DEFAULT, edge, 0, -chance.below(40), null);
    edge.bind(engine);
  }

  /**
   * Runs until the connection is finished or chance ends; broken invariants are assertion errors.
   */
  void run(int mostSteps) {
    handshake();
    for (int step = 0; step < mostSteps && chance.hasMore() && !engine.isFinished(); step++) {
      step();
      checkInvariants();
    }
    engine.connectionLost();
    edge.checkEnds();
    wire.release();
  }

  private void handshake() {
    wire.writeBytes(ClientFrames.hex(ClientFrames.SASL_HEADER));
    wire.writeBytes(ClientFrames.saslInit("ANONYMOUS"));
    wire.writeBytes(ClientFrames.hex(ClientFrames.AMQP_HEADER));
    wire.writeBytes(frames.open());
    wire.writeBytes(ClientFrames.begin(0, 1 + chance.below(20)));
    send();
  }

  private void step() {
    switch (chance.below(12)) {
      case 0, 1, 2 -> edge.act();
      case 3 -> {
        now += chance.below(400_000);
        long next = engine.tick(now);
        require(next > now || !(engine.state() instanceof ConnectionState.Open), "tick went back");
      }
      default -> {
        for (int i = chance.below(4); i >= 0; i--) {
          wire.writeBytes(frames.next());
        }
        send();
      }
    }
  }

  /** Feeds what is on the wire in pieces. */
  private void send() {
    while (wire.isReadable()) {
      int bytes = chance.below(3) == 0 ? 1 + chance.below(30) : wire.readableBytes();
      ByteBuf piece = wire.readBytes(Math.min(bytes, wire.readableBytes()));
      engine.ingest(piece, now);
      require(!piece.isReadable(), "input was left over");
      piece.release();
    }
    wire.clear();
  }

  private void checkInvariants() {
    checkOutput();
    for (AmqpSession session : edge.sessions) {
      int sum = 0;
      for (SendingLink link : edge.sendingLinksOf(session)) {
        sum += link.unsettledCount();
        require(link.isAttached() || link.unsettledCount() == 0, "a dead link keeps deliveries");
        require(link.credit() >= 0, "credit is negative");
      }
      require(sum == session.unsettledCount(), "unsettled counts differ");
    }
  }

  private void checkOutput() {
    ByteBuf out = engine.takeOutput();
    if (out == null) {
      return;
    }
    try {
      List<SentFrame> sent = new ArrayList<>(SentFrame.parseAll(out));
      sent.forEach(FuzzedConnection::checkFields);
    } catch (AmqpDecodeException malformed) {
      throw new AssertionError("the engine wrote what cannot be read", malformed);
    } finally {
      out.release();
    }
  }

  private static void checkFields(SentFrame frame) {
    int wanted =
        switch ((int) frame.code()) {
          case 0x10 -> 10;
          case 0x11 -> 8;
          case 0x12 -> 14;
          case 0x13, 0x14 -> 11;
          case 0x15 -> 6;
          case 0x16 -> 3;
          case 0x17, 0x18, 0x40 -> 1;
          case 0x44 -> 2;
          default -> 0;
        };
    require(frame.fields().size() == wanted, "not the full list of fields: " + frame);
    require(frame.hex().length() / 2 <= 2048, "a frame is too large");
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
