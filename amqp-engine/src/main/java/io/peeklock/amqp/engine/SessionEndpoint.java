package io.peeklock.amqp.engine;

import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.Performative;
import io.peeklock.amqp.engine.framing.ProtocolViolation;
import io.peeklock.amqp.engine.link.ConnectionContext;
import io.peeklock.amqp.engine.link.SessionLinks;
import io.peeklock.amqp.engine.link.SessionListener;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.session.AmqpSession;
import io.peeklock.amqp.engine.session.SessionWriter;
import io.peeklock.amqp.engine.session.SettlementBuffer;
import org.jspecify.annotations.Nullable;

/** Our end of an AMQP session: its state, its end, and the dispatch of frames to its parts. */
final class SessionEndpoint implements AmqpSession {
  /** Where a session is; each may go to those after it. */
  private enum Phase {
    OPEN,
    END_SENT,
    OVER
  }

  private final SessionChannels table;
  private final SessionListener listener;
  private final int channel;
  private final SessionWriter writer;
  private final SettlementBuffer settlements;
  private final SessionLinks links;
  private Phase phase = Phase.OPEN;
  private boolean owesEnd = true;
  private @Nullable Object attachment;

  /** Reads a begin; what is malformed becomes a {@link ProtocolViolation}. */
  SessionEndpoint(
      SessionChannels table, ConnectionContext connection, int channel, Performative begin) {
    this.table = table;
    this.listener = connection.listener();
    this.channel = channel;
    writer = new SessionWriter(connection.output(), channel);
    settlements = new SettlementBuffer(connection.unflushed(), writer);
    links = new SessionLinks(this, connection, writer, settlements, begin);
  }

  @Override
  public int channel() {
    return channel;
  }

  @Override
  public boolean isOpen() {
    return phase == Phase.OPEN;
  }

  @Override
  public @Nullable Object attachment() {
    return attachment;
  }

  @Override
  public void attach(@Nullable Object attachment) {
    this.attachment = attachment;
  }

  @Override
  public void settleIncoming(int firstDeliveryId, int lastDeliveryId, Outcome outcome) {
    if (isOpen()) {
      settlements.settleIncoming(firstDeliveryId, lastDeliveryId, outcome);
    }
  }

  @Override
  public int sendableFrames() {
    return isOpen() ? links.sendableFrames() : 0;
  }

  @Override
  public int unsettledCount() {
    return links.unsettledCount();
  }

  @Override
  public void end(@Nullable AmqpError error) {
    if (!isOpen()) {
      return;
    }
    owesEnd = false;
    endFromHere(error);
  }

  /** Writes our begin. */
  void answer(int firstId, int handleMax) {
    writer.begin(firstId, handleMax);
  }

  // ------------------------------------------------------------------ frames of this session

  /** Takes a frame of this channel; {@code payloadAt} to {@code end} is a transfer's payload. */
  void onFrame(Performative fields, int payloadAt, int end) {
    int code = (int) fields.code();
    if (code == (int) Descriptor.END) {
      onEnd(fields.error(0));
    } else if (phase != Phase.OPEN) {
      return; // we ended it; the client may not know yet
    } else {
      switch (code) {
        case (int) Descriptor.TRANSFER -> links.onTransfer(fields, payloadAt, end);
        case (int) Descriptor.DISPOSITION -> links.onDisposition(fields);
        case (int) Descriptor.FLOW -> links.onFlow(fields);
        case (int) Descriptor.ATTACH -> onAttach(fields, end);
        case (int) Descriptor.DETACH -> links.onDetach(fields);
        default -> throw new IllegalStateException("not a frame of a session: " + code);
      }
    }
  }

  private void onAttach(Performative attach, int end) {
    AmqpError error = links.onAttach(attach, end);
    if (error != null) {
      endFromHere(error);
      tellEnd(error);
    }
  }

  private void onEnd(@Nullable AmqpError error) {
    table.remove(this);
    if (phase == Phase.OPEN) {
      settlements.flush();
      writer.end(null);
    }
    over(error);
  }

  // ------------------------------------------------------------------ ends

  /** Silences the session and its links, without a frame or a callback. */
  void silence() {
    phase = Phase.OVER;
    settlements.discard();
    links.silence();
  }

  /** Ends the session without a frame, and makes the pending callbacks for its links and itself. */
  void over(@Nullable AmqpError error) {
    silence();
    links.end();
    tellEnd(error);
  }

  private void endFromHere(@Nullable AmqpError error) {
    settlements.flush();
    writer.end(error);
    phase = Phase.END_SENT;
    links.end();
  }

  private void tellEnd(@Nullable AmqpError error) {
    if (owesEnd) {
      owesEnd = false;
      listener.onEnd(this, error);
    }
  }
}
