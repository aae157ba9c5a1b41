package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Rule;
import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.history.SeenMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What may be, as far as clients can know; whatever else they are told is a violation. */
public final class Model implements Auditor {
  /** How much earlier or later than it is told something may have been. */
  private static final long SLACK_MILLIS = 5;

  private static final Rule DEFAULT_RULE = new Rule("$Default", Rule.Kind.TRUE, null, null);

  private static final String LATE = "large messages without an answer";

  private static final String VIA = "sent via another entity";
  private static final String IN_DOUBT = "made, changed or deleted in doubt";

  private static final int LARGE_BYTES = 1_000_000;

  private final Contents contents = new Contents();
  private final Topics topics = new Topics(contents);
  private final Sending sending = new Sending(contents, topics);
  private final Settling settling = new Settling(contents);
  private final Sessions sessions = new Sessions(contents);
  private final Sight sight = new Sight(contents);
  private final ByNumber byNumber = new ByNumber(contents);
  private final Transactions transactions =
      new Transactions(contents, sending, settling, sessions, byNumber);
  private final TreeMap<Long, Operation> asked = contents.asked;
  private final Map<Long, Moment> askedAt = new HashMap<>();
  private final Refusals refusals = new Refusals(contents, transactions, asked.values());
  private long slack = SLACK_MILLIS;
  private long lastAsked;

  /** Settlements without an answer since all was at rest. */
  private final TreeMap<Long, Operation.Settle> preSettled = new TreeMap<>();

  /** What was asked up to this may have come to an entity that was emptied meanwhile. */
  private long emptiedUntil = -1;

  /** How often which sentence was judged, and why entities were not. */
  public Map<String, Long> coverage() {
    var all = new TreeMap<String, Long>();
    contents.unknown.reasons().forEach((why, times) -> all.put("not judged: " + why, times));
    contents.verdicts.judged().forEach((rule, times) -> all.put("judged " + rule, times));
    return all;
  }

  @Override
  public void asked(long id, Operation operation, long millis) {
    lastAsked = id;
    var now = advance(millis);
    noteUnknown(operation);
    if (!(operation instanceof Operation.Peek) && !(operation instanceof Operation.Count)) {
      sight.breakWalks(id);
    }
    if (isPreSettled(operation)) {
      perhaps(operation, now, now);
      if (operation instanceof Operation.Settle settle) {
        preSettled.put(id, settle);
      }
      return;
    }
    switch (operation) {
      case Operation.OpenReceiver open ->
          contents.receivers.put(
              open.receiver(), new Receiver(open.receiver(), open.path(), open.mode(), null));
      case Operation.Credit credit -> {
        var receiver = contents.receivers.get(credit.receiver());
        if (receiver != null) {
          receiver.credit += credit.more();
        }
      }
      case Operation.CloseReceiver close -> over(close.receiver(), false, now);
      case Operation.Drain ignored -> {}
      default -> {
        asked.put(id, operation);
        askedAt.put(id, now);
      }
    }
  }

  /** S-018: no answer will come. */
  private static boolean isPreSettled(Operation operation) {
    return (operation instanceof Operation.Send send && !send.answered())
        || (operation instanceof Operation.Settle settle && !settle.answered());
  }

  private Moment advance(long millis) {
    sight.confirmOrder();
    return pass(millis);
  }

  /** Adds what time alone may have brought about. */
  private Moment pass(long millis) {
    var now = Moment.at(millis, slack);
    topics.advance(now);
    do {
      contents.advance(now);
    } while (topics.arrive());
    return now;
  }

  @Override
  public void clockDoubted(long mostMillis) {
    slack = mostMillis + SLACK_MILLIS;
  }

  @Override
  public void memoryBounded(long bytes) {
    contents.memory = bytes;
  }

  @Override
  public void messagesBounded(long bytes) {
    contents.messageMemory = bytes;
  }

  @Override
  public void diskFilled() {
    contents.course.isDiskFull = true;
  }

  private void over(String name, boolean isByLock, Moment now) {
    var receiver = contents.receivers.get(name);
    if (receiver != null) {
      receiver.isOver = true;
      sessions.over(receiver, isByLock, now);
    }
  }

