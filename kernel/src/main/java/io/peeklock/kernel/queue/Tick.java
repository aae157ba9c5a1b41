package io.peeklock.kernel.queue;

import io.peeklock.kernel.CopySource;
import io.peeklock.kernel.DeadLetterCause;
import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Grant;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.QueueId;
import org.jspecify.annotations.Nullable;

/** What a look at the time decides while it is collected, with the bodies that it must read. */
final class Tick {

  private final Draft draft = new Draft();
  private final Machine.@Nullable ReadBodies bodies;
  private final LongList needs = new LongList();

  Tick(Machine.@Nullable ReadBodies bodies) {
    this.bodies = bodies;
  }

  Draft draft() {
    return draft;
  }

  /** Whether nothing can be said of a topic's messages, because bodies are being read. */
  boolean waits(TopicState topic) {
    return topic.looksAtMessages() && bodies == null;
  }

  /** Whether bodies of these messages must be read first, or one never can be. */
  boolean needs(QueueId queue, ScheduledMessages scheduled, long[] numbers) {
    int before = needs.size();
    for (long number : numbers) {
      long place = scheduled.find(number);
      long bodyId = scheduled.chunk(place).bodyId(MessageIndex.row(place));
      if (bodies != null && bodies.isLost(bodyId)) {
        draft.add(new Grant.ScheduleStopped(queue));
        return true;
      }
      if (bodies == null || source(bodies, bodyId) == null) {
        needs.add(bodyId);
        needs.add(0); // nothing of a scheduled message changes
      }
    }
    return needs.size() > before;
  }

  private static @Nullable CopySource source(Machine.ReadBodies bodies, long bodyId) {
    return bodies.source(bodyId, 0, DeadLetterCause.NONE);
  }

  CopySource source(long bodyId) {
    return Invariant.present(
        bodies == null ? null : source(bodies, bodyId), "what is needed was read before");
  }

  /** The id of the next body that this decision makes. */
  long nextBodyId(MachineState state) {
    return state.nextBodyId + draft.made();
  }

  Decision done() {
    return needs.isEmpty() || !draft.isEmpty()
        ? draft.add(new Grant.Ticked()).done()
        : Decision.needing(needs.toArray());
  }
}
