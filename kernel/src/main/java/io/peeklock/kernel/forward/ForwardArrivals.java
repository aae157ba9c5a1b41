package io.peeklock.kernel.forward;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.columns.DuplicateDetectionHistory;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.FanOutBudget;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.send.EnqueueFacts;
import io.peeklock.kernel.send.FanOut;
import io.peeklock.kernel.send.TransferQueues;
import io.peeklock.kernel.state.QueueState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Forwarded messages as they come to a queue or topic, which judges them as it would what is sent
 * to it (S-298), and the one fact about those that it takes.
 */
final class ForwardArrivals {

  private final QueueState destination;
  private final QueueState source;
  private final Stamp stamp;
  private final ForwardedMessages messages;
  private final @Nullable FanOut fanOut;
  private final LongList moved = new LongList();
  private final LongList expiries = new LongList();
  private final LongList hashes = new LongList();
  private final List<String> sessionIds = new ArrayList<>();
  private final LongList withoutSession = new LongList();
  private final LongList refused = new LongList();
  private final LongList dropped = new LongList();
  private final Set<MessageIdHash> seen = new LinkedHashSet<>();
  private final long[] hash = new long[2];
  private @Nullable MessageIdHash id; // of the message that is judged
  private long room;
  private boolean anyExpires;
  private boolean isFull;
  private boolean isDone;
  private long firstLeft;

  private record MessageIdHash(long high, long low) {}

  ForwardArrivals(
      StoredMemory memory,
      QueueState destination,
      QueueState source,
      Stamp stamp,
      ForwardedMessages messages) {
    this.destination = destination;
    this.source = source;
    this.stamp = stamp;
    this.messages = messages;
    this.fanOut =
        destination.topic() == null
            ? null
            : new FanOut(destination, destination.topic(), stamp, new FanOutBudget(memory));
    long max = destination.definition().maxSizeBytes();
    boolean has = TransferQueues.isBacklog(source); // of what was taken there is room for all
    this.room = has || max == FOREVER ? FOREVER : max - destination.quotaBytes();
  }

  /** Judges the next message. */
  void add(long number) {
    if (fanOut != null && fanOut.isFull()) {
      stop(number);
      return;
    }
    String sessionId = destination.definition().requiresSession() ? messages.sessionId(number) : "";
    if (destination.definition().requiresSession() && sessionId.isEmpty()) {
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
    if (remembered == null) {
      return false;
    }
    MessageView message = messages.source(number);
    hash[0] = 0;
    hash[1] = 0;
    if (message != null) {
      message.messageIdHash(destination.definition().partitioned(), hash, 0);
    }
    id = (hash[0] | hash[1]) == 0 ? null : new MessageIdHash(hash[0], hash[1]);
    return id != null && (remembered.has(hash[0], hash[1], stamp.nowMillis()) || seen.contains(id));
  }

  private void take(long number, String sessionId) {
    long expires =
        EnqueueFacts.expiry(
            destination.definition(), stamp.nowMillis(), messages.timeToLiveMillis(number));
    if (fanOut != null
        && !fanOut.add(moved.size(), messages.source(number), expires)
        && fanOut.refusesUnmatched()) { // S-055
      refused.add(number);
      return;
    }
    room = room == FOREVER ? FOREVER : room - messages.size(number);
    moved.add(number);
    expiries.add(expires);
    anyExpires |= expires != FOREVER;
    sessionIds.add(sessionId);
    if (destination.rememberedIds() != null) {
      if (id != null) {
        seen.add(id); // only of what is taken: what is refused has no duplicates (I-01)
      }
      hashes.add(hash[0]);
      hashes.add(hash[1]);
    }
  }

  private void stop(long number) {
    isDone = true;
    firstLeft = number;
  }

  /** Whether one and those behind it stay for now: for want of room, or as too much for once. */
  boolean isDone() {
    return isDone;
  }

  /** Whether there was no room for one that waits for it. */
  boolean isFull() {
    return isFull;
  }

  /** The first that stays. */
  long firstLeft() {
    return firstLeft;
  }

  /** Those without the session id that they need there. */
  LongList withoutSession() {
    return withoutSession;
  }

  /** Those that are not taken. */
  LongList refused() {
    return refused;
  }

  /** Those whose ids were seen there. */
  LongList dropped() {
    return dropped;
  }

  /** Adds what is to be said of those that are taken. */
  void addFacts(DecisionBuilder draft, long nextBodyId) {
    if (moved.isEmpty()) {
      return;
    }
    String deadLetterSource = source.isDeadLetterQueue() ? source.definition().path() : null;
    long[] ids = destination.rememberedIds() == null ? null : hashes.toArray();
    if (fanOut == null) {
      draft.add(
          new ForwardFact.Forwarded(
              source.id(),
              moved.toArray(),
              destination.id(),
              destination.nextSequenceNumber(),
              stamp.nowMillis(),
              anyExpires ? expiries.toArray() : null,
              ids,
              destination.definition().requiresSession() ? sessionIds.toArray(String[]::new) : null,
              deadLetterSource));
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
}