  @Override
  public void answered(long id, Answer answer, long millis) {
    var question = asked.remove(id);
    contents.verdicts.demand("S-002", question != null, "nobody waits for ", id, ": ", answer);
    var from = Objects.requireNonNull(askedAt.remove(id));
    var now = advance(millis);
    refusals.judge(Objects.requireNonNull(question), answer, id <= emptiedUntil);
    switch (question) {
      case Operation.CreateQueue create ->
          created(new Entity(create.path(), false, create.properties()), answer);
      case Operation.CreateTopic create ->
          created(new Entity(create.path(), true, create.properties()), answer);
      case Operation.CreateSubscription create -> created(subscription(create), answer);
      case Operation.AddRule add -> topics.changed(add.subscription(), add, answer);
      case Operation.RemoveRule remove -> topics.changed(remove.subscription(), remove, answer);
      case Operation.ReplaceRule replace -> topics.changed(replace.subscription(), replace, answer);
      case Operation.EmptyNamespace empty -> emptied(empty, answer);
      case Operation.Update update -> updated(update, answer);
      case Operation.Delete delete -> deleted(delete, answer);
      case Operation.Send send ->
          sending.answered(send, answer, new Moment(from.earliest(), now.latest()));
      case Operation.Settle settle -> settling.answered(settle, answer, now);
      case Operation.Renew renew -> settling.renewed(renew, answer, from, now);
      case Operation.Peek peek -> sight.peeked(id, peek, answer, now);
      case Operation.CancelScheduled cancel -> byNumber.cancelled(cancel, answer, now);
      case Operation.DeleteMessages delete -> byNumber.deleted(delete, answer, now);
      case Operation.ReceiveDeferred receive -> sight.received(receive, answer, now);
      case Operation.SendIn send -> transactions.sent(send, answer);
      case Operation.CancelIn cancel -> transactions.cancelled(cancel, answer);
      case Operation.SettleIn settle -> transactions.settled(settle, answer, now);
      case Operation.SetStateIn set -> transactions.set(set, answer);
      case Operation.AcceptSession accept -> sessions.accepted(accept, answer, from, now);
      case Operation.RenewSession renew -> sessions.renewed(renew, answer, from, now);
      case Operation.GetState get -> sessions.read(get, answer, now);
      case Operation.SetState set -> sessions.set(set, answer, now);
      case Operation.Discharge end -> transactions.discharged(end, answer, from, now);
      case Operation.Count count -> sight.counted(count.path(), answer);
      default -> {
        // It changes nothing that is judged.
      }
    }
    // what was asked later is done after it, if at all
    preSettled.tailMap(id).values().forEach(settle -> settling.perhaps(settle, now, null));
  }

  // ---- entities

  /** One that is there already, and is alike, is said to be made; S-061 would have it refused. */
  private void created(Entity made, Answer answer) {
    var path = made.path;
    if (answer instanceof Answer.Done && !contents.entities.containsKey(path)) {
      contents.entities.put(path, made);
      topics.made(made);
      if (contents.late.contains(path)) {
        contents.stopJudging(path, LATE);
      }
      contents.stopJudgingTangles();
      contents.live().forEach(copy -> copy.nextChange = 0); // it may be forwarded there
    }
  }

  private void updated(Operation.Update update, Answer answer) {
    var entity = contents.entities.get(update.path());
    if (answer instanceof Answer.Done && entity != null) {
      entity.properties = update.properties();
      contents.stopJudgingTangles();
      contents.live().forEach(copy -> copy.nextChange = 0);
      topics.updated(entity, update, answer);
    } else if (answer instanceof Answer.Done) { // it was made in doubt, and is there
      contents.spread(update.properties());
    }
  }

  private void deleted(Operation.Delete delete, Answer answer) {
    if (answer instanceof Answer.Done) {
      contents.delete(delete.path());
      contents.live().forEach(copy -> copy.nextChange = 0);
    }
  }

  /** All messages are gone, and everything about them begins anew. */
  private void emptied(Operation.EmptyNamespace empty, Answer answer) {
    if (answer instanceof Answer.Done) {
      emptiedUntil = lastAsked;
      contents.receivers.values().forEach(receiver -> receiver.mayBeGone = true);
      var all = List.copyOf(contents.entities.values());
      all.forEach(entity -> contents.empty(entity.path));
      if (empty.keepsEntities()) { // what is not known of them is not known now
        all.forEach(entity -> contents.entities.put(entity.path, entity.emptied()));
      } else {
        contents.unknown.forgetAll();
      }
    }
  }

  /** S-313, S-314. */
  private static Entity subscription(Operation.CreateSubscription create) {
    var made = new Entity(create.path(), false, create.properties());
    var rules = create.rules();
    made.rules.addAll(rules == null ? List.of(DEFAULT_RULE) : rules);
    return made;
  }

  private void noteUnknown(Operation operation) {
    switch (operation) {
      case Operation.Send send -> {
        if (!send.answered() && isLarge(send)) {
          contents.late.add(send.path());
          contents.stopJudging(send.path(), LATE);
        }
      }
      case Operation.SendVia send -> {
        contents.stopJudging(send.path(), VIA);
        contents.stopJudging(send.via(), VIA);
        transactions.via(send);
      }
      default -> {
        // It is known.
      }
    }
  }

  /** It may be on its way for so long that the entity is another one by then. */
  private static boolean isLarge(Operation.Send send) {
    return send.messages().stream().anyMatch(message -> message.bytes() >= LARGE_BYTES);
  }

  // ---- receivers

  @Override
  public void delivered(String name, List<SeenMessage> messages, long millis) {
    var now = pass(millis);
    var receiver = contents.receivers.get(name);
    if (receiver == null) {
      return; // of a session
    }
    receiver.credit -= messages.size();
    contents.verdicts.demand("S-087", receiver.credit >= 0, "more than its credit for ", name);
    for (var message : messages) {
      sight.delivered(receiver, message, now);
    }
  }

