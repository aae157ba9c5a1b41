package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.history.Properties.Status;
import io.peeklock.simulator.history.SentMessage;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** For which reasons something may be refused, and for which it must be. */
final class Refusals {
  private static final Map<String, String> RULES =
      Map.ofEntries(
          Map.entry("EntityNotFound", "S-062"),
          Map.entry("EntityAlreadyExists", "S-061"),
          Map.entry("ForwardDestinationNotFound", "S-286"),
          Map.entry("PropertyFixed", "S-067"),
          Map.entry("RuleAlreadyExists", "S-317"),
          Map.entry("RuleNotFound", "S-062"),
          Map.entry("EntityDisabled", "S-508"),
          Map.entry("MessagesAreForwarded", "S-289"),
          Map.entry("SessionIdMissing", "S-232"),
          Map.entry("QuotaExceeded", "S-435"),
          Map.entry("EarlierIdsAreWaiting", "S-266"),
          Map.entry("AlreadyDeadLettered", "S-185"),
          Map.entry("MessageLockLost", "S-502"),
          Map.entry("SessionLockLost", "S-503"),
          Map.entry("SessionCannotBeLocked", "S-504"),
          Map.entry("MessageNotFound", "S-505"),
          Map.entry("ScheduledMessagesNotFound", "S-154"),
          Map.entry("Timeout", "S-506"),
          Map.entry("TransactionRolledBack", "S-399"));

  private final Contents contents;
  private final Transactions transactions;

  /** What has no answer yet. */
  private final Collection<Operation> asked;

  Refusals(Contents contents, Transactions transactions, Collection<Operation> asked) {
    this.asked = asked;
    this.contents = contents;
    this.transactions = transactions;
  }

  /** What speaks against an operation: must it be refused for that, or may it? */
  private static final class Reasons {
    private final Map<String, Boolean> all = new HashMap<>();

    private Reasons must(String why, boolean isSo) {
      if (isSo) {
        all.put(why, true);
      }
      return this;
    }

    private Reasons may(String... whys) {
      Stream.of(whys).forEach(why -> all.putIfAbsent(why, false));
      return this;
    }
  }

  /** Each refusal has its reason, and what is done had none against it. */
  void judge(Operation operation, Answer answer, boolean mayBeGone) {
    if (isUnknown(operation)) {
      return;
    }
    var isBeingEmptied =
        mayBeGone || asked.stream().anyMatch(Operation.EmptyNamespace.class::isInstance);
    var parts = answer instanceof Answer.Each each ? each.refusals().size() : 1;
    for (var i = 0; i < parts; i++) {
      var why = answer.refusal(i);
      var found = reasons(operation, answer instanceof Answer.Each ? i : -1);
      var reasons = (isBeingEmptied ? found.may("EntityNotFound") : found).all;
      if (why != null) {
        var rule = RULES.getOrDefault(why, "S-007");
        contents.verdicts.demand(
            rule, reasons.containsKey(why), why, " for none of ", reasons, ": ", operation);
      } else {
        reasons.forEach(
            (reason, must) ->
                contents.verdicts.demand(
                    RULES.getOrDefault(reason, "S-007"),
                    !must,
                    reason,
                    ", but was done: ",
                    operation));
      }
    }
  }

  /** A receiver is ended for a reason. */
  void ended(Receiver receiver, String why) {
    var found = waits(new Reasons(), receiver.path).may("SessionLockLost", "Unreadable");
    var reasons = (receiver.mayBeGone ? found.may("EntityNotFound") : found).all;
    if (!contents.unknown.has(receiver.path)) {
      var rule = RULES.getOrDefault(why, "S-007");
      contents.verdicts.demand(rule, reasons.containsKey(why), receiver.name, " ended: ", why);
    }
  }

  private boolean isUnknown(Operation operation) {
    return operation instanceof Operation.Discharge discharge
        ? transactions
            .sends(discharge.transaction())
            .anyMatch(send -> contents.unknown.has(send.path()))
        : contents.unknown.has(operation.path());
  }

