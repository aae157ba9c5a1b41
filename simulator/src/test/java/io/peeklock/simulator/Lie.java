package io.peeklock.simulator;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SeenMessage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tells another auditor of a broker that is not quite the one of the run. */
final class Lie implements Auditor {
  private final Kind kind;
  private final Auditor to;
  private final TreeMap<Long, Operation> asked = new TreeMap<>();
  private int times;

  /** What is said wrongly, every few times. */
  enum Kind {
    NONE,
    COUNT_TOO_HIGH,
    DELIVERED_TWICE,
    SEND_REFUSED,
    SETTLED_THOUGH_REFUSED,
    LOST_IN_A_PEEK,
    PROPERTY_LOST,
    LATER_ENQUEUED,
    REFUSAL_HIDDEN,
    REFUSED_FOR_SOMETHING_ELSE
  }

  Lie(Kind kind, Auditor to) {
    this.kind = kind;
    this.to = to;
  }

  private boolean isTime(Kind now) {
    return now == kind && ++times % 3 == 0;
  }

  @Override
  public void asked(long id, Operation operation, long nowMillis) {
    asked.put(id, operation);
    to.asked(id, operation, nowMillis);
  }

  @Override
  public void answered(long id, Answer answer, long nowMillis) {
    to.answered(id, changed(asked.remove(id), answer), nowMillis);
  }

  private Answer changed(@Nullable Operation operation, Answer answer) {
    if (operation instanceof Operation.Send
        && answer instanceof Answer.Done
        && isTime(Kind.SEND_REFUSED)) {
      return new Answer.Refused("QuotaExceeded");
    }
    if (operation instanceof Operation.Settle
        && answer instanceof Answer.Refused
        && isTime(Kind.SETTLED_THOUGH_REFUSED)) {
      return new Answer.Done();
    }
    if (operation instanceof Operation.Send
        && answer instanceof Answer.Refused
        && isTime(Kind.REFUSAL_HIDDEN)) {
      return new Answer.Done();
    }
    if (answer instanceof Answer.Refused && isTime(Kind.REFUSED_FOR_SOMETHING_ELSE)) {
      return new Answer.Refused("ForwardDestinationNotFound");
    }
    if (operation instanceof Operation.Peek
        && answer instanceof Answer.Messages some
        && some.messages().size() > 1
        && isTime(Kind.LOST_IN_A_PEEK)) {
      return new Answer.Messages(some.messages().subList(1, some.messages().size()));
    }
    return answer;
  }

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    to.delivered(receiver, messages.stream().map(this::changed).toList(), nowMillis);
    if (isTime(Kind.DELIVERED_TWICE)) {
      to.delivered(receiver, messages, nowMillis);
    }
  }

  private SeenMessage changed(SeenMessage seen) {
    var later = isTime(Kind.LATER_ENQUEUED) ? 100_000 : 0;
    return new SeenMessage(
        seen.tag(),
        seen.messageId(),
        seen.sessionId(),
        seen.sequenceNumber(),
        seen.state(),
        seen.deliveryCount() + (isTime(Kind.COUNT_TOO_HIGH) ? 1 : 0),
        seen.enqueuedAtMillis() + later,
        seen.expiresAtMillis(),
        isTime(Kind.PROPERTY_LOST) ? Map.of() : seen.properties(),
        seen.deadLetterSource(),
        seen.lockId(),
        seen.lockedUntilMillis());
  }

  @Override
  public void undelivered(String receiver, long nowMillis) {
    to.undelivered(receiver, nowMillis);
  }

  @Override
  public void drained(String receiver, long nowMillis) {
    to.drained(receiver, nowMillis);
  }

  @Override
  public void receiverEnded(String receiver, String why, long nowMillis) {
    to.receiverEnded(receiver, why, nowMillis);
  }

  @Override
  public void restarted(long nowMillis) {
    asked.clear();
    to.restarted(nowMillis);
  }

  @Override
  public void clockDoubted(long mostMillis) {
    to.clockDoubted(mostMillis);
  }

  @Override
  public void memoryBounded(long bytes) {
    to.memoryBounded(bytes);
  }

  @Override
  public void diskFilled() {
    to.diskFilled();
  }

  @Override
  public void atRest(long nowMillis) {
    to.atRest(nowMillis);
  }
}
