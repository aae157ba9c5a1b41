package io.peeklock.kernel.apply;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.ReadyIndex;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.state.LockTable;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueReceiver;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.ScheduledMessages;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;
import java.util.LinkedHashSet;
import java.util.Set;

/** Applies grants: the only way in which locks and demand change. */
public final class GrantApplier {

  private final MachineState state;

  /** Applies grants to this state. */
  public GrantApplier(MachineState state) {
    this.state = state;
  }

  /** Applies one grant, after the facts of its decision. */
  public void apply(Grant grant) {
    switch (grant) { // no default: a new grant must be handled to compile
      case Grant.Locked locked -> lock(locked);
      case Grant.Extended extended -> extend(extended);
      case Grant.Unlocked unlocked -> unlock(unlocked);
      case Grant.Enlisted enlisted -> enlist(enlisted);
      case Grant.TransactionOver over -> withdraw(over);
      case Grant.SessionLocked locked -> lockSession(locked);
      case Grant.SessionExtended extended -> extendSession(extended);
      case Grant.SessionEnds ends -> endSession(ends);
      case Grant.AcceptorWaits waits -> await(waits);
      case Grant.AcceptorLeft left -> leave(left);
      case Grant.ReceiverOpened opened ->
          state.addReceiver(
              new QueueReceiver(opened.receiver(), opened.mode(), state.known(opened.queue())));
      case Grant.ReceiverClosed closed -> close(state.knownReceiver(closed.receiver()));
      case Grant.ReceiversLeave leave -> state.departing.add(leave.receivers(), leave.reason());
      case Grant.ReceiversLeft left -> state.departing.left(left.count());
      case Grant.EmptyingBegins begins -> state.emptyings.add(begins);
      case Grant.EmptyingEnds ends -> state.emptyings.remove();
      case Grant.RulesLetGo some -> state.entities.leavingRules().letGo(some.cost());
      case Grant.DemandSet set -> set(state.knownReceiver(set.receiver()), set);
      case Grant.DemandUsed used -> use(state.knownReceiver(used.receiver()), used);
      case Grant.DemandReturned returned ->
          giveBack(state.knownReceiver(returned.receiver()), returned);
      case Grant.DrainEnded ended -> endDrain(state.knownReceiver(ended.receiver()));
      case Grant.Swept swept -> sweep(swept);
      case Grant.ScheduleSwept swept -> sweep(swept);
      case Grant.ScheduleWaits waits -> await(waits);
      case Grant.WentOn over -> state.known(over.queue()).delay = null;
      case Grant.ForwardLooked looked -> {
        QueueState queue = state.known(looked.queue());
        queue.delay = null;
        queue.messages().readyIndex().forwardFrom(looked.nextSequenceNumber());
        state.forwards.hadItsTurn(queue);
      }
      case Grant.ForwardWaits waits ->
          state.forwards.wait(state.known(waits.queue()), waits.untilMillis(), waits.delay());
      case Grant.ForwardsRetried retried -> state.forwards.retry(retried.monotonicMillis());
      case Grant.Used used -> use(state.known(used.queue()), used);
      case Grant.NextTurn next -> state.bounds.of(next.due()).resumeFrom(next.queueNumber());
      case Grant.HadTurn had -> state.turns.had(had.work());
      case Grant.Ticked ticked -> ticked.queues().forEach(state::renewBounds);
    }
  }

  /** S-309: use of a subscription is use of its topic. */
  private void use(QueueState queue, Grant.Used used) {
    queue.use(used);
    state.bounds.note(queue, state.locks);
    if (queue.definition().role() instanceof QueueRole.Subscription subscription) {
      Invariant.present(state.queue(subscription.topicPath()), "a subscription has a topic")
          .use(used);
    }
  }

  private void lock(Grant.Locked grant) {
    QueueState queue = state.known(grant.queue());
    for (int i = 0; i < grant.lockIds().length; i++) {
      long number = grant.sequenceNumbers()[i];
      int slot = state.locks.take(grant.lockIds()[i], queue.id(), number, grant.deadlineMillis());
      state.locks.link(slot, queue.locks());
      queue.messages().lock(queue.messages().find(number), slot);
    }
    state.refresh(queue);
  }

  private void extend(Grant.Extended grant) {
    QueueState last = null;
    for (long lockId : grant.lockIds()) {
      QueueState queue = state.knownQueueOfLock(lockId);
      state.locks.extend(lockId, queue.locks(), grant.deadlineMillis());
      if (queue != last) {
        state.bounds.note(queue, state.locks); // it may end earlier, where durations were shortened
        last = queue;
      }
    }
  }

  /** Messages that stay keep their place, so they come first again (S-028, R-06). */
  private void unlock(Grant.Unlocked grant) {
    QueueState queue = state.known(grant.queue());
    for (long lockId : grant.lockIds()) {
      if (grant.available()) {
        long number = state.locks.number(LockTable.slotOf(lockId));
        queue.messages().unlock(queue.messages().find(number));
      }
      state.locks.release(lockId, queue.locks());
    }
    state.refresh(queue);
  }

