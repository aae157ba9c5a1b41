package io.peeklock.store;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.file.FileJournal;
import io.peeklock.journal.file.UnfinishedFolder;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.MessagesRestored;
import io.peeklock.runtime.Batch;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.StagedBodies;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a salvaged state as a new log, through the journal itself: first the facts that begin a
 * checkpoint, then the messages, each batch with its bodies. Bodies get new ids, so that the new
 * log keeps nothing of the damaged one; each copy of a topic's message gets its own. The calling
 * thread is the journal's shard thread.
 */
final class RepairedLog implements Closeable {
  private static final long BATCH_BYTES = 4 << 20;
  private static final long BACKLOG_BYTES = 1 << 20;

  private final FileJournal journal;
  private final BodyArena arena;
  private final BodySource source;
  private final LostBodyFilter lostBodies;
  private final Salvage salvage;
  private final LinkedBlockingQueue<Runnable> shardExecutor;
  private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
  private volatile long durable;
  private long index;
  private long nextBodyId = 1;

  private RepairedLog(
      FileJournal journal,
      LinkedBlockingQueue<Runnable> shardExecutor,
      Salvage salvage,
      LostBodyFilter lostBodies,
      BodySource source) {
    this.journal = journal;
    this.shardExecutor = shardExecutor;
    this.salvage = salvage;
    this.lostBodies = lostBodies;
    this.source = source;
    this.arena = journal.newArena();
  }

  /**
   * Writes the log, which is durable when this returns. The folder cannot be opened until {@link
   * UnfinishedFolder#finish}.
   */
  static void write(Path folder, Salvage salvage, LostBodyFilter lostBodies, BodySource source)
      throws IOException {
    var shardExecutor = new LinkedBlockingQueue<Runnable>();
    var settings = JournalSettings.in(folder).withReserveBytes(0);
    var journal = FileJournal.openUnfinished(settings, shardExecutor::add, "store repair");
    try (var log = new RepairedLog(journal, shardExecutor, salvage, lostBodies, source)) {
      journal.recover(new Nothing(), log.new CommitListener());
      log.writeAll();
    }
  }

  private void writeAll() throws IOException {
    StateParts.walk(salvage.machine(), new Writing());
  }

  /** Writes a state; its opening facts are in the first batch together. */
  private final class Writing implements StateParts {
    private final List<Fact> opening = new ArrayList<>();
    private final List<Fact> ids = new ArrayList<>();
    private final List<MessagesRestored> messages = new ArrayList<>();
    private final List<Fact.SessionStatesRestored> states = new ArrayList<>();
    private int nextQueue;

    @Override
    public void namespace(Fact.NamespaceDescribed namespace) {
      nextQueue = namespace.nextQueueNumber();
    }

    @Override
    public void queue(EntityFact.QueueRestored queue) {
      // A queue created in a lost batch may not be counted.
      nextQueue = Math.max(nextQueue, queue.queue().number() + 1);
      nextQueue = Math.max(nextQueue, queue.entry().deadLetterQueue().number() + 1);
      var next = queue.nextSequenceNumber() + salvage.safeDistance();
      opening.add(new EntityFact.QueueRestored(queue.entry(), next, queue.deleted()));
    }

    @Override
    public void rules(Fact.RulesDescribed rules) {
      opening.add(rules);
    }

    @Override
    public void copied(Fact.CopyCursorRestored cursor) {
      opening.add(cursor); // without effect for a message whose body is lost
    }

    @Override
    public void messages(MessagesRestored some) {
      messages.add(some);
    }

    @Override
    public void ids(Fact.MessageIdsRestored some) {
      ids.add(some);
    }

    @Override
    public void states(Fact.SessionStatesRestored some) {
      states.add(some);
    }

    @Override
    public void partEnds() throws IOException {
      if (index == 0) {
        var namespace = new Fact.NamespaceDescribed(nextQueue, lostBodies.kept() + 1);
        opening.add(0, namespace);
        append(opening, List.of());
      }
      for (var some : ids) {
        append(List.of(some), List.of());
      }
      for (var some : messages) {
        for (var piece : lostBodies.kept(some, BATCH_BYTES)) {
          append(piece);
        }
      }
      for (var some : states) {
        for (var piece : lostBodies.kept(some, BATCH_BYTES)) {
          append(piece);
        }
      }
      ids.clear();
      messages.clear();
      states.clear();
    }
  }

  private void append(MessagesRestored messages) throws IOException {
    var old = new ArrayList<Long>();
    Arrays.stream(messages.bodyIds()).forEach(old::add);
    var nextId = nextBodyId + old.size();
    var overlays = messages.overlays();
    Fact.@Nullable StoredOverlay[] moved =
        new Fact.StoredOverlay[overlays == null ? 0 : overlays.length];
    for (var i = 0; i < moved.length; i++) {
      var overlay = overlays == null ? null : overlays[i];
      if (overlay != null) {
        moved[i] = new Fact.StoredOverlay(nextId++, overlay.bytes());
        old.add(overlay.bodyId());
      }
    }
    var fact = with(messages, freshIds(old.size()), overlays == null ? null : moved);
    append(fact, old);
  }

