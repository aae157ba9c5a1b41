package io.peeklock.kernel.queue;

import io.peeklock.kernel.CopySource;
import io.peeklock.kernel.DeadLetterCause;
import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Grant;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.Stamp;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a look at the time decides while it is collected, with the bodies that it must read. */
final class Tick {

  /** How long what is due waits where a message cannot be read, before it is tried again. */
  static final long UNREADABLE_MILLIS = 10_000;

  /** So much is read for one decision, and the topic more that goes beyond it. */
  private static final long MOST_READ_BYTES = 16 << 20;

  /** So much of each message is read at most, and held until the decision. */
  static final long LOOKED_AT_BYTES = 192 << 10;

  private final Stamp stamp;
  private final Draft draft = new Draft();
  private final @Nullable ReadBodies bodies;
  private final LongList needs = new LongList();
  private final FanOutBudget fanOutBudget = new FanOutBudget();
  private final Set<QueueId> looked = new LinkedHashSet<>();
  private long neededBytes;
  private boolean isUsed;
  private int freed;

  Tick(Stamp stamp, @Nullable ReadBodies bodies) {
    this.stamp = stamp;
    this.bodies = bodies;
  }

  /** A queue is looked at; when there is more to do for it is to be found out anew. */
  void looked(QueueId queue) {
    looked.add(queue);
  }

  /** So many messages of sessions more are free. */
  void freed(int messages) {
    freed += messages;
  }

  int freed() {
    return freed;
  }

  Draft draft() {
    return draft;
  }

  /** How many copies all topics of the look may make. */
  FanOutBudget fanOutBudget() {
    return fanOutBudget;
  }

  /** Whether nothing can be said of a topic's messages, because bodies are being read. */
  boolean waits(TopicState topic) {
    return topic.looksAtMessages() && bodies == null;
  }

  /** Whether so much is to be read already that a topic must wait for its turn. */
  boolean isFull() {
    return neededBytes >= MOST_READ_BYTES;
  }

  /** Whether bodies of these messages must be read first, or one cannot be read now. */
  boolean needs(QueueId queue, ScheduledMessages scheduled, long[] numbers) {
    int before = needs.size();
    for (long number : numbers) {
      long place = scheduled.find(number);
      Chunk chunk = scheduled.chunk(place);
      long bodyId = chunk.bodyId(MessageIndex.row(place));
      if (bodies != null && bodies.isLost(bodyId)) {
        draft.add(new Grant.ScheduleWaits(queue, stamp.wallMillis() + UNREADABLE_MILLIS));
        return true;
      }
      if (bodies == null || source(bodies, bodyId) == null) {
        needs.add(bodyId);
        needs.add(0); // nothing of a scheduled message changes
        neededBytes += Math.min(chunk.size(MessageIndex.row(place)), LOOKED_AT_BYTES);
      }
    }
    return needs.size() > before;
  }

  private static @Nullable CopySource source(ReadBodies bodies, long bodyId) {
    return bodies.source(bodyId, 0, DeadLetterCause.NONE);
  }

  CopySource source(long bodyId) {
    return Invariant.present(
        bodies == null ? null : source(bodies, bodyId), "what is needed was read before");
  }

  /** Something of what was read is used, and the rest of it is not kept after that. */
  void used() {
    isUsed = true;
  }

  /** The id of the next body that this decision makes. */
  long nextBodyId(MachineState state) {
    return state.nextBodyId + draft.made();
  }

  /**
   * What is needed is asked for first, and all else is decided anew while it is read: what needs
   * nothing may be there at every look, and who needs something must not wait for that to end.
   */
  Decision done() {
    return needs.isEmpty() || isUsed
        ? draft.add(new Grant.Ticked(List.copyOf(looked))).done()
        : Decision.needing(needs.toArray());
  }
}
