package io.peeklock.kernel.forward;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.DuplicateDetectionHistory;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.send.EnqueueFacts;
import io.peeklock.kernel.send.FanOut;
import io.peeklock.kernel.send.TransferQueues;
import io.peeklock.kernel.state.CopyCursor;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.TopicState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Forwarded messages as they arrive at a queue or topic. It judges them as if they were sent to it
 * (S-298), and one fact has those that it accepts. If a message needs more copies than one decision
 * makes, they are made in parts from the topic's backlog: for a message that comes from there a
 * part is made, any other goes there.
 */
final class ForwardArrivals {

  private final QueueState destination;
  private final QueueState source;
  private final Stamp stamp;
  private final ForwardedMessages messages;
  private final TransferQueues transfers;
  private final @Nullable FanOut fanOut;
  private final boolean isBacklog;
  private final LongList moved = new LongList();
  private final LongList expiries = new LongList();
  private final LongList hashes = new LongList();
  private final List<String> sessionIds = new ArrayList<>();
  private final LongList withoutSession = new LongList();
  private final LongList refused = new LongList();
  private final LongList dropped = new LongList();
  private final Set<MessageIdHash> seen = new LinkedHashSet<>();
  private final long[] hash = new long[2];
  private @Nullable MessageIdHash id; // of the message being judged
  private long room;
  private boolean anyExpires;
  private boolean isFull;
  private boolean isDone;
  private boolean isPart; // the one accepted message is copied in parts
  private boolean isBegun; // and has some copies already
  private boolean isLast; // and this is the last one
  private boolean waits; // accepted messages wait in the backlog
  private long firstLeft;

  private record MessageIdHash(long high, long low) {}

  ForwardArrivals(
      MachineState state,
      QueueState destination,
      QueueState source,
      Stamp stamp,
      ForwardedMessages messages) {
    this.destination = destination;
    this.source = source;
    this.stamp = stamp;
    this.messages = messages;
    this.transfers = new TransferQueues(state, stamp);
    TopicState topic = destination.topic();
    this.fanOut =
        topic == null ? null : new FanOut(destination, topic, stamp, transfers.fanOutBudget());
    this.isBacklog = TransferQueues.isBacklog(source);
    this.waits = topic != null && !isBacklog && transfers.mustWait(destination, topic);
    long max = destination.definition().maxSizeBytes();
    // messages from the backlog were accepted before, so they have room
    this.room = isBacklog || max == FOREVER ? FOREVER : max - destination.quotaBytes();
  }

  /** Judges the next message. */
  void add(long number) {
    if (fanOut != null && (fanOut.isFull() || isPart)) {
      stop(number);
    } else {
      judge(number);
    }
  }

  /**
   * Makes the next copies of a message that is partly copied; it arrived with its first part.
   *
   * @param firstLeft the first message that stays, perhaps this one
   */
  void goOn(CopyCursor cursor, long firstLeft) {
    FanOut to = Invariant.present(fanOut, "a topic has copies");
    long number = cursor.message();
    isBegun = true;
    to.cameAt(messages.enqueuedAtMillis(number));
    partMade(
        FanOut.PartResult.COPIED
            == to.addPart(
                messages.source(number), messages.expiresAtMillis(number), cursor.upTo()));
    moved.add(number);
    stop(firstLeft);
  }

  private void partMade(boolean last) {
    isPart = true;
    isLast = last;
  }

  private void judge(long number) {
    String sessionId = destination.definition().requiresSession() ? messages.sessionId(number) : "";
    if (sessionId == null) {
      withoutSession.add(number);
    } else if (isDuplicate(number)) {
      dropped.add(number);
    } else if (messages.size(number) > room) {
      refuse(number);
    } else {
      take(number, sessionId);
    }
  }

  /** S-294 for messages; S-200, S-305 for dead letters and transfers, which wait for room. */
  private void refuse(long number) {
    if (source.isDeadLetterQueue() || source.isForTransfers()) {
      isFull = true;
      stop(number);
    } else {
      refused.add(number);
    }
  }

  private boolean isDuplicate(long number) {
    DuplicateDetectionHistory remembered = destination.rememberedIds();
    hash[0] = 0;
    hash[1] = 0;
    id = null;
    if (remembered == null
        || (isBacklog && messages.wasScheduled(number))) { // its id is remembered since then
      return false;
    }
    MessageView message = messages.source(number);
    if (message != null) {
      message.messageIdHash(destination.definition().partitioned(), hash, 0);
    }
    id = (hash[0] | hash[1]) == 0 ? null : new MessageIdHash(hash[0], hash[1]);
    return id != null
        && !waits // or it is judged when it is copied
        && (remembered.has(hash[0], hash[1], stamp.nowMillis()) || seen.contains(id));
  }