  /** Of an operation, or of the i-th thing that it is about. */
  private Reasons reasons(Operation operation, int i) {
    var reasons = new Reasons().may("StoreFull"); // there may be no room for anything
    return switch (operation) {
      case Operation.CreateQueue create ->
          forwards(
              made(reasons, create.path(), create.properties()),
              create.path(),
              create.properties());
      case Operation.CreateTopic create -> made(reasons, create.path(), create.properties());
      case Operation.CreateSubscription create -> {
        missing(reasons, create.path().substring(0, create.path().indexOf(Entity.SUBSCRIPTIONS)));
        yield forwards(
            made(reasons, create.path(), create.properties()), create.path(), create.properties());
      }
      case Operation.Update update -> updated(missing(reasons, update.path()), update);
      case Operation.AddRule add ->
          missing(reasons, add.subscription())
              .must("RuleAlreadyExists", hasRule(add.subscription(), add.rule().name()));
      case Operation.RemoveRule remove ->
          missing(reasons, remove.subscription())
              .must("RuleNotFound", !hasRule(remove.subscription(), remove.name()));
      case Operation.Send send -> sent(reasons, send, i);
      case Operation.SendIn send ->
          missing(reasons, send.path()).may("TransactionRolledBack"); // S-399
      case Operation.Discharge end -> discharged(reasons, end);
      case Operation.DeleteMessages delete -> receive(reasons, delete.path());
      case Operation.AcceptSession accept ->
          waits(reasons, accept.path())
              .may(accept.sessionId() == null ? "Timeout" : "SessionCannotBeLocked");
      case Operation.ReceiveDeferred receive ->
          receiveDeferred(held(reasons, receive.path()), receive.path())
              .may("MessageNotFound", "Unreadable");
      case Operation.Settle settle -> settled(reasons, settle);
      case Operation.SettleIn in -> settled(reasons, in.settle()).may("TransactionRolledBack");
      case Operation.Renew renew ->
          held(missing(reasons, renew.path()), renew.path()).may("MessageLockLost");
      case Operation.CancelScheduled cancel ->
          missing(reasons, cancel.path()).may("ScheduledMessagesNotFound");
      case Operation.Peek peek -> missing(reasons, peek.path()).may("Unreadable");
      case Operation.CancelIn in ->
          missing(reasons, in.cancel().path())
              .may("ScheduledMessagesNotFound", "TransactionRolledBack");
      case Operation.SendVia send ->
          missing(reasons, send.path()).may("TransactionRolledBack"); // S-399
      case Operation.ReplaceRule replace ->
          missing(reasons, replace.subscription())
              .must("RuleNotFound", !hasRule(replace.subscription(), replace.rule().name()));
      case Operation.Declare ignored -> reasons;
      case Operation.EmptyNamespace ignored -> reasons;
      case Operation.RenewSession renew -> missing(reasons, renew.path()).may("SessionLockLost");
      case Operation.GetState get ->
          missing(reasons, get.path()).may("SessionLockLost", "Unreadable");
      case Operation.SetState set -> stateSet(reasons, set);
      case Operation.SetStateIn in -> stateSet(reasons, in.set()).may("TransactionRolledBack");
      default -> missing(reasons, operation.path());
    };
  }

  private Reasons missing(Reasons reasons, String path) {
    return reasons.must("EntityNotFound", !contents.entities.containsKey(State.entity(path)));
  }

  /** S-061; one that is there already, and is alike, is said to be made. */
  private Reasons made(Reasons reasons, String path, Properties properties) {
    var there = contents.entities.get(path);
    var isAlike = there != null && there.isAlike(properties);
    return isAlike
        ? reasons.may("EntityAlreadyExists")
        : reasons.must("EntityAlreadyExists", there != null);
  }

  /** Whether what forwards to itself forwards to what is there, nobody says. */
  private Reasons forwards(Reasons reasons, String path, Properties properties) {
    for (var to : Arrays.asList(properties.forwardTo(), properties.forwardDeadLettersTo())) {
      if (path.equals(to) || (to != null && contents.unknown.has(to))) {
        reasons.may("ForwardDestinationNotFound");
      } else {
        reasons.must(
            "ForwardDestinationNotFound", to != null && !contents.entities.containsKey(to));
      }
    }
    return reasons;
  }

  private Reasons updated(Reasons reasons, Operation.Update update) {
    var entity = contents.entities.get(update.path());
    if (entity == null) {
      return reasons;
    }
    var now = entity.properties;
    var next = update.properties();
    var detects = now.duplicateWindowMillis() > 0 != next.duplicateWindowMillis() > 0;
    if (!entity.isTopic) {
      forwards(reasons, entity.path, next);
    }
    return reasons.must(
        "PropertyFixed",
        (now.requiresSession() != next.requiresSession() && !entity.isTopic)
            || (detects && !entity.isSubscription()));
  }

  private boolean hasRule(String subscription, String name) {
    var entity = contents.entities.get(subscription);
    return entity != null && entity.rules.stream().anyMatch(rule -> rule.name().equals(name));
  }

  // ---- sending

