package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.FrameCutter;
import io.peeklock.amqp.engine.framing.FrameText;
import io.peeklock.amqp.engine.framing.FrameTrace;
import io.peeklock.amqp.engine.framing.Performative;
import io.peeklock.amqp.engine.framing.ProtocolViolation;
import io.peeklock.amqp.engine.sasl.SaslInit;
import io.peeklock.amqp.engine.sasl.SaslWriter;

/**
 * Handles frames from the cutter: protocol headers, SASL, open and close itself; the others go to
 * their session.
 */
final class ConnectionFrames implements FrameCutter.Sink {
  private static final int SASL_FRAME_SIZE = 512;
  private static final int FRAME_HEADER = 8;
  private static final int AMQP_TYPE = 0;
  private static final int SASL_TYPE = 1;

  private final AmqpEngine engine;
  private final Performative fields = new Performative();

  ConnectionFrames(AmqpEngine engine) {
    this.engine = engine;
  }

  @Override
  public boolean wantsHeader() {
    return switch (engine.state()) {
      case ConnectionState.AwaitingHeader state -> true;
      case ConnectionState.AwaitingAmqpHeader state -> true;
      default -> false;
    };
  }

  @Override
  public boolean isPaused() {
    return engine.state() instanceof ConnectionState.AwaitingSaslOutcome;
  }

  @Override
  public boolean isFull() {
    return engine.listener().isFull();
  }

  @Override
  public boolean isFinished() {
    return engine.isFinished();
  }

  @Override
  public int maxFrameSize() {
    boolean sasl = engine.state() instanceof ConnectionState.AwaitingSaslInit;
    return sasl ? SASL_FRAME_SIZE : engine.config().limits().maxFrameSize();
  }

  @Override
  public void onHeader(long header) {
    FrameTrace trace = engine.trace();
    if (trace != null) {
      trace.received(FrameText.header(header));
    }
    boolean first = engine.state() instanceof ConnectionState.AwaitingHeader;
    if (first
        && header == ConnectionWriter.SASL_HEADER
        && !engine.config().saslMechanisms().isEmpty()) {
      ConnectionWriter.protocolHeader(engine.output(), ConnectionWriter.SASL_HEADER);
      SaslWriter.mechanisms(engine.output(), engine.config().saslMechanisms());
      engine.enter(new ConnectionState.AwaitingSaslInit());
    } else if (header == ConnectionWriter.AMQP_HEADER
        && !(first && engine.config().saslRequired())) {
      // Not a byte of ours before theirs: JavaScript would not read on (T-02).
      ConnectionWriter.protocolHeader(engine.output(), ConnectionWriter.AMQP_HEADER);
      engine.enter(new ConnectionState.AwaitingOpen());
    } else {
      refuseHeader(header);
    }
  }

  /** Answers with the header that we want, as the specification asks (2.2), and closes. */
  private void refuseHeader(long header) {
    boolean sasl =
        engine.state() instanceof ConnectionState.AwaitingHeader && engine.config().saslRequired();
    ConnectionWriter.protocolHeader(
        engine.output(), sasl ? ConnectionWriter.SASL_HEADER : ConnectionWriter.AMQP_HEADER);
    String problem =
        header == ConnectionWriter.AMQP_HEADER
            ? "SASL is required"
            : "not the header of AMQP 1.0: " + Long.toHexString(header);
    throw ProtocolViolation.of(AmqpError.FRAMING_ERROR, problem);
  }

  @Override
  public void onFrame(ByteBuf buffer, int offset, int size) {
    FrameTrace trace = engine.trace();
    if (trace != null) {
      trace.received(FrameText.frame(buffer, offset, size));
    }
    int dataOffset = 4 * buffer.getUnsignedByte(offset + 4);
    int type = buffer.getUnsignedByte(offset + 5);
    boolean sasl = engine.state() instanceof ConnectionState.AwaitingSaslInit;
    if (dataOffset < FRAME_HEADER || dataOffset > size) {
      throw ProtocolViolation.of(
          AmqpError.FRAMING_ERROR, "the data offset is outside of the frame");
    }
    if (type != (sasl ? SASL_TYPE : AMQP_TYPE)) {
      throw ProtocolViolation.of(AmqpError.FRAMING_ERROR, "a frame of the wrong type");
    }
    int bodyAt = offset + dataOffset;
    int end = offset + size;
    if (sasl) {
      onSaslFrame(buffer, bodyAt, end);
    } else if (bodyAt < end) { // otherwise a heartbeat
      onAmqpFrame(buffer, buffer.getUnsignedShort(offset + 6), bodyAt, end);
    }
  }

  private void onSaslFrame(ByteBuf buffer, int bodyAt, int end) {
    int behind = fields.locate(buffer, bodyAt, end);
    if (fields.code() != Descriptor.SASL_INIT || behind != end) {
      throw ProtocolViolation.of(AmqpError.NOT_ALLOWED, "sasl-init is due");
    }
    var init = new SaslInit(fields.requiredText(0, "mechanism"), fields.binary(1), fields.text(2));
    engine.onSaslInit(init);
  }

  private void onAmqpFrame(ByteBuf buffer, int channel, int bodyAt, int end) {
    int payloadAt = fields.locate(buffer, bodyAt, end);
    long code = fields.code();
    if (code < Descriptor.OPEN || code > Descriptor.CLOSE) {
      throw ProtocolViolation.of(AmqpError.NOT_ALLOWED, "not a performative of a connection");
    }
    if (payloadAt != end && code != Descriptor.TRANSFER) {
      throw ProtocolViolation.of(AmqpError.FRAMING_ERROR, "bytes are left behind the performative");
    }
    switch (engine.state()) {
      case ConnectionState.AwaitingOpen state -> onFirstFrame();
      case ConnectionState.Open state -> onOpenFrame(channel, payloadAt, end);
      case ConnectionState.CloseSent state -> {
        if (code == Descriptor.CLOSE) {
          engine.enter(new ConnectionState.Finished(state.error()));
        }
      }
      default -> throw new IllegalStateException("no frame is due");
    }
  }

  private void onFirstFrame() {
    if (fields.code() != Descriptor.OPEN) {
      throw ProtocolViolation.of(AmqpError.NOT_ALLOWED, "open is due");
    }
    long idle = fields.unsigned(4, 0);
    var open =
        new PeerOpen(
            fields.requiredText(0, "open.container-id"),
            fields.text(1),
            Math.max(SASL_FRAME_SIZE, fields.unsigned(2, 0xffff_ffffL)),
            (int) fields.unsigned(3, 0xffff),
            idle,
            fields.textMap(9));
    engine.onOpen(open);
  }

  private void onOpenFrame(int channel, int payloadAt, int end) {
    if (channel > engine.config().limits().channelMax()) {
      throw ProtocolViolation.of(AmqpError.FRAMING_ERROR, "a channel is above channel-max");
    }
    switch ((int) fields.code()) {
      case (int) Descriptor.OPEN ->
          throw ProtocolViolation.of(AmqpError.ILLEGAL_STATE, "the connection is open already");
      case (int) Descriptor.CLOSE -> engine.onClose(fields.error(0));
      case (int) Descriptor.BEGIN -> engine.sessions().onBegin(channel, fields);
      default -> engine.sessions().onFrame(channel, fields, payloadAt, end);
    }
  }
}
