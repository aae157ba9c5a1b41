package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Mode;
import io.peeklock.simulator.history.Operation.Settlement;
import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.history.SeenMessage;
import io.peeklock.simulator.history.SentMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A short history that is fed to a model; its clock moves only when told. */
final class History {
  static final long FOREVER = Long.MAX_VALUE;
  static final long LOCK = 30_000;

  final Model model = new Model();
  final Map<String, SentMessage> sent = new HashMap<>();
  final Map<String, Long> sentAt = new HashMap<>();
  long now = 1_000_000;
  private long ids;

  static Properties properties() {
    return new Properties(
        LOCK, 3, FOREVER, false, true, false, 0, 1 << 30, null, null, Properties.Status.ACTIVE);
  }

  static Properties sessions() {
    return new Properties(
        LOCK, 3, FOREVER, false, true, true, 0, 1 << 30, null, null, Properties.Status.ACTIVE);
  }

  static Properties most(int maxDeliveryCount) {
    return new Properties(
        LOCK,
        maxDeliveryCount,
        FOREVER,
        false,
        true,
        false,
        0,
        1 << 30,
        null,
        null,
        Properties.Status.ACTIVE);
  }

  static Properties expiring(long timeToLive, boolean deadLetters) {
    return new Properties(
        LOCK,
        3,
        timeToLive,
        deadLetters,
        true,
        false,
        0,
        1 << 30,
        null,
        null,
        Properties.Status.ACTIVE);
  }

  static Properties duplicates(long window) {
    return new Properties(
        LOCK,
        3,
        FOREVER,
        false,
        true,
        false,
        window,
        1 << 30,
        null,
        null,
        Properties.Status.ACTIVE);
  }

  static Properties forwarding(@Nullable String to, @Nullable String deadTo) {
    return new Properties(
        LOCK, 3, FOREVER, false, true, false, 0, 1 << 30, to, deadTo, Properties.Status.ACTIVE);
  }

  static Properties status(Properties.Status status) {
    return new Properties(LOCK, 3, FOREVER, false, true, false, 0, 1 << 30, null, null, status);
  }

  static Properties size(long bytes) {
    return new Properties(
        LOCK, 3, FOREVER, false, true, false, 0, bytes, null, null, Properties.Status.ACTIVE);
  }

  SentMessage message(String tag) {
    return message(tag, null, null, 0);
  }

  SentMessage message(String tag, @Nullable String id, @Nullable String session, long dueAtMillis) {
    return message(tag, id, session, dueAtMillis, Map.of());
  }

  SentMessage message(
      String tag,
      @Nullable String id,
      @Nullable String session,
      long dueAtMillis,
      Map<String, Object> properties) {
    SentMessage made = new SentMessage(tag, id, session, properties, FOREVER, dueAtMillis, 100);
    sent.put(tag, made);
    sentAt.put(tag, now);
    return made;
  }

  History ask(Operation operation) {
    model.asked(++ids, operation, now);
    return this;
  }

  /** Answers what was asked last. */
  History answer(Answer answer) {
    model.answered(ids, answer, now);
    return this;
  }

  History done(Operation operation) {
    return ask(operation).answer(new Answer.Done());
  }

  History refused(Operation operation, String why) {
    return ask(operation).answer(new Answer.Refused(why));
  }

  History pass(long millis) {
    now += millis;
    return this;
  }

  History queue(String path, Properties properties) {
    return done(new Operation.CreateQueue(path, properties));
  }

  History topic(String path, String... subscriptions) {
    done(new Operation.CreateTopic(path, properties()));
    for (String each : subscriptions) {
      done(new Operation.CreateSubscription(path + "/Subscriptions/" + each, properties(), null));
    }
    return this;
  }

  Operation.Send sending(String path, SentMessage... messages) {
    return new Operation.Send(path, List.of(messages), true, true);
  }

  History send(String path, String... tags) {
    for (String tag : tags) {
      done(sending(path, message(tag)));
    }
    return this;
  }

