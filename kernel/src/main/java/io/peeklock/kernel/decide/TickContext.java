package io.peeklock.kernel.decide;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.grant.Grant.Due;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.ScheduledMessages;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a look at the time decides while it is collected, with the bodies that it must read. */
public final class TickContext {

  /** How long what is due waits where a message cannot be read, before it is tried again. */
  public static final long UNREADABLE_MILLIS = 10_000;

  /** So much is read for one decision, and the topic more that goes beyond it. */
  private static final long MOST_READ_BYTES = 16 << 20;

  /** So much of each message is read at most, and held until the decision. */
  public static final long LOOKED_AT_BYTES = 192 << 10;

  /** The most chunks that one decision looks through for expired messages. */
  public static final int MAX_CHUNKS = 64;

  /** The most queues that one decision looks at for each kind of what is due. */
  public static final int MAX_QUEUES = 256;

  private final Stamp stamp;
  private final DecisionBuilder draft = new DecisionBuilder();
  private final @Nullable FetchedBodies bodies;
  private final LongList needs = new LongList();
  private final FanOutBudget fanOutBudget;
  private final Set<QueueId> looked = new LinkedHashSet<>();
  private final List<Grant.NextTurn> turns = new ArrayList<>();
  private long neededBytes;
  private int firstInNeed; // of topics; 0 for none
  private boolean isUsed;
  private int freed;

  /** How long until then; 0 when it is past. */
  public static long until(long bound, long now) {
    if (bound == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    return bound <= now ? 0 : bound - now;
  }

  public TickContext(MachineState state, Stamp stamp, @Nullable FetchedBodies bodies) {
    this.fanOutBudget = new FanOutBudget(state);
    this.stamp = stamp;
    this.bodies = bodies;
  }

  /** A queue is looked at; when there is more to do for it is to be found out anew. */
  public void looked(QueueId queue) {
    looked.add(queue);
  }

  /** Of a kind, this queue is next; of those that must read, the first that could not go on. */
  public void goesOn(Due due, int queueNumber) {
    int next = due == Due.READ_COPIES && firstInNeed != 0 ? firstInNeed : queueNumber;
    turns.add(new Grant.NextTurn(due, next));
  }

  /** Whether there was nothing to do so far, but for what is being read. */
  public boolean isIdle() {
    return draft.isEmpty();
  }

  /** So many messages of sessions more are free. */
  public void freed(int messages) {
    freed += messages;
  }

  public int freed() {
    return freed;
  }

  public DecisionBuilder draft() {
    return draft;
  }

  /** How many copies all topics of the look may make. */
  public FanOutBudget fanOutBudget() {
    return fanOutBudget;
  }

  /** Whether topics that must read their messages are left, because that is under way. */
  public boolean isReading() {
    return bodies == null;
  }

  /** Whether so much is to be read already that a topic must wait for its turn. */
  public boolean isFull() {
    return neededBytes >= MOST_READ_BYTES;
  }

  /**
   * Those of a topic's messages that were read, in the same order. A topic may do more by now than
   * when they were asked for, so the others are left to a later look; but none passes one that
   * cannot be read. Where there are none of them, the others are asked for, or the topic waits.
   */
  public long[] readable(QueueId topic, ScheduledMessages scheduled, long[] numbers) {
    FetchedBodies now = Invariant.present(bodies, "nobody looks while bodies are being read");
    LongList readable = new LongList();
    LongList missing = new LongList();
    boolean isLost = false;
    for (int i = 0; i < numbers.length && !isLost; i++) {
      long bodyId = bodyId(scheduled, numbers[i]);
      isLost = now.isLost(bodyId);
      if (!isLost) {
        (source(now, bodyId) == null ? missing : readable).add(numbers[i]);
      }
    }
    if (readable.isEmpty() && isLost) {
      draft.add(new Grant.ScheduleWaits(topic, stamp.wallMillis() + UNREADABLE_MILLIS));
    } else if (readable.isEmpty()) {
      need(topic, scheduled, missing);
    }
    return readable.toArray();
  }

  private void need(QueueId topic, ScheduledMessages scheduled, LongList numbers) {
    for (int i = 0; i < numbers.size(); i++) {
      long place = scheduled.find(numbers.get(i));
      needs.add(bodyId(scheduled, numbers.get(i)));
      needs.add(0); // nothing of a scheduled message changes
      neededBytes += Math.min(scheduled.chunk(place).size(Place.row(place)), LOOKED_AT_BYTES);
    }
    if (firstInNeed == 0 && !numbers.isEmpty()) {
      firstInNeed = topic.number();
    }
  }

  private static long bodyId(ScheduledMessages scheduled, long number) {
    long place = scheduled.find(number);
    return scheduled.chunk(place).bodyId(Place.row(place));
  }

  private static @Nullable MessageView source(FetchedBodies bodies, long bodyId) {
    return bodies.source(bodyId, 0, DeadLetterCause.NONE);
  }

  public MessageView source(long bodyId) {
    return Invariant.present(
        bodies == null ? null : source(bodies, bodyId), "what is needed was read before");
  }

  /** Something of what was read is used, and the rest of it is not kept after that. */
  public void used() {
    isUsed = true;
  }

  /** The id of the next body that this decision makes. */
  public long nextBodyId(MachineState state) {
    return state.nextBodyId + draft.made();
  }

  /**
   * What is needed is asked for first, and all else is decided anew while it is read: what needs
   * nothing may be there at every look, and who needs something must not wait for that to end.
   */
  public Decision build() {
    if (!needs.isEmpty() && !isUsed) {
      return Decision.needing(needs.toArray());
    }
    turns.forEach(draft::add);
    return draft.add(new Grant.Ticked(List.copyOf(looked))).build();
  }
}
