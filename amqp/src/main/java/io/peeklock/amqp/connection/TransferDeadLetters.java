package io.peeklock.amqp.connection;

import io.peeklock.amqp.engine.link.AmqpLink;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.error.RefusalConditions;
import io.peeklock.amqp.limit.ReadPauses;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.Submission;
import org.jspecify.annotations.Nullable;

/**
 * Creates the transfer dead-letter queue of an entity before a link attaches to it (S-205): few
 * entities ever need one, so it is created on demand.
 */
final class TransferDeadLetters extends Endpoint {
  private final LinkConnection connection;
  private final EventLoopContext loopContext;
  private final AmqpLink link;
  private final EntityAddress address;
  private final Runnable attach;

  private record Made() implements Ticket {}

  /**
   * For one link.
   *
   * @param address the address that the link attaches to
   * @param attach continues the attach on the connection's event loop, without requesting the queue
   *     again
   */
  TransferDeadLetters(
      LinkConnection connection, AmqpLink link, EntityAddress address, Runnable attach) {
    this.connection = connection;
    this.loopContext = connection.loopContext(); // it has come where it stays
    this.link = link;
    this.address = address;
    this.attach = attach;
  }

  void make(QueueDefinition entity) {
    var definition = QueueRole.Transfers.of(entity, null);
    connection.submit(Submission.of(new Request.CreateQueue(this, new Made(), definition)));
  }

  /** The answer: created, existing, perhaps with other properties, or refused. */
  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    var refusal = effect instanceof Effect.Refused refused ? refused.refusal() : null;
    loopContext.later(connection, () -> resume(refusal));
  }

  private void resume(@Nullable Refusal refusal) {
    if (!link.isPending()) {
      return; // the client has detached meanwhile
    }
    if (refusal != null && !(refusal instanceof Refusal.EntityAlreadyExists)) {
      var problem = RefusalConditions.problem(refusal, address.shown(), connection.errors());
      link.refuse(
          connection.errors().error(problem.condition(), problem.sentence(), address.shown()));
      return;
    }
    attach.run();
    if (link.attachment() instanceof NodeLink node
        && link instanceof SendingLink sending
        && (sending.deliveryLimit() > 0 || sending.isDraining())) {
      node.credit(sending.deliveryLimit(), sending.isDraining()); // credit that came meanwhile
    }
  }

  @Override
  public void flush() {
    // Nothing to flush: answers are passed on at once.
  }

  @Override
  public void resume() {
    loopContext.later(connection, () -> connection.resume(ReadPauses.MAILBOX));
  }

  @Override
  public void unreadable(String reason) {
    // Never called, as no bodies are requested.
  }

  @Override
  public void execute(Runnable task) {
    loopContext.execute(connection, task);
  }
}
