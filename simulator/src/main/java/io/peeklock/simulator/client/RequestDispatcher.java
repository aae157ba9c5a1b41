package io.peeklock.simulator.client;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Submission;
import io.peeklock.simulator.history.Operation;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Operations as requests: one method for each. Each returns false, and asks nothing, for what no
 * client can ask now.
 */
final class RequestDispatcher {
  private final ClientState state;
  private final Requests requests;
  private final Transactions transactions;

  RequestDispatcher(ClientState state, Requests requests, Transactions transactions) {
    this.state = state;
    this.requests = requests;
    this.transactions = transactions;
  }

  boolean ask(Operation operation) {
    return switch (operation) {
      case Operation.CreateQueue create ->
          create(create, () -> Definitions.queue(create.path(), create.properties()));
      case Operation.CreateTopic create ->
          create(create, () -> Definitions.topic(create.path(), create.properties()));
      case Operation.CreateSubscription create ->
          create(create, () -> Definitions.subscription(create.path(), create.properties()));
      case Operation.Update update -> update(update);
      case Operation.Delete delete -> delete(delete);
      case Operation.AddRule add -> onSubscription(add, add.subscription(), addition(add));
      case Operation.RemoveRule remove ->
          onSubscription(remove, remove.subscription(), removal(remove));
      case Operation.ReplaceRule replace ->
          onSubscription(replace, replace.subscription(), replacement(replace));
      case Operation.EmptyNamespace empty -> empty(empty);
      case Operation.Count count -> about(count, count.path(), this::count);
      case Operation.DeleteMessages delete -> about(delete, delete.path(), this::deleteMessages);
      case Operation.Send send -> send(send);
      case Operation.CancelScheduled cancel -> about(cancel, cancel.path(), this::cancel);
      case Operation.OpenReceiver open -> open(open);
      case Operation.AcceptSession accept -> accept(accept);
      case Operation.Credit credit -> credit(credit);
      case Operation.Drain drain -> drain(drain);
      case Operation.CloseReceiver close -> close(close);
      case Operation.Settle settle -> settle(settle);
      case Operation.Renew renew -> about(renew, renew.path(), this::renew);
      case Operation.RenewSession renew -> about(renew, renew.path(), this::renewSession);
      case Operation.GetState get -> about(get, get.path(), this::getState);
      case Operation.SetState set -> setState(set);
      case Operation.ListSessions list -> about(list, list.path(), this::listSessions);
      case Operation.ReceiveDeferred receive ->
          about(receive, receive.path(), this::receiveDeferred);
      case Operation.Peek peek -> about(peek, peek.path(), this::peek);
      case Operation.Declare declare -> transactions.declare(declare);
      case Operation.SendIn send -> transactions.send(send);
      case Operation.SendVia send -> transactions.sendVia(send);
      case Operation.CancelIn cancel -> transactions.cancel(cancel);
      case Operation.SettleIn settle -> transactions.settle(settle);
      case Operation.SetStateIn set -> transactions.setState(set);
      case Operation.Discharge discharge -> transactions.discharge(discharge);
    };
  }

  static boolean isAtomic(Operation operation) {
    return operation instanceof Operation.Send send && send.atomic();
  }

  /** About a queue that may not be there. */
  private boolean about(
      Operation operation, String path, BiFunction<PendingRequest, QueueId, Request> request) {
    var queue = state.directory.queue(path);
    var asked = state.question(operation);
    if (queue == null) {
      state.answer(asked.id(), Requests.NOT_FOUND);
    } else {
      state.submit(request.apply(asked, queue));
    }
    return true;
  }

  // ---- administration

  /** How a definition is made, which may be impossible. */
  private interface Made {
    QueueDefinition definition();
  }

  private boolean create(Operation operation, Made made) {
    QueueDefinition definition;
    try {
      definition = made.definition();
    } catch (IllegalArgumentException impossible) {
      return false; // an edge says so
    }
    var asked = state.question(operation);
    state.administers(asked);
    var rules =
        operation instanceof Operation.CreateSubscription create
            ? Definitions.rules(create, state.nowMillis())
            : null;
    state.submit(new Request.CreateQueue(state.management(), asked, definition, rules));
    return true;
  }

  private boolean update(Operation.Update update) {
    var entity = state.directory.entity(update.path());
    if (entity == null || Directory.isDeadLetterQueue(update.path())) {
      return false;
    }
    QueueDefinition definition;
    try {
      definition = Definitions.updated(entity.definition(), update.properties());
    } catch (IllegalArgumentException impossible) {
      return false;
    }
    state.submit(
        new EntityRequest.UpdateQueue(state.management(), state.question(update), definition));
    return true;
  }

