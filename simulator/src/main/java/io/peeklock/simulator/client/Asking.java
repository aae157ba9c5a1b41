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
final class Asking {
  private final Desk desk;
  private final Requests requests;
  private final Transactions transactions;

  Asking(Desk desk, Requests requests, Transactions transactions) {
    this.desk = desk;
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
      case Operation.ReceiveDeferred receive ->
          about(receive, receive.path(), this::receiveDeferred);
      case Operation.Peek peek -> about(peek, peek.path(), this::peek);
      case Operation.Declare declare -> transactions.declare(declare);
      case Operation.SendIn send -> transactions.send(send);
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
      Operation operation, String path, BiFunction<Asked, QueueId, Request> request) {
    var queue = desk.directory.queue(path);
    var asked = desk.question(operation);
    if (queue == null) {
      desk.answer(asked.id(), Requests.NOT_FOUND);
    } else {
      desk.submit(request.apply(asked, queue));
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
    var asked = desk.question(operation);
    desk.administers(asked);
    var rules =
        operation instanceof Operation.CreateSubscription create
            ? Definitions.rules(create, desk.nowMillis())
            : null;
    desk.submit(new Request.CreateQueue(desk.console(), asked, definition, rules));
    return true;
  }

  private boolean update(Operation.Update update) {
    var entity = desk.directory.entity(update.path());
    if (entity == null || Directory.isForTheDead(update.path())) {
      return false;
    }
    QueueDefinition definition;
    try {
      definition = Definitions.updated(entity.definition(), update.properties());
    } catch (IllegalArgumentException impossible) {
      return false;
    }
    desk.submit(new EntityRequest.UpdateQueue(desk.console(), desk.question(update), definition));
    return true;
  }

  private boolean delete(Operation.Delete delete) {
    if (Directory.isForTheDead(delete.path())) {
      return false;
    }
    var asked = desk.question(delete);
    desk.administers(asked);
    desk.submit(new EntityRequest.DeleteQueue(desk.console(), asked, delete.path()));
    return true;
  }

  private boolean onSubscription(
      Operation operation, String path, BiFunction<Asked, QueueId, Request> request) {
    var entity = desk.directory.entity(path);
    var isOther = entity != null && !(entity.definition().role() instanceof QueueRole.Subscription);
    return !isOther && about(operation, path, request);
  }

  private BiFunction<Asked, QueueId, Request> addition(Operation.AddRule add) {
    return (asked, queue) ->
        new Request.AddRule(
            desk.console(), asked, queue, Definitions.rule(add.rule(), desk.nowMillis()));
  }

  private BiFunction<Asked, QueueId, Request> removal(Operation.RemoveRule remove) {
    return (asked, queue) -> new Request.RemoveRule(desk.console(), asked, queue, remove.name());
  }

  private Request count(Asked asked, QueueId queue) {
    return new EntityRequest.CountMessages(desk.console(), asked, List.of(queue));
  }

  private Request deleteMessages(Asked asked, QueueId queue) {
    var delete = (Operation.DeleteMessages) asked.operation();
    return new EntityRequest.DeleteMessages(
        desk.console(),
        asked,
        queue,
        delete.most(),
        delete.enqueuedBeforeMillis(),
        delete.sessionId(),
        null);
  }

  // ---- sending

  private boolean send(Operation.Send send) {
    var to = desk.directory.entity(send.path());
    if (Directory.isForTheDead(send.path()) || isSubscription(to)) {
      return false;
    }
    if (!send.answered()) {
      var id = desk.ask(send);
      if (to != null) {
        stage(send, id, null);
      }
      return true;
    }
    var asked = desk.question(send);
    if (to == null) {
      desk.answer(asked.id(), Requests.NOT_FOUND);
    } else {
      stage(send, asked.id(), asked);
    }
    return true;
  }

  private static boolean isSubscription(Directory.@Nullable Entity entity) {
    return entity != null && entity.definition().role() instanceof QueueRole.Subscription;
  }

  private void stage(Operation.Send send, long id, @Nullable Asked ticket) {
    desk.stager()
        .stage(
            List.of(),
            send.messages(),
            staged -> {
              var to = desk.directory.entity(send.path()); // by now
              if (staged != null && to != null) {
                desk.submit(new Submission(request(send, to, ticket), staged, null));
                return;
              }
              if (staged != null) {
                staged.release();
              }
              if (ticket != null) {
                desk.answer(id, staged == null ? Requests.NO_ROOM : Requests.NOT_FOUND);
              }
            });
  }

  private Request.Send request(Operation.Send send, Directory.Entity to, @Nullable Asked ticket) {
    var burst = Post.burst(send.messages(), to.definition());
    var isNumbered = send.atomic() && burst.dueAtMillis() != null;
    return new Request.Send(desk.console(), ticket, to.queue(), burst, send.atomic(), isNumbered);
  }

  private Request cancel(Asked asked, QueueId queue) {
    var cancel = (Operation.CancelScheduled) asked.operation();
    return new Request.CancelScheduled(
        desk.console(), asked, queue, Requests.numbers(cancel.sequenceNumbers()));
  }

  // ---- receiving

  private boolean canReceive(String path) {
    var entity = desk.directory.entity(path);
    return entity != null
        && !entity.definition().role().equals(new QueueRole.Topic(false))
        && !(entity.definition().requiresSession() && !Directory.isForTheDead(path));
  }

  private boolean open(Operation.OpenReceiver open) {
    var queue = desk.directory.queue(open.path());
    if (queue == null || !canReceive(open.path())) {
      return false; // its attach is refused
    }
    desk.ask(open);
    var receiver = desk.open(open.receiver(), queue);
    desk.submit(new Request.OpenReceiver(receiver.party, queue, Requests.mode(open.mode())));
    return true;
  }

  private boolean accept(Operation.AcceptSession accept) {
    var entity = desk.directory.entity(accept.path());
    if (entity == null
        || Directory.isForTheDead(accept.path())
        || !entity.definition().requiresSession()) {
      return false;
    }
    var asked = desk.question(accept);
    var receiver = desk.open(accept.receiver(), entity.queue());
    desk.submit(
        new Request.AcceptSession(
            receiver.party,
            asked,
            entity.queue(),
            accept.sessionId(),
            Requests.mode(accept.mode()),
            accept.waitMillis()));
    return true;
  }

  private boolean credit(Operation.Credit credit) {
    var receiver = desk.living(credit.receiver());
    if (receiver == null || receiver.isDraining) {
      return false;
    }
    desk.ask(credit);
    receiver.limit += credit.more();
    desk.submit(new Request.Flow(receiver.party, receiver.limit, false));
    return true;
  }

  private boolean drain(Operation.Drain drain) {
    var receiver = desk.living(drain.receiver());
    if (receiver == null || receiver.isDraining) {
      return false;
    }
    desk.ask(drain);
    receiver.isDraining = true;
    desk.submit(new Request.Flow(receiver.party, receiver.limit, true));
    return true;
  }

  private boolean close(Operation.CloseReceiver close) {
    var receiver = desk.living(close.receiver());
    if (receiver == null) {
      return false;
    }
    desk.ask(close);
    receiver.isOver = true;
    desk.submit(new Request.CloseReceiver(receiver.party));
    return true;
  }

  private boolean settle(Operation.Settle settle) {
    var overlay = requests.overlay(settle);
    if (desk.directory.queue(settle.path()) == null) {
      return false;
    }
    var ticket = settle.answered() ? desk.question(settle) : null;
    if (ticket == null) {
      desk.ask(settle);
    }
    var request = requests.settle(settle, ticket, overlay);
    if (request != null) {
      desk.submit(new Submission(request, null, overlay));
    }
    return true;
  }

  private Request renew(Asked asked, QueueId queue) {
    var renew = (Operation.Renew) asked.operation();
    return new Request.Renew(desk.console(), asked, queue, requests.locks(renew.lockIds()));
  }

  private Request receiveDeferred(Asked asked, QueueId queue) {
    var receive = (Operation.ReceiveDeferred) asked.operation();
    return new Request.ReceiveDeferred(
        desk.console(),
        asked,
        queue,
        Requests.numbers(receive.sequenceNumbers()),
        Requests.mode(receive.mode()),
        desk.holder(receive.receiver()),
        Long.MAX_VALUE);
  }

  private Request peek(Asked asked, QueueId queue) {
    var peek = (Operation.Peek) asked.operation();
    return new Request.Peek(
        desk.console(),
        asked,
        queue,
        peek.fromSequenceNumber(),
        peek.most(),
        Long.MAX_VALUE,
        peek.sessionId());
  }

  // ---- sessions

  private Request renewSession(Asked asked, QueueId queue) {
    var renew = (Operation.RenewSession) asked.operation();
    return new Request.RenewSession(
        desk.console(), asked, queue, renew.sessionId(), desk.holder(renew.receiver()));
  }

  private Request getState(Asked asked, QueueId queue) {
    var get = (Operation.GetState) asked.operation();
    return new Request.GetSessionState(
        desk.console(), asked, queue, get.sessionId(), desk.holder(get.receiver()));
  }

  private boolean setState(Operation.SetState set) {
    var queue = desk.directory.queue(set.path());
    if (queue == null) {
      return false;
    }
    var request = requests.setState(set, queue, desk.question(set));
    desk.submit(new Submission(request, null, Requests.stateBytes(set)));
    return true;
  }
}