  private Reasons sent(Reasons reasons, Operation.Send send, int i) {
    var entity = contents.entities.get(send.path());
    missing(reasons, send.path()).may("MemoryShareExceeded");
    if (entity == null) {
      return reasons;
    }
    var status = entity.properties.status();
    var messages = i < 0 ? send.messages() : List.of(send.messages().get(i));
    fits(reasons, send.path(), bytes(send));
    if (messages.stream().anyMatch(each -> each.dueAtMillis() > 0 && mayBeDropped(entity, each))) {
      reasons.may("EarlierIdsAreWaiting"); // whether others wait to arrive, nobody says
    }
    return reasons
        .must("EntityDisabled", status == Status.DISABLED || status == Status.SEND_DISABLED)
        .must(
            "QuotaExceeded",
            isFull(entity) && messages.stream().noneMatch(each -> mayBeDropped(entity, each)))
        .must(
            "SessionIdMissing",
            entity.hasSessions(send.path())
                && messages.stream().anyMatch(each -> each.sessionId() == null));
  }

  private boolean isFull(Entity entity) {
    return contents.leastBytes(entity.path) > entity.properties.maxBytes();
  }

  /** A duplicate takes no room (S-266). */
  private static boolean mayBeDropped(Entity entity, SentMessage message) {
    return entity.properties.duplicateWindowMillis() > 0 && message.messageId() != null;
  }

  /** What is sent in it is stored now, or is not. */
  private Reasons discharged(Reasons reasons, Operation.Discharge end) {
    reasons.may(
        "TransactionRolledBack", "SessionLockLost", "EntityNotFound", "ScheduledMessagesNotFound");
    if (end.commit()) {
      transactions.sends(end.transaction()).forEach(send -> sent(reasons, send, -1));
      transactions
          .sends(end.transaction())
          .collect(
              Collectors.groupingBy(Operation.Send::path, Collectors.summingLong(Refusals::bytes)))
          .forEach((path, bytes) -> fits(reasons, path, bytes));
    }
    return reasons;
  }

  /** S-435, and all of a transaction counts together. */
  private void fits(Reasons reasons, String path, long bytes) {
    var entity = contents.entities.get(path);
    if (entity != null && contents.mayBeFull(entity, bytes)) {
      reasons.may("QuotaExceeded");
    }
  }

  private static long bytes(Operation.Send send) {
    return send.messages().stream().mapToLong(SentMessage::bytes).sum();
  }

  // ---- receiving

  private Reasons receive(Reasons reasons, String path) {
    var entity = contents.entities.get(State.entity(path));
    if (entity == null) {
      return missing(reasons, path);
    }
    return receive(reasons, path, entity, entity.properties);
  }

  /** By number: no receiver (S-289), and the way out for what was deferred before it forwarded. */
  private Reasons receiveDeferred(Reasons reasons, String path) {
    var entity = contents.entities.get(State.entity(path));
    return entity == null
        ? missing(reasons, path)
        : reasons.must("EntityDisabled", !Entity.givesMessages(entity.properties.status()));
  }

  private static Reasons receive(Reasons reasons, String path, Entity entity, Properties now) {
    var to = path.equals(entity.path) ? now.forwardTo() : now.forwardDeadLettersTo();
    return reasons
        .must("MessagesAreForwarded", to != null) // S-199
        .must("EntityDisabled", !Entity.givesMessages(now.status()));
  }

  /** Who waits hears of a change before those who asked for it. */
  private Reasons waits(Reasons reasons, String path) {
    receive(reasons, path);
    var entity = contents.entities.get(State.entity(path));
    asked.forEach(
        operation -> {
          if (operation instanceof Operation.EmptyNamespace
              || (operation instanceof Operation.Delete delete
                  && State.isWithin(path, delete.path()))) {
            reasons.may("EntityNotFound");
          } else if (entity != null
              && operation instanceof Operation.Update update
              && update.path().equals(entity.path)) {
            var then = receive(new Reasons(), path, entity, update.properties());
            then.all.keySet().forEach(reasons::may);
          }
        });
    return reasons;
  }

  private Reasons stateSet(Reasons reasons, Operation.SetState set) {
    var entity = contents.entities.get(set.path());
    var bytes = set.state() == null ? 0 : set.state().length() + 100;
    if (entity != null && contents.mayBeFull(entity, bytes)) {
      reasons.may("QuotaExceeded");
    }
    return missing(reasons, set.path()).may("SessionLockLost", "MemoryShareExceeded");
  }

  /** Below a session's lock only its holder may (S-111, S-258). */
  private Reasons held(Reasons reasons, String path) {
    var entity = contents.entities.get(State.entity(path));
    var isSo = entity != null && entity.properties.requiresSession(); // S-203: of dead letters too
    return isSo ? reasons.may("SessionLockLost") : reasons;
  }

  private Reasons settled(Reasons reasons, Operation.Settle settle) {
    var isDead = settle.path().endsWith(State.DEAD_LETTERS);
    return held(missing(reasons, settle.path()), settle.path())
        .may("MessageLockLost")
        .must(
            "AlreadyDeadLettered",
            isDead && settle.settlement() == Operation.Settlement.DEAD_LETTER);
  }
}