  private boolean delete(Operation.Delete delete) {
    if (Directory.isDeadLetterQueue(delete.path())) {
      return false;
    }
    var asked = state.question(delete);
    state.administers(asked);
    state.submit(new EntityRequest.DeleteQueue(state.management(), asked, delete.path()));
    return true;
  }

  private boolean onSubscription(
      Operation operation, String path, BiFunction<PendingRequest, QueueId, Request> request) {
    var entity = state.directory.entity(path);
    var isOther = entity != null && !(entity.definition().role() instanceof QueueRole.Subscription);
    return !isOther && about(operation, path, request);
  }

  private BiFunction<PendingRequest, QueueId, Request> addition(Operation.AddRule add) {
    return (asked, queue) ->
        new Request.AddRule(
            state.management(), asked, queue, Definitions.rule(add.rule(), state.nowMillis()));
  }

  private BiFunction<PendingRequest, QueueId, Request> removal(Operation.RemoveRule remove) {
    return (asked, queue) ->
        new Request.RemoveRule(state.management(), asked, queue, remove.name());
  }

  private BiFunction<PendingRequest, QueueId, Request> replacement(Operation.ReplaceRule replace) {
    return (asked, queue) ->
        new EntityRequest.ReplaceRule(
            state.management(), asked, queue, Definitions.rule(replace.rule(), state.nowMillis()));
  }

  private boolean empty(Operation.EmptyNamespace empty) {
    var asked = state.question(empty);
    state.administers(asked);
    state.submit(
        new EntityRequest.EmptyNamespace(state.management(), asked, empty.keepsEntities()));
    return true;
  }

  private Request count(PendingRequest asked, QueueId queue) {
    return new EntityRequest.CountMessages(state.management(), asked, List.of(queue));
  }

  private Request deleteMessages(PendingRequest asked, QueueId queue) {
    var delete = (Operation.DeleteMessages) asked.operation();
    return new EntityRequest.DeleteMessages(
        state.management(),
        asked,
        queue,
        delete.most(),
        delete.enqueuedBeforeMillis(),
        delete.sessionId(),
        null);
  }

  // ---- sending

  private boolean send(Operation.Send send) {
    var to = state.directory.entity(send.path());
    if (Directory.isDeadLetterQueue(send.path()) || isSubscription(to)) {
      return false;
    }
    if (!send.answered()) {
      var id = state.ask(send);
      if (to != null) {
        stage(send, id, null);
      }
      return true;
    }
    var asked = state.question(send);
    if (to == null) {
      state.answer(asked.id(), Requests.NOT_FOUND);
    } else {
      stage(send, asked.id(), asked);
    }
    return true;
  }

  private static boolean isSubscription(Directory.@Nullable Entity entity) {
    return entity != null && entity.definition().role() instanceof QueueRole.Subscription;
  }

  private void stage(Operation.Send send, long id, @Nullable PendingRequest ticket) {
    state
        .stager()
        .stage(
            List.of(),
            send.messages(),
            staged -> {
              var to = state.directory.entity(send.path()); // by now
              if (staged != null && to != null) {
                state.submit(new Submission(request(send, to, ticket), staged, null));
                return;
              }
              if (staged != null) {
                staged.release();
              }
              if (ticket != null) {
                state.answer(id, staged == null ? Requests.NO_ROOM : Requests.NOT_FOUND);
              }
            });
  }

  private Request.Send request(
      Operation.Send send, Directory.Entity to, @Nullable PendingRequest ticket) {
    var burst = SendBursts.burst(send.messages(), to.definition());
    var isNumbered = send.atomic() && burst.dueAtMillis() != null;
    return new Request.Send(
        state.management(), ticket, to.queue(), burst, send.atomic(), isNumbered);
  }

  private Request cancel(PendingRequest asked, QueueId queue) {
    var cancel = (Operation.CancelScheduled) asked.operation();
    return new Request.CancelScheduled(
        state.management(), asked, queue, Requests.numbers(cancel.sequenceNumbers()));
  }

  // ---- receiving

  private boolean canReceive(String path) {
    var entity = state.directory.entity(path);
    return entity != null
        && !entity.definition().role().equals(new QueueRole.Topic(false))
        && !(entity.definition().requiresSession() && !Directory.isDeadLetterQueue(path));
  }

