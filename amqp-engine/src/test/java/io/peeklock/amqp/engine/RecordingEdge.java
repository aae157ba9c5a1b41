package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBufUtil;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.link.AmqpLink;
import io.peeklock.amqp.engine.link.AttachReply;
import io.peeklock.amqp.engine.link.IncomingTransfer;
import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.engine.sasl.SaslCode;
import io.peeklock.amqp.engine.sasl.SaslInit;
import io.peeklock.amqp.engine.session.AmqpSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An edge that writes down what it hears, one line per callback, and does the obvious unless told
 * otherwise: says yes to SASL and to links.
 */
final class RecordingEdge implements EngineListener {
  final List<String> heard = new ArrayList<>();
  final List<SendingLink> sending = new ArrayList<>();
  final List<ReceivingLink> receiving = new ArrayList<>();
  final List<AmqpSession> sessions = new ArrayList<>();
  @Nullable AmqpEngine engine;
  @Nullable SaslCode saslAnswer = SaslCode.OK;
  @Nullable AttachReply attachAnswer = AttachReply.ofMaxMessageSize(1024);
  Consumer<IncomingTransfer> onTransfer = transfer -> {};
  Consumer<SendingLink> onCredit = link -> {};
  Consumer<AmqpSession> onSendable = session -> {};
  DispositionAction onDisposition = (link, id, state, settled) -> {};
  Runnable always = () -> {};

  /** What to do about a disposition. */
  @FunctionalInterface
  interface DispositionAction {
    void about(SendingLink link, int id, PeerState state, boolean settled);
  }

  SendingLink lastSending() {
    return sending.getLast();
  }

  ReceivingLink lastReceiving() {
    return receiving.getLast();
  }

  AmqpSession lastSession() {
    return sessions.getLast();
  }

  List<String> takeHeard() {
    var copy = List.copyOf(heard);
    heard.clear();
    return copy;
  }

  private void hear(String line) {
    heard.add(line);
    always.run();
  }

  @Override
  public void onSaslInit(SaslInit init) {
    hear("sasl " + init.mechanism() + " " + init.response().length + " " + init.hostname());
    if (saslAnswer != null) {
      Objects.requireNonNull(engine).saslOutcome(saslAnswer);
    }
  }

  @Override
  public void onOpen(PeerOpen open) {
    hear("open " + open.containerId());
  }

  @Override
  public void onBegin(AmqpSession session) {
    sessions.add(session);
    hear("begin " + session.channel());
  }

  @Override
  public void onEnd(AmqpSession session, @Nullable AmqpError error) {
    hear("end " + session.channel() + told(error));
  }

  @Override
  public void onAttachReceiving(ReceivingLink link) {
    receiving.add(link);
    hear("attach receiving " + link.name());
    if (attachAnswer != null) {
      link.accept(attachAnswer);
    }
  }

  @Override
  public void onAttachSending(SendingLink link) {
    sending.add(link);
    hear("attach sending " + link.name());
    if (attachAnswer != null) {
      link.accept(attachAnswer);
    }
  }

  @Override
  public void onDetach(AmqpLink link, @Nullable AmqpError error) {
    hear("detach " + link.name() + told(error));
  }

  @Override
  public void onTransfer(IncomingTransfer transfer) {
    hear(
        "transfer "
            + Integer.toUnsignedString(transfer.deliveryId())
            + (transfer.isFirst() ? " first" : "")
            + (transfer.hasMore() ? " more" : "")
            + (transfer.isAborted() ? " aborted" : "")
            + (transfer.isSettled() ? " settled" : "")
            + " "
            + ByteBufUtil.hexDump(
                transfer.buffer(), transfer.payloadOffset(), transfer.payloadLength()));
    onTransfer.accept(transfer);
  }

  @Override
  public void onCredit(SendingLink link, long deliveryLimit, boolean drain) {
    hear("credit " + link.name() + " to " + deliveryLimit + (drain ? " drain" : ""));
    onCredit.accept(link);
  }

  @Override
  public void onDisposition(
      SendingLink link, int deliveryId, long context, PeerState state, boolean settled) {
    hear(
        "disposition "
            + Integer.toUnsignedString(deliveryId)
            + " context "
            + context
            + " "
            + state.kind()
            + (settled ? " settled" : ""));
    onDisposition.about(link, deliveryId, state, settled);
  }

  @Override
  public void onSendable(AmqpSession session) {
    hear("sendable " + session.channel());
    onSendable.accept(session);
  }

  @Override
  public void onClose(@Nullable AmqpError error) {
    hear("close" + told(error));
  }

  @Override
  public void onFatal(AmqpError error) {
    hear("fatal " + error.condition());
  }

  private static String told(@Nullable AmqpError error) {
    return error == null ? "" : " " + error.condition();
  }
}