  private void take(long number, String sessionId) {
    long expires =
        EnqueueFacts.expiry(
            destination.definition(), stamp.nowMillis(), messages.timeToLiveMillis(number));
    if (fanOut != null && !isTaken(fanOut, number, expires)) {
      return;
    }
    room = room == FOREVER ? FOREVER : room - messages.size(number);
    moved.add(number);
    expiries.add(expires);
    anyExpires |= expires != FOREVER;
    sessionIds.add(sessionId);
    if (destination.rememberedIds() != null) {
      if (id != null) {
        seen.add(id); // only of accepted messages: a refused one has no duplicates (I-01)
      }
      hashes.add(hash[0]);
      hashes.add(hash[1]);
    }
  }

  /** Whether a topic accepts a message now; otherwise it is refused, or stays. */
  private boolean isTaken(FanOut to, long number, long expires) {
    MessageView source = messages.source(number);
    if (waits) {
      return !to.refusesUnmatched() || to.selects(source) || isTakenUnmatched(to, number);
    }
    return (isBacklog && moved.isEmpty())
        ? isTaken(to, number, to.addPart(source, expires, 0))
        : isTaken(to, number, to.add(moved.size(), source, expires));
  }

  private boolean isTaken(FanOut to, long number, FanOut.PartResult result) {
    return switch (result) {
      case COPIED -> true;
      case UNMATCHED -> isTakenUnmatched(to, number);
      case PART -> {
        partMade(false);
        stop(number);
        yield true;
      }
    };
  }

  private boolean isTaken(FanOut to, long number, FanOut.Result result) {
    return switch (result) {
      case COPIED -> true;
      case UNMATCHED -> isTakenUnmatched(to, number);
      case WIDE -> {
        if (isBacklog || !moved.isEmpty()) {
          stop(number);
          yield false;
        }
        waits = true;
        yield true;
      }
    };
  }

  /** S-055. */
  private boolean isTakenUnmatched(FanOut to, long number) {
    if (to.refusesUnmatched()) {
      refused.add(number);
      return false;
    }
    return true;
  }

  private void stop(long number) {
    isDone = true;
    firstLeft = number;
  }

  /**
   * Whether a message and all behind it stay for now, because there is no room or too much for one
   * decision.
   */
  boolean isDone() {
    return isDone;
  }

  /** Whether a message that waits for room found none. */
  boolean isFull() {
    return isFull;
  }

  /** The first message that stays. */
  long firstLeft() {
    return firstLeft;
  }

  /** Messages without the session id that the destination requires. */
  LongList withoutSession() {
    return withoutSession;
  }

  /** Messages that the destination refuses. */
  LongList refused() {
    return refused;
  }

  /** Messages whose ids the destination has seen. */
  LongList dropped() {
    return dropped;
  }

  /** Adds the facts about the accepted messages. */
  void addFacts(DecisionBuilder draft, long nextBodyId) {
    if (moved.isEmpty()) {
      return;
    }
    String deadLetterSource = source.isDeadLetterQueue() ? source.definition().path() : null;
    long[] ids = destination.rememberedIds() == null ? null : hashes.toArray();
    if (fanOut == null || waits) {
      QueueState place = waits ? transfers.backlog(destination, draft) : destination;
      draft.add(
          new ForwardFact.Forwarded(
              source.id(),
              moved.toArray(),
              place.id(),
              place.nextSequenceNumber(),
              stamp.nowMillis(),
              anyExpires ? expiries.toArray() : null,
              ids,
              destination.definition().requiresSession() ? sessionIds.toArray(String[]::new) : null,
              deadLetterSource));
      return;
    }
    if (isPart) {
      draft.add(part(fanOut));
      fanOut.addChanges(draft, nextBodyId);
      return;
    }
    draft.add(
        new ForwardFact.ForwardPublished(
            source.id(),
            moved.toArray(),
            destination.id(),
            destination.nextSequenceNumber(),
            stamp.nowMillis(),
            ids,
            fanOut.take(moved.size()),
            deadLetterSource));
    fanOut.addChanges(draft, nextBodyId);
  }

  private ForwardFact part(FanOut made) {
    long number = moved.get(0);
    return new ForwardFact.PartPublished(
        source.id(),
        number,
        destination.id(),
        isBegun ? 0 : destination.nextSequenceNumber(),
        isBegun ? messages.enqueuedAtMillis(number) : stamp.nowMillis(),
        isBegun ? messages.expiresAtMillis(number) : expiries.get(0),
        isBegun || destination.rememberedIds() == null ? null : hashes.toArray(),
        made.take(1),
        made.upTo(),
        isLast);
  }
}