  private void append(Fact.SessionStatesRestored states) throws IOException {
    var old = new ArrayList<Long>();
    Arrays.stream(states.bodyIds()).forEach(old::add);
    append(
        new Fact.SessionStatesRestored(
            states.queue(),
            states.sessionIds(),
            freshIds(old.size()),
            states.sizes(),
            states.setAtMillis()),
        old);
  }

  private long[] freshIds(int count) {
    return LongStream.range(nextBodyId, nextBodyId + count).toArray();
  }

  /** Appends a fact with copies of bodies, whose ids count up in this order. */
  private void append(Fact fact, List<Long> bodyIds) throws IOException {
    var larges = new ArrayDeque<LargeBody.Staged>();
    for (var id : bodyIds) {
      if (source.isLarge(id)) {
        larges.add(stageLarge(id));
      }
    }
    arena.begin();
    for (var id : bodyIds) {
      if (source.isLarge(id)) {
        arena.commit(larges.remove());
      } else {
        stage(id);
      }
    }
    append(List.of(fact), List.of(arena.end()));
    nextBodyId += bodyIds.size();
  }

  private static Fact with(
      MessagesRestored old, long[] bodyIds, Fact.@Nullable StoredOverlay @Nullable [] overlays) {
    return new MessagesRestored(
        old.queue(),
        old.sequenceNumbers(),
        Arrays.copyOf(bodyIds, old.bodyIds().length),
        old.sizes(),
        old.headerBytes(),
        old.enqueuedAtMillis(),
        old.expiresAtMillis(),
        old.deliveryCounts(),
        old.deferred(),
        old.causes(),
        overlays,
        old.sessionIds(),
        old.scheduled(),
        old.enqueuedNumbers(),
        old.sharedSlots(),
        old.hops(),
        old.deadLetterSources());
  }

  private void stage(long bodyId) throws IOException {
    var body = source.small(bodyId);
    if (body == null) {
      throw new IOException("body " + bodyId + " changed while it was copied");
    }
    arena.reserve(Math.max(1, body.remaining())).put(body);
    arena.commit();
  }

  private LargeBody.Staged stageLarge(long bodyId) throws IOException {
    try (var scan = source.large(bodyId)) {
      var writer = arena.openLarge(scan.length());
      for (var i = 0; i < scan.pieces(); i++) {
        writer.write(scan.piece(i));
        await(() -> writer.backlogBytes() < BACKLOG_BYTES);
      }
      var done = new AtomicReference<LargeBody.@Nullable Staged>();
      writer.finish(new Here(), done::set);
      await(() -> done.get() != null);
      var staged = done.get();
      if (staged == null) {
        throw new IOException("body " + bodyId + " could not be stored");
      }
      return staged;
    }
  }

  private void append(List<Fact> facts, List<StagedBodies> bodies) throws IOException {
    index++;
    journal.append(
        new Batch(
            1, index, index - 1, salvage.lastTimeMillis(), facts, nextBodyId, bodies, new long[0]));
    await(() -> durable >= index);
  }

  /** Runs the journal's tasks until a condition holds. */
  private void await(BooleanSupplier holds) throws IOException {
    try {
      while (!holds.getAsBoolean()) {
        var failed = failure.get();
        if (failed != null) {
          throw failed;
        }
        var task = shardExecutor.poll(10, TimeUnit.MILLISECONDS);
        if (task != null) {
          task.run();
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the log was written", interrupted);
    }
  }

  @Override
  public void close() {
    journal.close();
  }

  /** Listens to the journal. */
  private final class CommitListener implements Log.Listener {
    @Override
    public void durable(long upTo) {
      durable = upTo;
      shardExecutor.add(() -> {});
    }

    @Override
    public void lostLeadership() {
      failure.set(new IOException("a local log leads for ever"));
    }

    @Override
    public void failed(IOException cause) {
      failure.set(cause);
    }
  }

  /** A replay of a new folder, which is empty. */
  private static final class Nothing implements Log.Replay {
    @Override
    public void restored(long at, List<Fact> part) {
      throw new IllegalStateException("a new folder holds a checkpoint");
    }

    @Override
    public void batch(long at, long predecessor, long timeMillis, List<Fact> facts) {
      throw new IllegalStateException("a new folder holds a log");
    }
  }

  /** An endpoint for large bodies on the thread that writes them. */
  private static final class Here extends Endpoint {
    @Override
    public void onEffect(Effect effect, @Nullable Bodies bodies) {
      throw new IllegalStateException("nothing is decided here");
    }

    @Override
    public void flush() {
      throw new IllegalStateException("nothing is decided here");
    }

    @Override
    public void resume() {
      throw new IllegalStateException("nothing is decided here");
    }

    @Override
    public void unreadable(String reason) {
      throw new IllegalStateException("nothing is decided here");
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }
}
