package io.peeklock.kernel.forward;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ForwardingHistory;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.FairShare;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.decide.TickContext;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.grant.Delay;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.send.TransferQueues;
import io.peeklock.kernel.state.CopyCursor;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.TopicState;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the available messages of a queue, or of a dead-letter queue: a bounded slice of one
 * hop, in order (S-291). A message that cannot move becomes a dead letter (S-294); a dead letter
 * that cannot move stays, and is tried again if that may help (S-200, R-10).
 *
 * <p>A message that must be read and cannot be waits, and its queue with it, until its owner
 * repairs that. A topic's backlog must not wait so, as everything sent to the topic is behind it:
 * there a message that could not be read twice becomes a transfer dead letter.
 */
public final class ForwardHandler {

  /** The most messages of one decision. */
  static final int SLICE = 512;

  /** How long dead letters wait before their destination is tried again. */
  private static final long RETRY_MILLIS = 1_000;

  private final MachineState state;
  private final QueueState queue;
  private final Stamp stamp;
  private final ForwardedMessages messages;
  private final @Nullable QueueState destination;
  private final DecisionBuilder draft = new DecisionBuilder();
  private final LongList going = new LongList();
  private final LongList exhausted = new LongList();
  private final LongList lost = new LongList(); // of transfers
  private long lookedFrom;
  private boolean isFull; // the destination

  /**
   * Forwards from this queue.
   *
   * @param bodies what an earlier decision asked for
   */
  public ForwardHandler(MachineState state, QueueState queue, Stamp stamp, FetchedBodies bodies) {
    this.state = state;
    this.queue = queue;
    this.stamp = stamp;
    this.messages = new ForwardedMessages(state, queue, bodies);
    this.destination = open(state, queue);
  }

  /** The destination, if it exists and accepts messages now; else null. */
  private static @Nullable QueueState open(MachineState state, QueueState queue) {
    String path = queue.forwardPath();
    QueueState found = path == null ? null : state.queue(path);
    if (found == null || found.subscription() != null) {
      return null;
    }
    // the backlog was accepted before the topic's status changed
    return TransferQueues.isBacklog(queue) || found.definition().status().takesSends()
        ? found
        : null;
  }

  /** Decides one slice, or asks for the bodies that it needs first. */
  public Decision decide() {
    collect(
        destination == null || !messages.wantBodies(destination)
            ? SLICE
            : ForwardedMessages.MOST_READ);
    deadLetter(exhausted, DeadLetterCause.HOP_LIMIT_EXCEEDED);
    if (destination == null) {
      return unreachable();
    }
    WaitReason lacking = lackOfMemory(destination);
    if (lacking != null) {
      return draft.add(waiting(lacking, RETRY_MILLIS)).build();
    }
    int count = messages.readable(destination, going);
    if (count < going.size()) {
      lookedFrom = going.get(count);
    }
    LongList unreadable = new LongList();
    Decision before = read(destination, count, unreadable);
    if (before != null) {
      return before;
    }
    deadLetter(unreadable, DeadLetterCause.FORWARDING_FAILED); // the topic's sends wait
    move(arrivals(destination, count, unreadable));
    return looked();
  }

  /**
   * Asks for the bodies that must be read for the first {@code count} messages, or waits because
   * one cannot be read.
   *
   * @param unreadable receives the numbers of messages that a backlog gives up
   * @return null when all others are read
   */
  private @Nullable Decision read(QueueState to, int count, LongList unreadable) {
    long[] needs = messages.needs(to, going, count, unreadable);
    boolean isBacklog = TransferQueues.isBacklog(queue);
    if (needs.length > 0 && (isBacklog || unreadable.isEmpty())) {
      return Decision.needing(needs);
    }
    if (!unreadable.isEmpty() && !(isBacklog && messages.areGivenUp(unreadable))) {
      return draft
          .add(waiting(WaitReason.MESSAGE_UNREADABLE, TickContext.UNREADABLE_MILLIS))
          .build(); // with those that are out of hops
    }
    return null;
  }

  /** Adds the facts about the judged messages. */
  private void move(ForwardArrivals arrivals) {
    if (arrivals.isDone()) {
      lookedFrom = arrivals.firstLeft();
    }
    isFull = arrivals.isFull();
    if (!queue.isDeadLetterQueue()) {
      deadLetter(arrivals.withoutSession(), DeadLetterCause.SESSION_ID_MISSING);
      deadLetter(arrivals.refused(), DeadLetterCause.FORWARDING_FAILED);
    }
    if (!arrivals.dropped().isEmpty()) {
      draft.add(new ForwardFact.Dropped(queue.id(), arrivals.dropped().toArray()));
    }
    arrivals.addFacts(draft, state.nextBodyId);
  }

  /**
   * Which memory the destination lacks; null for none. Copies need memory. A moved message does
   * not, but it counts for another entity from then on: without this check senders to one entity
   * could fill another without being refused.
   */
  private @Nullable WaitReason lackOfMemory(QueueState to) {
    WaitReason ofCopies = to.topic() == null ? null : lackForCopies(to, to.topic());
    if (ofCopies != null || to.held == queue.held) {
      return ofCopies;
    }
    return FairShare.refusal(state, to, FairShare.OF_THE_REST) == null
        ? null
        : WaitReason.MEMORY_SHARE_EXCEEDED;
  }