  private boolean open(Operation.OpenReceiver open) {
    var queue = state.directory.queue(open.path());
    if (queue == null || !canReceive(open.path())) {
      return false; // its attach is refused
    }
    state.ask(open);
    var receiver = state.open(open.receiver(), queue);
    state.submit(new Request.OpenReceiver(receiver.endpoint, queue, Requests.mode(open.mode())));
    return true;
  }

  private boolean accept(Operation.AcceptSession accept) {
    var entity = state.directory.entity(accept.path());
    if (entity == null
        || Directory.isDeadLetterQueue(accept.path())
        || !entity.definition().requiresSession()) {
      return false;
    }
    var asked = state.question(accept);
    var receiver = state.open(accept.receiver(), entity.queue());
    state.submit(
        new Request.AcceptSession(
            receiver.endpoint,
            asked,
            entity.queue(),
            accept.sessionId(),
            Requests.mode(accept.mode()),
            accept.waitMillis()));
    return true;
  }

  private boolean credit(Operation.Credit credit) {
    var receiver = state.living(credit.receiver());
    if (receiver == null || receiver.isDraining) {
      return false;
    }
    state.ask(credit);
    receiver.limit += credit.more();
    state.submit(new Request.Flow(receiver.endpoint, receiver.limit, false));
    return true;
  }

  private boolean drain(Operation.Drain drain) {
    var receiver = state.living(drain.receiver());
    if (receiver == null || receiver.isDraining) {
      return false;
    }
    state.ask(drain);
    receiver.isDraining = true;
    state.submit(new Request.Flow(receiver.endpoint, receiver.limit, true));
    return true;
  }

  private boolean close(Operation.CloseReceiver close) {
    var receiver = state.living(close.receiver());
    if (receiver == null) {
      return false;
    }
    state.ask(close);
    receiver.isOver = true;
    state.submit(new Request.CloseReceiver(receiver.endpoint));
    return true;
  }

  private boolean settle(Operation.Settle settle) {
    var overlay = requests.overlay(settle);
    if (state.directory.queue(settle.path()) == null) {
      return false;
    }
    var ticket = settle.answered() ? state.question(settle) : null;
    if (ticket == null) {
      state.ask(settle);
    }
    var request = requests.settle(settle, ticket, overlay);
    if (request != null) {
      state.submit(new Submission(request, null, overlay));
    }
    return true;
  }

  private Request renew(PendingRequest asked, QueueId queue) {
    var renew = (Operation.Renew) asked.operation();
    return new Request.Renew(state.management(), asked, queue, requests.locks(renew.lockIds()));
  }

  private Request receiveDeferred(PendingRequest asked, QueueId queue) {
    var receive = (Operation.ReceiveDeferred) asked.operation();
    return new Request.ReceiveDeferred(
        state.management(),
        asked,
        queue,
        Requests.numbers(receive.sequenceNumbers()),
        Requests.mode(receive.mode()),
        state.holder(receive.receiver()),
        Long.MAX_VALUE);
  }

  private Request peek(PendingRequest asked, QueueId queue) {
    var peek = (Operation.Peek) asked.operation();
    return new Request.Peek(
        state.management(),
        asked,
        queue,
        peek.fromSequenceNumber(),
        peek.most(),
        Long.MAX_VALUE,
        peek.sessionId());
  }

  // ---- sessions

  private Request renewSession(PendingRequest asked, QueueId queue) {
    var renew = (Operation.RenewSession) asked.operation();
    return new Request.RenewSession(
        state.management(), asked, queue, renew.sessionId(), state.holder(renew.receiver()));
  }

  private Request getState(PendingRequest asked, QueueId queue) {
    var get = (Operation.GetState) asked.operation();
    return new Request.GetSessionState(
        state.management(), asked, queue, get.sessionId(), state.holder(get.receiver()));
  }

  private Request listSessions(PendingRequest asked, QueueId queue) {
    var list = (Operation.ListSessions) asked.operation();
    return new Request.ListSessions(
        state.management(), asked, queue, list.setAfterMillis(), 0, list.most(), 0);
  }

  private boolean setState(Operation.SetState set) {
    var queue = state.directory.queue(set.path());
    if (queue == null) {
      return false;
    }
    var request = requests.setState(set, queue, state.question(set));
    state.submit(new Submission(request, null, Requests.stateBytes(set)));
    return true;
  }
}
