package io.peeklock.kernel.machine;

import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.state.Receiver;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * A queue and its dead-letter queue as one would write them without any thought of speed: plain
 * lists, walked from the front. What the machine does is compared with this.
 */
final class NaiveQueue {

  static final int MAX_HEADER = 65_536;

  /** One message, wherever it is. */
  static final class Message {
    long number;
    long bodyId;
    long overlayId;
    int overlayBytes;
    int size;
    int header;
    long enqueuedAt;
    long expiresAt;
    int count;
    MessageState state = MessageState.ACTIVE;
    DeadLetterCause cause = DeadLetterCause.NONE;
    long lockId;
    long deadline;

    Received shown() {
      return new Received(
          number, bodyId, overlayId, size, enqueuedAt, expiresAt, count, state, cause, 0, "", 0, 0);
    }
  }

  /** One who waits: a credit for each message it may still get, in one line for all. */
  static final class Waiting {
    final boolean deletes;
    long limit;
    long delivered;
    long unsent;
    boolean drains;
    final List<Long> expected = new ArrayList<>();
    int drained;

    Waiting(boolean deletes) {
      this.deletes = deletes;
    }
  }

  QueueDefinition definition; // as it was updated last
  final List<Message> messages = new ArrayList<>();
  final List<Message> dead = new ArrayList<>();
  final List<Waiting> line = new ArrayList<>(); // one entry per credit
  final List<Waiting> receivers = new ArrayList<>();
  long nextNumber = 1;

  NaiveQueue(QueueDefinition definition) {
    this.definition = definition;
  }

  long bytes() {
    long sum = 0;
    for (Message message : messages) {
      sum += message.size + message.overlayBytes;
    }
    for (Message message : dead) {
      sum += message.size + message.overlayBytes;
    }
    return sum;
  }

  Message send(long now, int size, int header, long timeToLive, long bodyId) {
    Message message = new Message();
    message.number = nextNumber++;
    message.bodyId = bodyId;
    message.size = size;
    message.header = (header + 127) / 128 * 128;
    message.enqueuedAt = now;
    long effective = Math.min(timeToLive, definition.defaultTimeToLiveMillis());
    message.expiresAt = effective == Long.MAX_VALUE ? Long.MAX_VALUE : now + effective;
    messages.add(message);
    return message;
  }

  private List<Message> in(boolean deadLetters) {
    return deadLetters ? dead : messages;
  }

  List<Message> all(boolean deadLetters, Predicate<Message> which) {
    return in(deadLetters).stream().filter(which).toList();
  }

  /** The message under a lock that has not lapsed, as an answer to a settlement. */
  List<Message> held(boolean deadLetters, long lockId, long monotonic) {
    return all(deadLetters, m -> m.lockId == lockId && lockId != 0 && m.deadline > monotonic);
  }

  /** Ends a lock; tells whether changed properties were stored. */
  boolean settle(
      boolean deadLetters,
      Message message,
      Settlement how,
      int overlayBytes,
      long overlayId,
      long now) {
    boolean changes = overlayBytes > 0 && how != Settlement.COMPLETE && how != Settlement.RELEASE;
    boolean outgrows = changes && message.header + overlayBytes > MAX_HEADER;
    message.lockId = 0;
    if (outgrows && !deadLetters) {
      message.count += how == Settlement.DEAD_LETTER ? 0 : 1;
      die(message, DeadLetterCause.HEADER_SIZE_EXCEEDED);
      return false;
    }
    boolean stores = changes && !outgrows;
    boolean dropped = false;
    switch (how) {
      case COMPLETE -> in(deadLetters).remove(message);
      case DEAD_LETTER -> die(message, DeadLetterCause.RECEIVER);
      case DEFER -> {
        message.count += deadLetters ? 0 : 1;
        if (!deadLetters && message.count >= definition.maxDeliveryCount()) {
          die(message, DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED);
        } else {
          message.state = MessageState.DEFERRED;
        }
      }
      case ABANDON -> dropped = letGo(deadLetters, message, true, now);
      case RELEASE -> dropped = letGo(deadLetters, message, false, now);
    }
    if (stores && !dropped) {
      message.overlayId = overlayId;
      message.overlayBytes = overlayBytes;
      return true;
    }
    return false;
  }

  /** The message goes back; tells whether it was dropped instead. */
  boolean letGo(boolean deadLetters, Message message, boolean counted, long now) {
    message.lockId = 0;
    if (deadLetters) {
      return false;
    }
    message.count += counted ? 1 : 0;
    if (counted && message.count >= definition.maxDeliveryCount()) {
      die(message, DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED);
      return false;
    }
    return message.expiresAt <= now && expire(message);
  }

  /** Tells whether it was dropped. */
  boolean expire(Message message) {
    if (definition.deadLetteringOnExpiration()) {
      die(message, DeadLetterCause.TTL_EXPIRED);
      return false;
    }
    messages.remove(message);
    return true;
  }

  void die(Message message, DeadLetterCause cause) {
    messages.remove(message);
    message.cause = cause;
    message.state = MessageState.ACTIVE;
    dead.add(message);
    dead.sort(Comparator.comparingLong(m -> m.number));
  }

  /** Time passes to here. */
  void tick(long now, long monotonic) {
    for (Message message : all(false, m -> m.lockId != 0 && m.deadline <= monotonic)) {
      letGo(false, message, true, now);
    }
    for (Message message : all(true, m -> m.lockId != 0 && m.deadline <= monotonic)) {
      letGo(true, message, false, now);
    }
    for (Message message :
        all(false, m -> m.lockId == 0 && m.state == MessageState.ACTIVE && m.expiresAt <= now)) {
      expire(message);
    }
  }

  // ---- demand, on the queue itself

  void flow(Waiting receiver, long limit, boolean drain) {
    receiver.limit = limit;
    receiver.drains = drain;
    fillLine(receiver);
  }

  void fillLine(Waiting receiver) {
    long demand = Math.max(0, receiver.limit - receiver.delivered);
    long inLine = line.stream().filter(one -> one == receiver).count();
    for (; inLine < demand; inLine++) {
      line.add(receiver);
    }
    for (; inLine > demand; inLine--) {
      line.remove(line.lastIndexOf(receiver));
    }
  }

  /** Hands out what can be handed out, message by message. */
  void dispatch(long now, long monotonic) {
    while (dispatchOne(now, monotonic)) {}
    for (Waiting receiver : receivers) {
      boolean noneLeft = all(false, m -> m.lockId == 0 && m.state == MessageState.ACTIVE).isEmpty();
      if (receiver.drains && (noneLeft || receiver.limit <= receiver.delivered)) {
        receiver.drains = false;
        receiver.drained++;
        receiver.delivered = Math.max(receiver.delivered, receiver.limit);
        fillLine(receiver);
      }
    }
  }

  private boolean dispatchOne(long now, long monotonic) {
    List<Message> available = all(false, m -> m.lockId == 0 && m.state == MessageState.ACTIVE);
    List<Waiting> next = line.stream().filter(one -> one.unsent < Receiver.BUDGET_BYTES).toList();
    if (available.isEmpty() || next.isEmpty()) {
      return false;
    }
    Message message = available.getFirst();
    if (message.expiresAt <= now) {
      expire(message);
      return true;
    }
    Waiting receiver = next.getFirst();
    line.remove(receiver);
    receiver.delivered++;
    receiver.unsent += message.size;
    receiver.expected.add(message.number);
    if (receiver.deletes) {
      messages.remove(message);
    } else {
      message.lockId = -1; // which one, the machine says
      message.deadline = monotonic + definition.lockDurationMillis();
    }
    return true;
  }
}
