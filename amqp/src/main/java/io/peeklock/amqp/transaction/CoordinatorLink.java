package io.peeklock.amqp.transaction;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.engine.link.IncomingTransfer;
import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.TransactionId;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.error.RefusalConditions;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.LinkKind;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.link.PartialDelivery;
import io.peeklock.amqp.link.ShardPort;
import io.peeklock.amqp.request.RequestMessage;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.access.Right;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A link on which a client declares and discharges transactions (amqp.md 8). Each message on it is
 * answered with an outcome. Anybody may attach one, also before a token was put: rights are asked
 * of the work, and without any there is none.
 */
public final class CoordinatorLink extends NodeLink {
  /** A declare or a discharge takes a few dozen. */
  public static final int MOST_BYTES = 4_096;

  private static final MessageProblem OVERFULL =
      new MessageProblem(
          Conditions.RESOURCE_LIMIT_EXCEEDED,
          "Too many messages of this connection are half received. A retry may help");

  private static final EntityAddress NOWHERE = new EntityAddress("", false, false, false, false);

  private final ReceivingLink link;
  private final Transactions transactions;
  private final ShardPort port = new ShardPort(this);
  private final PartialDelivery partial;
  private @Nullable MessageProblem problem;

  /**
   * Which discharge an answer is for.
   *
   * @param committed what is settled by it; null for a rollback
   */
  record Discharging(int deliveryId, @Nullable TransactedDeliveries committed) implements Ticket {}

  public CoordinatorLink(LinkConnection connection, ReceivingLink link, Transactions transactions) {
    super(connection, NOWHERE);
    this.link = link;
    this.transactions = transactions;
    this.partial = new PartialDelivery(this);
  }

  @Override
  public LinkKind kind() {
    return LinkKind.COORDINATOR;
  }

  @Override
  public ReceivingLink link() {
    return link;
  }

  @Override
  public @Nullable Right needs() {
    return null;
  }

  @Override
  public boolean mayIdleOut() {
    return false;
  }

  ShardPort port() {
    return port;
  }

  @Override
  public void transfer(IncomingTransfer transfer) {
    if (transfer.isAborted()) {
      drop();
    } else if (transfer.isSettled()) { // S-397: nobody would hear the answer
      detach(
          Conditions.NOT_ALLOWED,
          "Messages to the transaction coordinator must not be sent settled");
    } else if (transfer.state().isTransactional()) {
      detach(
          Conditions.NOT_ALLOWED,
          "Transactions cannot be declared or discharged inside of a transaction");
    } else if (transfer.isFirst() && !transfer.hasMore()) {
      handle(
          transfer.deliveryId(),
          transfer.buffer(),
          transfer.payloadOffset(),
          transfer.payloadLength());
    } else {
      gather(transfer);
    }
  }

  private void gather(IncomingTransfer transfer) {
    if (problem == null && partial.lengthWith(transfer) > MOST_BYTES) {
      problem = malformed("it is too large");
    } else if (problem == null && !partial.add(transfer)) {
      problem = OVERFULL;
    }
    if (problem != null) {
      partial.drop();
    }
    if (!transfer.hasMore()) {
      endGathering(transfer.deliveryId());
    }
  }

  private void endGathering(int deliveryId) {
    var whole = partial.bytes();
    if (problem != null) {
      refuse(deliveryId, problem);
    } else if (whole != null) {
      handle(deliveryId, whole, whole.readerIndex(), whole.readableBytes());
    }
    drop();
  }

  private void drop() {
    problem = null;
    partial.drop();
  }

  private void handle(int deliveryId, ByteBuf buffer, int offset, int length) {
    try {
      if (RequestMessage.decode(buffer, offset, length).body() instanceof Described asked
          && asked.value() instanceof List<?> fields) {
        handle(deliveryId, code(asked), fields);
      } else {
        refuse(deliveryId, malformed("its body is not one described list"));
      }
    } catch (AmqpDecodeException wrong) {
      refuse(deliveryId, malformed(String.valueOf(wrong.getMessage())));
    }
  }

  private static long code(Described asked) {
    return switch (asked.descriptor()) {
      case Unsigned number -> number.value();
      case Symbol name -> code(name.text());
      default -> Descriptor.UNKNOWN;
    };
  }

  private static long code(String name) {
    return switch (name) {
      case "amqp:declare:list" -> Descriptor.DECLARE;
      case "amqp:discharge:list" -> Descriptor.DISCHARGE;
      default -> Descriptor.UNKNOWN;
    };
  }

  private void handle(int deliveryId, long code, List<?> fields) {
    if (code == Descriptor.DECLARE) {
      declare(deliveryId, fields);
    } else if (code == Descriptor.DISCHARGE) {
      discharge(deliveryId, fields);
    } else {
      refuse(deliveryId, malformed("it is neither declare nor discharge"));
    }
  }

  private void declare(int deliveryId, List<?> fields) {
    if (!fields.isEmpty() && fields.getFirst() != null) { // S-402
      refuse(
          deliveryId,
          new MessageProblem(
              Conditions.NOT_IMPLEMENTED, "Distributed transactions are not implemented"));
      return;
    }
    var transaction = transactions.declare(this);
    if (transaction == null) {
      refuse(
          deliveryId,
          new MessageProblem(
              Conditions.RESOURCE_LIMIT_EXCEEDED,
              "Too many transactions of this connection are open. A retry may help"));
      return;
    }
    settle(deliveryId, new Outcome.Declared(transaction.id()));
  }

  private void discharge(int deliveryId, List<?> fields) {
    if (fields.isEmpty() || !(fields.getFirst() instanceof byte[] bytes)) {
      refuse(deliveryId, malformed("a discharge names no transaction"));
      return;
    }
    var fail = fields.size() > 1 && Boolean.TRUE.equals(fields.get(1));
    var transaction = transactions.find(TransactionId.of(bytes));
    if (transaction == null || !transaction.isOf(this) || transaction.isDischarged()) {
      refuse(deliveryId, Transactions.UNKNOWN); // S-398
      return;
    }
    connection.submitGathered(); // what was asked in it before must be asked before its end
    transaction.discharge(deliveryId, fail);
  }

  private static MessageProblem malformed(String why) {
    return new MessageProblem(
        Conditions.DECODE_ERROR, "The message to the coordinator is not well-formed: " + why);
  }

  /** Says no to a declare or a discharge. */
  void refuse(int deliveryId, MessageProblem why) {
    settle(
        deliveryId,
        new Outcome.Rejected(connection.errors().error(why.condition(), why.sentence(), "")));
  }

  private void settle(int deliveryId, Outcome outcome) {
    if (link.isAttached()) {
      link.session().settleIncoming(deliveryId, deliveryId, outcome);
    }
  }

  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    if (effect instanceof Effect.TransactionEnded ended
        && ended.ticket() instanceof Discharging discharging) {
      if (discharging.committed() != null) {
        discharging.committed().settle();
      }
      settle(discharging.deliveryId(), Outcome.ACCEPTED);
    } else if (effect instanceof Effect.Refused refused
        && refused.ticket() instanceof Discharging discharging) {
      var why = RefusalConditions.problem(refused.refusal(), "", connection.errors());
      refuse(
          discharging.deliveryId(),
          new MessageProblem(
              Conditions.TRANSACTION_ROLLBACK,
              "The transaction was rolled back, as it could not be committed: " + why.sentence()));
    } else {
      throw new IllegalStateException("not for a coordinator: " + effect);
    }
  }

  @Override
  public void ended() {
    partial.close();
    drop();
    transactions.abandon(this);
  }
}
