package io.peeklock.kernel.decide;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.grant.Delay;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.grant.Grant.Due;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.ScheduledMessages;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decision of one tick while it is built: the draft, the bodies that it must read, and whose
 * turn is next.
 */
public final class TickContext {

  /**
   * How long the scheduled messages of a topic wait after a message could not be read, before the
   * next try.
   */
  public static final long UNREADABLE_MILLIS = 10_000;

  /** The bytes to read for one decision; the topic that exceeds them is still read. */
  private static final long MOST_READ_BYTES = 16 << 20;

  /** The most bytes of each message that are read, and held until the decision. */
  public static final long LOOKED_AT_BYTES = 192 << 10;

  /** The most chunks that one decision searches for expired messages. */
  public static final int MAX_CHUNKS = 64;

  /** The most queues that one decision serves for each kind of due work. */
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

  /** The time from {@code now} to {@code bound}, at least 0; {@link Long#MAX_VALUE} for never. */
  public static long until(long bound, long now) {
    if (bound == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    return bound <= now ? 0 : bound - now;
  }

  /**
   * Begins a tick.
   *
   * @param bodies as for {@code Machine.tick}
   */
  public TickContext(MachineState state, Stamp stamp, @Nullable FetchedBodies bodies) {
    this.fanOutBudget = new FanOutBudget(state);
    this.stamp = stamp;
    this.bodies = bodies;
  }

  /** Notes that a queue was served, so that its next due time is computed again. */
  public void looked(QueueId queue) {
    looked.add(queue);
  }

  /**
   * Sets whose turn is next for a kind of work: this queue, or the first topic whose messages must
   * be read before.
   */
  public void goesOn(Due due, int queueNumber) {
    int next = due == Due.READ_COPIES && firstInNeed != 0 ? firstInNeed : queueNumber;
    turns.add(new Grant.NextTurn(due, next));
  }

  /** Whether nothing is decided so far; what waits for reads does not count. */
  public boolean isIdle() {
    return draft.isEmpty();
  }

  /** Adds to the number of messages whose session lock ended. */
  public void freed(int messages) {
    freed += messages;
  }

  /** How many messages whose session lock ended were freed so far. */
  public int freed() {
    return freed;
  }

  /** The decision that the handlers add to. */
  public DecisionBuilder draft() {
    return draft;
  }

  /** The copying that all topics of this tick may do together. */
  public FanOutBudget fanOutBudget() {
    return fanOutBudget;
  }

  /** Whether bodies are being read, so that topics that need them are skipped. */
  public boolean isReading() {
    return bodies == null;
  }

  /** Whether this decision asks for so many bytes already that further topics must wait. */
  public boolean isFull() {
    return neededBytes >= MOST_READ_BYTES;
  }

  /**
   * The messages of a topic that were read, in the same order; the others are left to a later tick,
   * and none overtakes a message that cannot be read. When there are none, this asks for the
   * others, or makes the topic wait.
   */
  public long[] readable(QueueState topic, long[] numbers) {
    ScheduledMessages scheduled = topic.scheduled();
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
      waits(topic, WaitReason.MESSAGE_UNREADABLE, UNREADABLE_MILLIS);
    } else if (readable.isEmpty()) {
      need(topic.id(), scheduled, missing);
    }
    return readable.toArray();
  }

  /** Makes the scheduled messages of a topic wait for so long before the next try. */
  public void waits(QueueState topic, WaitReason reason, long millis) {
    draft.add(
        new Grant.ScheduleWaits(
            topic.id(),
            stamp.wallMillis() + millis,
            Delay.after(topic.delay, reason, stamp.monotonicMillis())));
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

  /** The message with this body, which must be one of {@link #readable}. */
  public MessageView source(long bodyId) {
    return Invariant.present(
        bodies == null ? null : source(bodies, bodyId), "what is needed was read before");
  }

  /** Notes that a fetched body is used; the others are not kept after this decision. */
  public void used() {
    isUsed = true;
  }

  /** The id that the next body made by this decision gets. */
  public long nextBodyId(MachineState state) {
    return state.nextBodyId + draft.made();
  }

  /**
   * The decision. When bodies are needed it asks for them first, and everything else is decided
   * again while they are read: other work may turn up at every tick, and reads must not wait for it
   * to end.
   */
  public Decision build() {
    if (!needs.isEmpty() && !isUsed) {
      return Decision.needing(needs.toArray());
    }
    turns.forEach(draft::add);
    return draft.add(new Grant.Ticked(List.copyOf(looked))).build();
  }
}
