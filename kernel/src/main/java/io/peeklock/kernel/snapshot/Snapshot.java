package io.peeklock.kernel.snapshot;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ChunkDirectory;
import io.peeklock.kernel.columns.DuplicateDetectionHistory;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.state.CopyCursor;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.RestoredRows;
import io.peeklock.kernel.state.SessionTable;
import io.peeklock.kernel.state.SnapshotListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The durable state at one moment, as facts, taken part by part while the shard keeps working. A
 * chunk of messages is written when the snapshot reaches it, or just before it changes, whichever
 * is first; so nothing is copied and nobody waits.
 *
 * <p>Belongs to the thread of its machine, which takes one at a time.
 */
public final class Snapshot {

  private static final int CHUNKS_PER_STEP = 16;

  private final MachineState state;
  private final int number;
  private final List<Section> sections = new ArrayList<>();
  private final List<Memory> memories = new ArrayList<>();
  private final List<SessionStates> states = new ArrayList<>();
  private final Map<QueueId, SessionStates> statesByQueue = new LinkedHashMap<>();
  private List<Fact> ready = new ArrayList<>();
  private int section;
  private int nextStates;
  private long nextNumber;
  private int nextIds;
  private boolean over;

  /** The scheduled messages of a queue, or all others. */
  record Section(
      QueueId queue, ChunkDirectory chunks, boolean scheduled, @Nullable SessionTable sessions) {}

  /** The message ids that came to a queue before this time; later ones may never be durable. */
  private record Memory(QueueId queue, DuplicateDetectionHistory ids, long beforeMillis) {}

  /** Begins a snapshot of the state as it is now; an earlier one must have ended. */
  public static Snapshot begin(MachineState state) {
    Snapshot begun = new Snapshot(state, state.nextSnapshot());
    state.snapshotBegins(begun.new Watch());
    return begun;
  }

  private Snapshot(MachineState state, int number) {
    this.state = state;
    this.number = number;
    ready.add(new Fact.NamespaceDescribed(state.nextQueueNumber, state.nextBodyId));
    state.created().forEach(this::begin);
    state.deleted().forEach(this::begin);
  }

  private void begin(QueueState each) {
    ready.add(
        new EntityFact.QueueRestored(each.entry(), each.nextSequenceNumber(), each.isDeleted()));
    if (each.subscription() != null) {
      ready.add(new Fact.RulesDescribed(each.id(), each.subscription().rules()));
    }
    CopyCursor cursor = each.copyCursor();
    if (cursor != null) {
      ready.add(new Fact.CopyCursorRestored(each.id(), cursor.message(), cursor.upTo()));
    }
    begin(new Section(each.id(), each.messages().chunks(), false, each.sessions()));
    begin(new Section(each.id(), each.scheduled().chunks(), true, each.sessions()));
    QueueState dead = each.deadLetters();
    begin(new Section(dead.id(), dead.messages().chunks(), false, null));
    if (each.sessions() != null && each.sessions().states() > 0) {
      SessionStates some = new SessionStates(each.id(), each.sessions(), number);
      states.add(some);
      statesByQueue.put(each.id(), some);
    }
    if (each.rememberedIds() != null) {
      begin(each.id(), each.rememberedIds());
    }
  }

  private void begin(QueueId each, DuplicateDetectionHistory ids) {
    memories.add(new Memory(each, ids, ids.newestMillis()));
    add(each, ids.newest());
  }

  private void add(QueueId each, DuplicateDetectionHistory.Columns ids) {
    ready.add(new Fact.MessageIdsRestored(each, ids.hashes(), ids.arrivedAtMillis()));
  }

  /** Skips empty places, which most entities have; what comes later is not part of the snapshot. */
  private void begin(Section each) {
    if (each.chunks.size() > 0) {
      sections.add(each);
      each.chunks.snapshot = number;
      each.chunks.inSnapshot = sections.size();
    }
  }

  /** How many places of messages it walks through. */
  int sections() {
    return sections.size();
  }

  /**
   * The next part: a few thousand messages at most, besides those that were about to change. All
   * parts together rebuild the state. Empty only at the end.
   */
  public List<Fact> next() {
    Invariant.check(!over, "a snapshot that is over has nothing more to say");
    int budget = CHUNKS_PER_STEP;
    // An empty part means the end, so this skips what has no facts: empty queues, new chunks.
    while ((budget > 0 || ready.isEmpty()) && section < sections.size()) {
      budget -= walk(sections.get(section), Math.max(1, budget));
    }
    while ((budget > 0 || ready.isEmpty())
        && nextIds < memories.size() * DuplicateDetectionHistory.parts()) {
      budget -= remember(memories.get(nextIds / DuplicateDetectionHistory.parts()));
    }
    while ((budget > 0 || ready.isEmpty()) && nextStates < states.size()) {
      budget--;
      if (!states.get(nextStates).next(ready)) {
        nextStates++;
      }
    }
    List<Fact> part = ready;
    ready = new ArrayList<>();
    return part;
  }

  /** Writes one table of ids, and returns 1 if it had any, else 0. */
  private int remember(Memory each) {
    DuplicateDetectionHistory.Columns ids =
        each.ids.restored(nextIds % DuplicateDetectionHistory.parts(), each.beforeMillis);
    nextIds++;
    if (ids == null) {
      return 0;
    }
    add(each.queue, ids);
    return 1;
  }

  /** Continues in one queue, and returns how many chunks it looked at, at least one. */
  private int walk(Section each, int budget) {
    ChunkDirectory chunks = each.chunks;
    int i = Math.max(0, chunks.covering(nextNumber));
    int looked = 0;
    while (i < chunks.size() && looked < budget) {
      save(each, i);
      i++;
      looked++;
    }
    if (i < chunks.size()) {
      nextNumber = chunks.firstNumber(i);
    } else {
      section++;
      nextNumber = 0;
    }
    return Math.max(1, looked);
  }

  /** Writes parts of the state just before they change. */
  private final class Watch implements SnapshotListener {
    @Override
    public void beforeChange(ChunkDirectory changing, int chunk) {
      Section each = changing.inSnapshot == 0 ? null : sections.get(changing.inSnapshot - 1);
      if (each != null && each.chunks == changing && chunk >= 0 && chunk < changing.size()) {
        save(each, chunk);
      }
    }

    @Override
    public void beforeStateChange(QueueId queue, String sessionId) {
      SessionStates of = statesByQueue.get(queue);
      if (of != null) {
        of.beforeChange(sessionId, ready);
      }
    }
  }

  private void save(Section each, int i) {
    Chunk chunk = each.chunks.chunk(i);
    if (chunk.snapshot != number) {
      chunk.snapshot = number;
      Fact messages =
          RestoredRows.fact(each.queue, chunk, each.scheduled, state.tables, each.sessions);
      if (messages != null) {
        ready.add(messages);
      }
    }
  }

  /** Ends the snapshot, complete or not, so that the machine may take another. */
  public void end() {
    over = true;
    for (Section each : sections) {
      each.chunks.inSnapshot = 0;
    }
    state.snapshotEnded();
  }
}