  private void enlist(Grant.Enlisted grant) {
    QueueState queue = state.known(grant.queue());
    for (long lockId : grant.lockIds()) {
      state.locks.enlist(lockId, queue.locks(), grant.transaction());
    }
  }

  private void withdraw(Grant.TransactionOver grant) {
    LockTable locks = state.locks;
    Set<QueueState> queues = new LinkedHashSet<>();
    for (long lockId : locks.enlistments().end(grant.transaction())) {
      QueueState queue = state.knownQueueOfLock(lockId);
      locks.withdraw(LockTable.slotOf(lockId), queue.locks());
      queues.add(queue);
    }
    queues.forEach(state::refresh);
  }

  private void lockSession(Grant.SessionLocked grant) {
    QueueState queue = state.known(grant.queue());
    QueueReceiver receiver = new QueueReceiver(grant.receiver(), grant.mode(), queue);
    state.addReceiver(receiver);
    sessions(queue).lock(grant.sessionId(), receiver, grant.deadlineMillis(), grant.token());
    state.refresh(queue);
  }

  private void extendSession(Grant.SessionExtended grant) {
    SessionTable sessions = sessions(state.known(grant.queue()));
    Session session =
        Invariant.present(sessions.byId(grant.sessionId()), "a session that is held is there");
    sessions.extend(session, grant.deadlineMillis());
  }

  private void endSession(Grant.SessionEnds grant) {
    QueueState queue = state.known(grant.queue());
    Session session =
        Invariant.present(sessions(queue).byId(grant.sessionId()), "a session that ends is there");
    sessions(queue).endsLater(session, grant.counted());
    state.refresh(queue);
  }

  private void await(Grant.AcceptorWaits grant) {
    QueueState queue = state.known(grant.queue());
    sessions(queue)
        .acceptors()
        .add(
            new SessionTable.Acceptor(
                grant.receiver(),
                grant.ticket(),
                grant.mode(),
                grant.deadlineMillis(),
                grant.token()));
    state.addAcceptor(grant.receiver(), queue);
    state.refresh(queue);
  }

  private void await(Grant.ScheduleWaits grant) {
    QueueState topic = state.known(grant.queue());
    topic.delay = grant.delay();
    topic.scheduled().waitUntil(grant.untilMillis());
  }

  private void leave(Grant.AcceptorLeft grant) {
    QueueState queue =
        Invariant.present(state.queueOfAcceptor(grant.receiver()), "only one who waits leaves");
    sessions(queue).acceptors().remove(grant.receiver());
    state.removeAcceptor(grant.receiver());
    state.refresh(queue);
  }

  private static SessionTable sessions(QueueState queue) {
    return Invariant.present(queue.sessions(), "sessions are of a queue that has some");
  }

  private void close(QueueReceiver receiver) {
    if (receiver.session != null) {
      sessions(receiver.queue).unlock(receiver.session);
    }
    receiver.queue.demand().close(receiver);
    underWay(receiver, receiver.unsentBytes, 0);
    state.removeReceiver(receiver);
    state.refresh(receiver.queue);
  }

  private void underWay(QueueReceiver receiver, long before, long after) {
    receiver.queue.underWay += state.room.changed(before, after);
  }

  private static void demandChanged(QueueReceiver receiver) {
    if (receiver.session != null) {
      sessions(receiver.queue).demandChanged(receiver);
    }
  }

  private void set(QueueReceiver receiver, Grant.DemandSet grant) {
    receiver.queue.demand().set(receiver, grant.deliveryLimit(), grant.drain());
    demandChanged(receiver);
    state.refresh(receiver.queue);
  }

  private void use(QueueReceiver receiver, Grant.DemandUsed grant) {
    long before = receiver.unsentBytes;
    receiver.queue.demand().use(receiver, grant.deliveries(), grant.bytes(), grant.index());
    underWay(receiver, before, receiver.unsentBytes);
    demandChanged(receiver);
    if (receiver.session != null) {
      sessions(receiver.queue).turns().hadItsTurn(receiver.session);
    }
    state.hadItsTurn(receiver.queue);
    state.refresh(receiver.queue);
  }

  private void giveBack(QueueReceiver receiver, Grant.DemandReturned grant) {
    long before = receiver.unsentBytes;
    receiver.queue.demand().giveBack(receiver, grant.undelivered(), grant.bytes());
    underWay(receiver, before, receiver.unsentBytes);
    demandChanged(receiver);
    state.refresh(receiver.queue);
  }

  private void endDrain(QueueReceiver receiver) {
    receiver.queue.demand().endDrain(receiver);
    demandChanged(receiver);
    state.hadItsTurn(receiver.queue);
    state.refresh(receiver.queue);
  }

  private void sweep(Grant.ScheduleSwept grant) {
    ScheduledMessages scheduled = state.known(grant.queue()).scheduled();
    for (long number : grant.sequenceNumbers()) {
      scheduled.renewDueBound(number);
    }
    scheduled.renewDueBound();
  }

  private void sweep(Grant.Swept grant) {
    ReadyIndex messages = state.known(grant.queue()).messages().readyIndex();
    for (long number : grant.sequenceNumbers()) {
      messages.renewExpiryBound(number);
    }
    messages.renewExpiryBound();
  }
}
