package io.peeklock.simulator.generate;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.history.SeenMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What clients know: what they made, hold and were told. It may be out of date. */
final class ObservedState implements Auditor {
  private static final int MAX = 200;

  final TreeMap<String, Entity> entities = new TreeMap<>();
  final TreeMap<String, Receiver> receivers = new TreeMap<>();
  final List<Lock> locks = new ArrayList<>();
  final List<Long> oldLocks = new ArrayList<>();
  final List<Numbered> deferred = new ArrayList<>();
  final List<Numbered> scheduled = new ArrayList<>();
  final List<String> transactions = new ArrayList<>();
  private final List<Operation.SettleIn> enlisted = new ArrayList<>();
  private final List<Lock> waiting = new ArrayList<>();
  private final TreeMap<Long, Operation> asked = new TreeMap<>();
  private @Nullable Receiver draining;
  private long nowMillis;

  /** What an entity is. */
  enum Kind {
    QUEUE,
    TOPIC,
    SUBSCRIPTION
  }

  record Entity(String path, Kind kind, Properties properties) {}

  /** A receiver that may still be there. */
  record Receiver(String name, String path, Operation.Mode mode, @Nullable String sessionId) {}

  /** A lock that may still be held. */
  record Lock(long id, String path, String receiver, long sequenceNumber, boolean inSession) {}

  /** A message by its number. */
  record Numbered(String path, long sequenceNumber) {}

  /** Who receives where the last one drains. */
  List<Receiver> besideDraining() {
    var drained = draining;
    return drained == null
        ? List.of()
        : receivers.values().stream()
            .filter(each -> each.path().equals(drained.path()) && !each.equals(drained))
            .toList();
  }

  long nowMillis() {
    return nowMillis;
  }

  @Override
  public void asked(long id, Operation operation, long now) {
    nowMillis = now;
    asked.put(id, operation);
    switch (operation) {
      case Operation.OpenReceiver open ->
          receivers.put(
              open.receiver(), new Receiver(open.receiver(), open.path(), open.mode(), null));
      case Operation.Drain drain -> draining = receivers.get(drain.receiver());
      case Operation.CloseReceiver close -> receivers.remove(close.receiver());
      case Operation.Settle settle -> settled(settle);
      case Operation.SettleIn settle -> {
        remember(enlisted, settle);
        locks.stream()
            .filter(lock -> settle.settle().lockIds().contains(lock.id()))
            .forEach(lock -> remember(waiting, lock));
        settled(settle.settle());
      }
      case Operation.Declare declare -> transactions.add(declare.transaction());
      case Operation.Discharge discharge -> discharged(discharge);
      default -> {
        // Nobody knows more.
      }
    }
  }

  /** What was settled in a transaction that is rolled back can be settled once more. */
  private void discharged(Operation.Discharge discharge) {
    transactions.remove(discharge.transaction());
    for (var in : enlisted) {
      if (in.transaction().equals(discharge.transaction()) && !discharge.commit()) {
        waiting.stream()
            .filter(lock -> in.settle().lockIds().contains(lock.id()))
            .forEach(lock -> remember(locks, lock));
      }
    }
    enlisted.removeIf(in -> in.transaction().equals(discharge.transaction()));
  }

  private void settled(Operation.Settle settle) {
    for (var lock : locks) {
      if (settle.lockIds().contains(lock.id())
          && settle.settlement() == Operation.Settlement.DEFER) {
        remember(deferred, new Numbered(lock.path(), lock.sequenceNumber()));
      }
    }
    locks.removeIf(lock -> settle.lockIds().contains(lock.id()));
    settle.lockIds().forEach(id -> remember(oldLocks, id));
  }

  private static <T> void remember(List<T> some, T more) {
    if (some.size() >= MAX) {
      some.removeFirst();
    }
    some.add(more);
  }

  @Override
  public void answered(long id, Answer answer, long now) {
    var operation = asked.remove(id);
    if (operation == null || answer instanceof Answer.Refused) {
      return;
    }
    switch (operation) {
      case Operation.Delete delete ->
          entities
              .keySet()
              .removeIf(path -> path.equals(delete.path()) || path.startsWith(delete.path() + "/"));
      case Operation.EmptyNamespace empty -> {
        if (!empty.keepsEntities()) {
          entities.clear();
        }
      }
      case Operation.AcceptSession accept -> accepted(accept, (Answer.SessionAccepted) answer);
      case Operation.Send send -> {
        if (answer instanceof Answer.Numbered numbered) {
          numbered
              .sequenceNumbers()
              .forEach(number -> remember(scheduled, new Numbered(send.path(), number)));
        }
      }
      case Operation.ReceiveDeferred receive ->
          hold(
              receive.path(),
              receive.receiver() == null ? "" : receive.receiver(),
              ((Answer.Messages) answer).messages());
      default -> made(operation);
    }
  }

  @Override
  public void inDoubt(long id, long now) {
    asked.remove(id);
  }

  private void made(Operation operation) {
    switch (operation) {
      case Operation.CreateQueue made -> put(made.path(), Kind.QUEUE, made.properties());
      case Operation.CreateTopic made -> put(made.path(), Kind.TOPIC, made.properties());
      case Operation.CreateSubscription made ->
          put(made.path(), Kind.SUBSCRIPTION, made.properties());
      case Operation.Update changed -> {
        var before = entities.get(changed.path());
        if (before != null) {
          put(changed.path(), before.kind(), changed.properties());
        }
      }
      default -> {
        // Nobody knows more.
      }
    }
  }

  private void put(String path, Kind kind, Properties properties) {
    entities.put(path, new Entity(path, kind, properties));
  }

  private void accepted(Operation.AcceptSession accept, Answer.SessionAccepted answer) {
    receivers.put(
        accept.receiver(),
        new Receiver(accept.receiver(), accept.path(), accept.mode(), answer.sessionId()));
  }

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long now) {
    var known = receivers.get(receiver);
    if (known != null) {
      hold(known.path(), receiver, messages);
    }
  }

  private void hold(String path, String receiver, List<SeenMessage> messages) {
    for (var message : messages) {
      if (message.lockId() != 0) {
        remember(
            locks,
            new Lock(
                message.lockId(),
                path,
                receiver,
                message.sequenceNumber(),
                Objects.nonNull(message.sessionId())));
      }
    }
  }

  @Override
  public void receiverEnded(String receiver, String why, long now) {
    receivers.remove(receiver);
  }

  @Override
  public void rolledBack(String transaction, long now) {
    transactions.remove(transaction);
  }

  @Override
  public void restarted(long now) {
    nowMillis = now;
    asked.values().forEach(this::made); // it may have been
    asked.clear();
    receivers.clear();
    transactions.clear();
    enlisted.clear();
    waiting.clear();
    locks.forEach(lock -> remember(oldLocks, lock.id()));
    locks.clear();
  }

  @Override
  public void atRest(long now) {
    nowMillis = now;
  }
}