  private @Nullable WaitReason lackForCopies(QueueState to, TopicState topic) {
    boolean areChanged = topic.mayChangeCopies() || messages.areChanged(going);
    WaitReason ofChanged = areChanged ? FairShare.changedCopiesWait(state, to) : null;
    if (ofChanged != null) {
      return ofChanged;
    }
    if (to.held == queue.held) {
      return FairShare.copiesWait(state.stored, to);
    }
    return state.stored.isExhausted() ? WaitReason.STORE_FULL : null;
  }

  /** Judges the first {@code count} messages, as far as one slice goes, without unreadable ones. */
  private ForwardArrivals arrivals(QueueState to, int count, LongList unreadable) {
    ForwardArrivals arrivals = new ForwardArrivals(state, to, queue, stamp, messages);
    CopyCursor cursor = queue.copyCursor();
    if (cursor != null && isReadable(cursor.message(), count, unreadable)) {
      arrivals.goOn(cursor, going.get(0));
      return arrivals;
    }
    int passed = 0;
    for (int i = 0; i < count && !arrivals.isDone(); i++) {
      if (passed < unreadable.size() && unreadable.get(passed) == going.get(i)) {
        passed++;
      } else {
        arrivals.add(going.get(i));
      }
    }
    return arrivals;
  }

  private boolean isReadable(long number, int count, LongList unreadable) {
    for (int i = 0; i < unreadable.size(); i++) {
      if (unreadable.get(i) == number) {
        return false;
      }
    }
    for (int i = 0; i < count; i++) {
      if (going.get(i) == number) {
        return true;
      }
    }
    return false; // its time is over
  }

  /** Collects the available messages that may move, as far as one slice goes. */
  private void collect(int most) {
    MessageIndex index = queue.messages();
    long place = index.readyIndex().firstToForward();
    int left = most; // messages that stay count too
    while (place != Place.NONE && left > 0) {
      left--;
      Chunk chunk = index.chunk(place);
      int row = Place.row(place);
      lookedFrom = chunk.number(row) + 1;
      boolean tired = // a transfer is no hop (S-292)
          !queue.isForTransfers()
              && ForwardingHistory.hops(chunk.forwardings(row)) >= ForwardingHistory.MOST_HOPS;
      if (queue.isDeadLetterQueue()) {
        // S-201: dead letters of the hop limit stay
        if (!tired && chunk.cause(row) != DeadLetterCause.HOP_LIMIT_EXCEEDED) {
          going.add(chunk.number(row));
        }
      } else if (!queue.isExpired(place, stamp.nowMillis())) { // expired ones are left to the tick
        (tired ? exhausted : going).add(chunk.number(row));
      }
      place = index.nextAvailable(place);
    }
  }

  private Decision unreachable() {
    if (queue.isDeadLetterQueue() && !going.isEmpty()) {
      return draft.add(waiting(whyUnreachable(), RETRY_MILLIS)).build();
    }
    deadLetter(going, DeadLetterCause.FORWARDING_FAILED);
    return looked();
  }

  private WaitReason whyUnreachable() {
    String path = queue.forwardPath();
    QueueState found = path == null ? null : state.queue(path);
    return found == null || found.subscription() != null
        ? WaitReason.DESTINATION_NOT_FOUND
        : WaitReason.DESTINATION_DISABLED;
  }

  /** A wait, which begins now if something moved. */
  private Grant waiting(WaitReason reason, long millis) {
    long now = stamp.monotonicMillis();
    Delay delay = Delay.after(draft.hasFacts() ? null : queue.delay, reason, now);
    return new Grant.ForwardWaits(queue.id(), now + millis, delay);
  }

  private Decision looked() {
    if (!lost.isEmpty()) {
      deadLetterTransfers();
    }
    draft.add(new Grant.ForwardLooked(queue.id(), lookedFrom)); // ends a wait
    if (isFull) {
      draft.add(waiting(WaitReason.DESTINATION_FULL, RETRY_MILLIS));
    }
    return draft.build();
  }

  private void deadLetter(LongList numbers, DeadLetterCause cause) {
    if (queue.isForTransfers()) {
      for (int i = 0; i < numbers.size(); i++) {
        lost.add(numbers.get(i));
      }
    } else if (!numbers.isEmpty()) {
      draft.add(
          new Fact.DeadLettered(
              queue.id(), queue.deadLetters().id(), numbers.toArray(), cause, false, null));
    }
  }

  /** S-303: into the transfer dead-letter queue of the entity that they were sent via. */
  private void deadLetterTransfers() {
    QueueRole.Transfers role = (QueueRole.Transfers) queue.definition().role();
    QueueState transferDeadLetters =
        Invariant.present(
            state.queue(QueueRole.Transfers.path(role.entityPath(), null)),
            "transfers have a dead-letter queue");
    long first = transferDeadLetters.nextSequenceNumber();
    draft.add(
        new ForwardFact.Forwarded(
            queue.id(),
            lost.toArray(),
            transferDeadLetters.id(),
            first,
            stamp.nowMillis(),
            null,
            null,
            null,
            null));
    draft.add(
        new Fact.DeadLettered(
            transferDeadLetters.id(),
            transferDeadLetters.deadLetters().id(),
            LongStream.range(first, first + lost.size()).toArray(),
            DeadLetterCause.FORWARDING_FAILED,
            false,
            null));
  }
}