  @Override
  public void undelivered(String name, long millis) {
    var now = advance(millis);
    var receiver = contents.receivers.get(name);
    if (receiver != null) {
      sight.undelivered(receiver, now);
    }
  }

  @Override
  public void drained(String name, long millis) {
    var now = advance(millis);
    var receiver = contents.receivers.get(name);
    if (receiver != null) {
      isServed("S-087", receiver, now);
      receiver.credit = 0;
    }
  }

  @Override
  public void receiverEnded(String name, String why, long millis) {
    var now = advance(millis);
    var receiver = contents.receivers.get(name);
    if (receiver != null) {
      refusals.ended(receiver, why);
    }
    over(name, why.equals("SessionLockLost"), now);
  }

  // ---- the process

  @Override
  public void restarted(long millis) {
    var now = advance(millis);
    asked.forEach(
        (id, operation) -> perhaps(operation, Objects.requireNonNull(askedAt.get(id)), now));
    contents.advance(now); // locks of which nobody was told may have lapsed since
    contents.course.isDiskFull = false;
    asked.clear();
    askedAt.clear();
    contents.late.clear();
    preSettled.clear();
    transactions.restarted();
    contents.restarted(now);
    contents.sweep();
  }

  /** Whether it was done is not known (S-506). */
  private void perhaps(Operation operation, Moment from, Moment now) {
    switch (operation) {
      case Operation.Send send -> sending.perhaps(send, from, null);
      case Operation.Settle settle -> settling.perhaps(settle, now, null);
      case Operation.CancelScheduled cancel -> byNumber.perhaps(cancel);
      case Operation.DeleteMessages delete -> byNumber.perhaps(delete, now);
      case Operation.ReceiveDeferred receive -> sight.perhaps(receive, from, true);
      case Operation.SendIn send -> transactions.sent(send, new Answer.Done());
      case Operation.CancelIn cancel -> transactions.cancelled(cancel, new Answer.Done());
      case Operation.SettleIn settle -> transactions.perhaps(settle);
      case Operation.SetState set -> sessions.perhaps(set);
      case Operation.SetStateIn set -> transactions.set(set, new Answer.Done());
      case Operation.Discharge end -> transactions.perhaps(end, from, now);
      case Operation.CreateQueue create -> inDoubt(create.path(), create.properties());
      case Operation.CreateSubscription create -> inDoubt(create.path(), create.properties());
      case Operation.EmptyNamespace ignored ->
          List.copyOf(contents.entities.keySet())
              .forEach(path -> contents.stopJudging(path, IN_DOUBT));
      case Operation.Update update -> inDoubt(update.path(), update.properties());
      case Operation.CreateTopic create -> contents.stopJudging(create.path(), IN_DOUBT);
      case Operation.AddRule add -> contents.stopJudging(add.path(), IN_DOUBT);
      case Operation.RemoveRule remove -> contents.stopJudging(remove.path(), IN_DOUBT);
      case Operation.ReplaceRule replace -> contents.stopJudging(replace.path(), IN_DOUBT);
      case Operation.Delete delete -> contents.stopJudging(delete.path(), IN_DOUBT);
      default -> {
        // It changes nothing that is judged.
      }
    }
  }

  /** It may forward there. */
  private void inDoubt(String path, Properties properties) {
    Stream.of(path, properties.forwardTo(), properties.forwardDeadLettersTo())
        .filter(Objects::nonNull)
        .forEach(each -> contents.stopJudging(each, IN_DOUBT));
  }

  @Override
  public void atRest(long millis) {
    contents.verdicts.demand("S-002", asked.isEmpty(), "never answered: ", asked);
    var now = advance(millis);
    for (var copy : contents.live()) {
      copy.keep(
          "S-121", "something was due", state -> !contents.course.isOverdue(copy, state, now));
    }
    contents.course.isDiskFull = false;
    topics.rest(now);
    contents.course.forwarding.rest();
    contents.late.clear();
    preSettled.clear();
    contents.receivers.values().removeIf(receiver -> receiver.isOver);
    contents.sweep();
    contents.receivers.values().forEach(receiver -> isServed("S-086", receiver, now));
  }

  /** There is nothing for it, or it has no credit. */
  private void isServed(String rule, Receiver receiver, Moment now) {
    var entity = contents.judged(receiver.path);
    if (entity != null
        && receiver.credit > 0
        && entity.givesMessages()
        && isHolder(entity, receiver, now)) {
      var left =
          contents
              .surely(state -> state.isIn(receiver.path) && state.isAvailable())
              .filter(copy -> receiver.isFor(copy.sent))
              .toList();
      contents.verdicts.demand(rule, left.isEmpty(), receiver.name, " is not given ", left);
    }
  }

  private static boolean isHolder(Entity entity, Receiver receiver, Moment now) {
    return receiver.session == null
        || entity.session(receiver.session).isSurelyHeldBy(receiver.name, now);
  }
}