  History schedule(String path, String tag, long dueAtMillis, long number) {
    return ask(sending(path, message(tag, null, null, dueAtMillis)))
        .answer(new Answer.Numbered(List.of(number)));
  }

  History open(String receiver, String path, int credit) {
    ask(new Operation.OpenReceiver(receiver, path, Mode.PEEK_LOCK));
    return ask(new Operation.Credit(receiver, credit));
  }

  History openDeleting(String receiver, String path, int credit) {
    ask(new Operation.OpenReceiver(receiver, path, Mode.RECEIVE_AND_DELETE));
    return ask(new Operation.Credit(receiver, credit));
  }

  History session(String receiver, String path, String id, int credit) {
    ask(new Operation.AcceptSession(receiver, path, id, Mode.PEEK_LOCK, 0))
        .answer(new Answer.SessionAccepted(id, now + LOCK));
    return ask(new Operation.Credit(receiver, credit));
  }

  /** A message as it is seen now, with this lock and the properties as sent. */
  SeenMessage seen(String tag, long number, int count, long lock) {
    return seen(tag, number, count, lock, Map.of(), sentAt.getOrDefault(tag, now));
  }

  SeenMessage seen(
      String tag, long number, int count, long lock, Map<String, Object> more, long enqueuedAt) {
    SentMessage message = sent.containsKey(tag) ? sent.get(tag) : message(tag);
    Map<String, Object> properties = new HashMap<>(message.properties());
    properties.putAll(more);
    return new SeenMessage(
        tag,
        message.messageId(),
        message.sessionId(),
        number,
        SeenMessage.State.ACTIVE,
        count,
        enqueuedAt,
        FOREVER,
        properties,
        null,
        lock,
        lock == 0 ? 0 : now + LOCK);
  }

  static SeenMessage as(SeenMessage seen, SeenMessage.State state, @Nullable String source) {
    return new SeenMessage(
        seen.tag(),
        seen.messageId(),
        seen.sessionId(),
        seen.sequenceNumber(),
        state,
        seen.deliveryCount(),
        seen.enqueuedAtMillis(),
        seen.expiresAtMillis(),
        seen.properties(),
        source,
        seen.lockId(),
        seen.lockedUntilMillis());
  }

  static SeenMessage expiring(SeenMessage seen, long expiresAt) {
    return new SeenMessage(
        seen.tag(),
        seen.messageId(),
        seen.sessionId(),
        seen.sequenceNumber(),
        seen.state(),
        seen.deliveryCount(),
        seen.enqueuedAtMillis(),
        expiresAt,
        seen.properties(),
        seen.deadLetterSource(),
        seen.lockId(),
        seen.lockedUntilMillis());
  }

  History deliver(String receiver, SeenMessage... messages) {
    model.delivered(receiver, new ArrayList<>(List.of(messages)), now);
    return this;
  }

  History deliver(String receiver, String tag, long number, int count, long lock) {
    return deliver(receiver, seen(tag, number, count, lock));
  }

  static Operation.Settle settling(String path, Settlement how, long lock) {
    return new Operation.Settle(path, how, List.of(lock), Map.of(), null, true, null);
  }

  static Operation.Settle settlingIn(String path, Settlement how, long lock, String receiver) {
    return new Operation.Settle(path, how, List.of(lock), Map.of(), null, true, receiver);
  }

  History settle(String path, Settlement how, long lock) {
    return done(settling(path, how, lock));
  }

  History peek(String path, SeenMessage... messages) {
    return ask(new Operation.Peek(path, 1, 100, null))
        .answer(new Answer.Messages(List.of(messages)));
  }

  History count(String path, long active, long dead, long scheduled) {
    return ask(new Operation.Count(path)).answer(new Answer.Counted(active, dead, scheduled, 0, 0));
  }

  History restart() {
    model.restarted(now);
    return this;
  }

  History rest() {
    pass(5_000);
    model.atRest(now);
    return this;
  }
}
