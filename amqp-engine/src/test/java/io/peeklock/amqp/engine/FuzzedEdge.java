package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.FuzzedConnection.Chance;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.link.AmqpLink;
import io.peeklock.amqp.engine.link.AttachReply;
import io.peeklock.amqp.engine.link.IncomingTransfer;
import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.engine.sasl.SaslCode;
import io.peeklock.amqp.engine.sasl.SaslInit;
import io.peeklock.amqp.engine.session.AmqpSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An edge that does what chance tells it, and counts what it is owed. */
final class FuzzedEdge implements EngineListener {
  final List<AmqpSession> sessions = new ArrayList<>();
  private final Chance chance;
  private final List<AmqpLink> links = new ArrayList<>();
  private final Map<Object, Integer> owed = new HashMap<>();
  private final List<ByteBuf> retained = new ArrayList<>();
  private @Nullable AmqpEngine engine;
  private boolean saslWaits;
  private boolean over;

  FuzzedEdge(Chance chance) {
    this.chance = chance;
  }

  void bind(AmqpEngine itsEngine) {
    engine = itsEngine;
  }

  List<SendingLink> sendingLinksOf(AmqpSession session) {
    var found = new ArrayList<SendingLink>();
    for (AmqpLink link : links) {
      if (link instanceof SendingLink sending && sending.session().equals(session)) {
        found.add(sending);
      }
    }
    return found;
  }

  void checkEnds() {
    owed.forEach(
        (what, times) -> FuzzedConnection.require(times == 0, "not ended exactly once: " + what));
    retained.forEach(
        payload ->
            FuzzedConnection.require(payload.refCnt() == 1 && payload.release(), "lost a payload"));
  }

  /** Does one thing on its own account. */
  void act() {
    if (saslWaits) {
      saslWaits = false;
      Objects.requireNonNull(engine)
          .saslOutcome(chance.below(8) == 0 ? SaslCode.AUTH : SaslCode.OK);
    } else if (!links.isEmpty() && !over) {
      act(links.get(chance.below(links.size())));
    }
  }

  private void act(AmqpLink link) {
    switch (chance.below(14)) {
      case 0 -> accept(link);
      case 1 -> endBy(link, () -> link.refuse(AmqpError.of("amqp:not-found", "no")));
      case 2 -> endBy(link, () -> link.detach(null));
      case 3 -> {
        if (chance.below(6) == 0) {
          endBy(link.session(), () -> link.session().end(null));
        }
      }
      case 4 -> Objects.requireNonNull(engine).flush();
      default -> {
        switch (link) {
          case SendingLink sending -> send(sending);
          case ReceivingLink receiving -> receive(receiving);
        }
      }
    }
  }

  private void receive(ReceivingLink link) {
    switch (chance.below(3)) {
      case 0 -> link.grantCredit(chance.below(9));
      case 1 -> link.autoCredit(chance.below(9));
      default -> link.session().settleIncoming(chance.below(9), 9, Outcome.ACCEPTED);
    }
  }

  private void send(SendingLink link) {
    switch (chance.below(8)) {
      case 0 -> link.drained();
      case 1 -> link.settle(chance.below(120) - 40, Outcome.ACCEPTED);
      case 2 -> link.abortLargeDelivery();
      case 3 ->
          link.continueLargeDelivery(
              Unpooled.wrappedBuffer(new byte[chance.below(2000)]), chance.below(2) == 0);
      case 4 -> {
        if (link.canSend()) {
          link.beginLargeDelivery(1, 2, 3, chance.below(2) == 0);
        }
      }
      default -> {
        if (link.canSend()) {
          deliver(link);
        }
      }
    }
  }

  private void deliver(SendingLink link) {
    ByteBuf out = link.beginDelivery(1, 2, 3, chance.below(3) == 0);
    out.writeZero(chance.below(chance.below(6) == 0 ? 5000 : 40));
    if (chance.below(9) == 0) {
      link.cancelDelivery();
    } else {
      link.endDelivery();
    }
  }

  private void accept(AmqpLink link) {
    link.accept(AttachReply.ofMaxMessageSize(1000));
  }

  /** What the edge ends itself is not owed any more, if it was still there to be ended. */
  private void endBy(Object what, Runnable action) {
    boolean alive = isAlive(what);
    action.run();
    if (alive && !isAlive(what)) {
      owed.merge(what, -1, Integer::sum);
    }
  }

  private static boolean isAlive(Object what) {
    return switch (what) {
      case AmqpLink link -> link.isPending() || link.isAttached();
      case AmqpSession session -> session.isOpen();
      default -> false;
    };
  }

  @Override
  public void onSaslInit(SaslInit init) {
    saslWaits = true;
    if (chance.below(2) == 0) {
      act();
    }
  }

  @Override
  public void onOpen(PeerOpen open) {
    maybeAct();
  }

  @Override
  public void onBegin(AmqpSession session) {
    sessions.add(session);
    owed.merge(session, 1, Integer::sum);
    maybeAct();
  }

  @Override
  public void onEnd(AmqpSession session, @Nullable AmqpError error) {
    owed.merge(session, -1, Integer::sum);
    maybeAct();
  }

  @Override
  public void onAttachReceiving(ReceivingLink link) {
    onAttach(link);
  }

  @Override
  public void onAttachSending(SendingLink link) {
    onAttach(link);
  }

  private void onAttach(AmqpLink link) {
    links.add(link);
    owed.merge(link, 1, Integer::sum);
    if (chance.below(4) > 0) {
      accept(link);
    }
    maybeAct();
  }

  @Override
  public void onDetach(AmqpLink link, @Nullable AmqpError error) {
    owed.merge(link, -1, Integer::sum);
    maybeAct();
  }

  @Override
  public void onTransfer(IncomingTransfer transfer) {
    if (retained.size() < 20) {
      retained.add(transfer.retainedPayload());
    }
    transfer.state().messageAnnotations();
    transfer.tag();
    maybeAct();
  }

  @Override
  public void onCredit(SendingLink link, long deliveryLimit, boolean drain) {
    if (drain && chance.below(2) == 0) {
      link.drained();
    }
    maybeAct();
  }

  @Override
  public void onDisposition(
      SendingLink link, int deliveryId, long context, PeerState state, boolean settled) {
    state.messageAnnotations();
    state.error();
    FuzzedConnection.require(context == 1, "another context");
    if (!settled && chance.below(3) > 0) {
      FuzzedConnection.require(link.settle(deliveryId, state.echo()), "told of a settled delivery");
    }
    maybeAct();
  }

  @Override
  public void onSendable(AmqpSession session) {
    maybeAct();
  }

  @Override
  public void onClose(@Nullable AmqpError error) {
    over = true;
  }

  @Override
  public void onFatal(AmqpError error) {
    over = true;
  }

  private void maybeAct() {
    if (chance.below(4) == 0) {
      act();
    }
  }
}
