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
 * is first; so nothing is copied and nobody waits. Of many entities each is described when the
 * snapshot reaches it, or just before a fact about it; all of them come before what they hold.
 *
 * <p>Belongs to the thread of its machine, which takes one at a time.
 */
public final class Snapshot {

  /** How many messages are looked at in one step; cold code takes ten times as long. */
  private static final int ROWS_PER_STEP = 8 * Chunk.MAX_ROWS;

  /** What a table of ids costs at least, in rows. */
  private static final int LEAST_OF_TABLE = 16;

  /** The most entities that are described in one step. */
  private static final int ENTITIES_PER_STEP = 1_024;

  private final MachineState state;
  private final int number;
  private final UndescribedEntities entities;
  private final List<Section> sections = new ArrayList<>();
  private final List<Memory> memories = new ArrayList<>();
  private final List<SessionStates> states = new ArrayList<>();
  private final Map<QueueId, SessionStates> statesByQueue = new LinkedHashMap<>();
  private List<Fact> ready = new ArrayList<>();
  private List<Fact> held = new ArrayList<>(); // until all entities are described
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
    return begin(state, ENTITIES_PER_STEP);
  }

  static Snapshot begin(MachineState state, int entitiesPerStep) {
    Snapshot begun = new Snapshot(state, state.nextSnapshot(), entitiesPerStep);
    state.snapshotBegins(begun.new Watch());
    return begun;
  }

  private Snapshot(MachineState state, int number, int entitiesPerStep) {
    this.state = state;
    this.number = number;
    this.entities = new UndescribedEntities(state, number, entitiesPerStep, this::describe);
    ready.add(new Fact.NamespaceDescribed(state.nextQueueNumber, state.nextBodyId));
    entities.next(ready);
  }

  /** Writes down what changes about an entity as a whole, and marks what it holds. */
  private void describe(QueueState each, List<Fact> facts) {
    facts.add(
        new EntityFact.QueueRestored(each.entry(), each.nextSequenceNumber(), each.isDeleted()));
    if (each.subscription() != null) {
      facts.add(new Fact.RulesDescribed(each.id(), each.subscription().rules()));
    }
    CopyCursor cursor = each.copyCursor();
    if (cursor != null) {
      facts.add(new Fact.CopyCursorRestored(each.id(), cursor.message(), cursor.upTo()));
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
      DuplicateDetectionHistory ids = each.rememberedIds();
      memories.add(new Memory(each.id(), ids, ids.newestMillis()));
      add(each.id(), ids.newest(), facts);
    }
  }

  private static void add(QueueId each, DuplicateDetectionHistory.Columns ids, List<Fact> facts) {
    facts.add(new Fact.MessageIdsRestored(each, ids.hashes(), ids.arrivedAtMillis()));
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
    if (!entities.areDescribed()) {
      if (ready.isEmpty()) { // else it is the beginning
        entities.next(ready);
      }
      return part();
    }
    addContents();
    return part();
  }

  private void addContents() {
    int budget = ROWS_PER_STEP;
    // An empty part means the end, so this skips what has no facts: empty queues, new chunks.
    while ((budget > 0 || ready.isEmpty()) && section < sections.size()) {
      int chunks = Math.max(1, budget / Chunk.MAX_ROWS);
      budget -= walk(sections.get(section), chunks) * Chunk.MAX_ROWS;
    }
    while ((budget > 0 || ready.isEmpty())
        && nextIds < memories.size() * DuplicateDetectionHistory.parts()) {
      budget -= remember(memories.get(nextIds / DuplicateDetectionHistory.parts()));
    }
    while ((budget > 0 || ready.isEmpty()) && nextStates < states.size()) {
      budget -= Chunk.MAX_ROWS;
      if (!states.get(nextStates).next(ready)) {
        nextStates++;
      }
    }
  }

  private List<Fact> part() {
    List<Fact> part = ready;
    ready = new ArrayList<>();
    if (entities.areDescribed() && !held.isEmpty()) {
      ready = held;
      held = new ArrayList<>();
    }
    return part;
  }

  /** Where facts go about what an entity holds. */
  private List<Fact> contents() {
    return entities.areDescribed() ? ready : held;
  }

  /** Writes one table of ids, and returns what it cost, in rows; 0 for none. */
  private int remember(Memory each) {
    DuplicateDetectionHistory.Columns ids =
        each.ids.restored(nextIds % DuplicateDetectionHistory.parts(), each.beforeMillis);
    nextIds++;
    if (ids == null) {
      return 0;
    }
    add(each.queue, ids, ready);
    return Math.max(LEAST_OF_TABLE, ids.arrivedAtMillis().length);
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
    public void beforeFact(Fact fact) {
      entities.beforeFact(fact);
    }

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
        of.beforeChange(sessionId, contents());
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
        contents().add(messages);
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
