package io.peeklock.journal.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.snapshot.Snapshot;
import io.peeklock.runtime.Batch;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.BodyStorage;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.Snapshots;
import io.peeklock.runtime.StagedBodies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A real state behind a real journal, with checkpoints, and a book about it: what the state was
 * after every batch, and which bodies lived then. What a recovery brings back must stand in it.
 */
public final class Ledger implements Log.Listener, Log.Replay, BodyStorage.LoadListener {
  private static final int LARGE = BodyArena.LARGE_BODY_BYTES + 10;
  private static final long WINDOW_MILLIS = 600_000;

  private final Random chance;
  private QueueId orders = new QueueId(1);
  private QueueId deadLetters = new QueueId(2);
  public final TopicBook topic = new TopicBook(this);
  private final Map<Long, Long> hashes = new TreeMap<>();
  private final Map<Long, Long> born = new TreeMap<>();
  private final Map<Long, Long> died = new TreeMap<>();
  private final Map<Long, Integer> lengths = new TreeMap<>();
  private final Map<Long, TreeSet<Long>> waitingAfter = new TreeMap<>();
  private final Map<Long, Long> nextAfter = new TreeMap<>();
  private TreeSet<Long> waiting = new TreeSet<>();
  private long nextNumber = 1;
  private Machine machine = new Machine();
  private @Nullable Journal journal;
  private @Nullable BodyArena arena;
  private @Nullable Snapshot snapshot;
  private Snapshots.@Nullable CheckpointSink sink;
  private @Nullable Bodies loaded;
  private long lastIndex;
  private long term;
  public long durable;
  public int restoredParts;
  public int completed;
  public final List<IOException> failures = new ArrayList<>();
  public boolean mayFail;
  private boolean woken;

  public Ledger(Random chance) {
    this.chance = chance;
  }

  /** The same book, for another disk; its journal is none yet. */
  public Ledger copy() {
    var copy = new Ledger(new Random(7));
    copy.hashes.putAll(hashes);
    copy.born.putAll(born);
    copy.died.putAll(died);
    copy.lengths.putAll(lengths);
    copy.waitingAfter.putAll(waitingAfter);
    copy.nextAfter.putAll(nextAfter);
    copy.topic.copy(topic);
    copy.durable = durable;
    return copy;
  }

  /** Recovers and compares what came back with the book. */
  public void on(Journal next, SimExecutors executors) throws IOException {
    var told = durable;
    journal = next;
    machine = new Machine();
    snapshot = null;
    sink = null;
    restoredParts = 0;
    var standing = next.recover(this, this);
    lastIndex = standing.lastIndex();
    term = standing.term();
    durable = lastIndex;
    assertThat(lastIndex).isGreaterThanOrEqualTo(told);
    if (lastIndex == 0) {
      hashes.put(0L, machine.stateHash());
      waitingAfter.put(0L, new TreeSet<>());
      nextAfter.put(0L, 1L);
      topic.note(0);
    }
    assertThat(machine.stateHash()).as("batch %s", lastIndex).isEqualTo(hashes.get(lastIndex));
    forgetWhatNeverWas();
    arena = next.newArena();
    readAll(executors);
  }

  private void forgetWhatNeverWas() {
    waiting = new TreeSet<>(Objects.requireNonNull(waitingAfter.get(lastIndex)));
    nextNumber = Objects.requireNonNull(nextAfter.get(lastIndex));
    topic.backTo(lastIndex);
    hashes.keySet().removeIf(index -> index > lastIndex);
    waitingAfter.keySet().removeIf(index -> index > lastIndex);
    nextAfter.keySet().removeIf(index -> index > lastIndex);
    born.values().removeIf(index -> index > lastIndex);
    died.values().removeIf(index -> index > lastIndex);
    lengths.keySet().retainAll(born.keySet());
    died.keySet().retainAll(born.keySet());
  }

  /** Every body that lives is readable, and is what was sent. */
  public void readAll(SimExecutors executors) {
    var ids = live();
    if (ids.isEmpty()) {
      return;
    }
    read(ids, executors);
  }

  /** These are readable, and are what was sent. */
  public void read(List<Long> ids, SimExecutors executors) {
    loaded = null;
    var bodies =
        Objects.requireNonNull(journal).fetch(ids.stream().mapToLong(id -> id).toArray(), this);
    executors.settle();
    check(Objects.requireNonNull(bodies == null ? loaded : bodies), ids);
  }

  /** What one is told who reads a body that cannot be read. */
  public String unreadable(long bodyId, SimExecutors executors) {
    var told = new ArrayList<String>();
    var bodies =
        Objects.requireNonNull(journal)
            .fetch(
                new long[] {bodyId},
                new BodyStorage.LoadListener() {
                  @Override
                  public void loaded(Bodies come) {
                    throw new AssertionError("it is readable");
                  }

                  @Override
                  public void unreadable(long id, IOException cause) {
                    told.add(cause.getMessage());
                  }
                });
    assertThat(bodies).isNull();
    executors.settle();
    return told.get(0);
  }

  /** These came, and are what was sent. */
  public void check(Bodies all, List<Long> ids) {
    for (var i = 0; i < ids.size(); i++) {
      var large = all.large(i);
      if (large == null) {
        var actual = new byte[all.length(i)];
        all.buffer(i).get(all.offset(i), actual);
        assertThat(actual).isEqualTo(bytesOf(ids.get(i)));
      } else {
        assertThat(large.length())
            .isEqualTo((long) Objects.requireNonNull(lengths.get(ids.get(i))));
        large.release();
      }
    }
    all.release();
  }

  public byte[] bytesOf(long id) {
    return Story.bytesOf(id, Objects.requireNonNull(lengths.get(id)));
  }

  /** One batch with a change of some kind. */
  public void change() {
    if (lastIndex == 0) {
      create();
      return;
    }
    var takesSends = journal().takesSends();
    if (chance.nextInt(4) == 0) {
      topic.change(chance, takesSends);
      return;
    }
    if (waiting.isEmpty() && !takesSends) {
      return;
    }
    switch (waiting.isEmpty() ? 0 : chance.nextInt(takesSends ? 0 : 3, 10)) {
      case 0, 1, 2 -> send(chance.ints(1 + chance.nextInt(30), 0, 300).toArray());
      case 3, 4, 5, 6 -> complete();
      case 7 -> abandon();
      case 8 ->
          append(List.of(new Fact.Deferred(orders, new long[] {anyWaiting()}, null)), List.of());
      default -> deadLetter();
    }
  }

  /** The queue that things happen to, somewhere among some that stay empty. */
  private void create() {
    var facts = new ArrayList<Fact>();
    var count = 1 + chance.nextInt(50);
    var busy = chance.nextInt(count);
    for (var i = 0; i < count; i++) {
      var id = new QueueId(2 * i + 1);
      var dead = new QueueId(2 * i + 2);
      var window = i == busy ? WINDOW_MILLIS : 0;
      var definition = QueueDefinition.named("q" + i).withDuplicateWindow(window);
      facts.add(new Fact.QueueCreated(id, dead, definition, 0));
      orders = i == busy ? id : orders;
      deadLetters = i == busy ? dead : deadLetters;
    }
    topic.create(facts);
    append(facts, List.of());
  }

  /** One batch with messages of these sizes. */
  public void send(int... sizes) {
    var firstBody = machine.nextBodyId();
    enqueue(firstBody, sizes, sizes.clone(), stage(firstBody, sizes));
  }

  /** The id of the first of them is remembered, as long as the log goes on. */
  private void enqueue(long firstBody, int[] sizes, int[] headers, StagedBodies staged) {
    var first = nextNumber;
    nextNumber += sizes.length;
    for (var i = 0; i < sizes.length; i++) {
      waiting.add(first + i);
    }
    var ids = new long[2 * sizes.length];
    if (ids.length > 0) {
      ids[0] = first;
      ids[1] = ~first;
    }
    var at = 1_000 + lastIndex + 1;
    append(
        List.of(new Fact.Enqueued(orders, first, firstBody, at, sizes, headers, null, ids, null)),
        List.of(staged));
  }

  public long nextBodyId() {
    return machine.nextBodyId();
  }

  public StagedBodies stage(long firstBody, int... sizes) {
    var place = Objects.requireNonNull(arena);
    place.begin();
    for (var i = 0; i < sizes.length; i++) {
      lengths.put(firstBody + i, sizes[i]);
      place.reserve(Math.max(1, sizes[i])).put(bytesOf(firstBody + i));
      place.commit();
    }
    return place.end();
  }

  /** Sends one with a file of its own, once the file is written. */
  public void sendLarge() {
    if (lastIndex > 0) {
      var writer = Objects.requireNonNull(arena).openLarge(LARGE);
      writer.write(ByteBuffer.allocate(LARGE));
      writer.finish(
          Story.endpoint(),
          stored -> {
            if (stored != null) {
              storeLarge(stored);
            }
          });
    }
  }

  private void storeLarge(LargeBody.Staged stored) {
    var place = Objects.requireNonNull(arena);
    var firstBody = machine.nextBodyId();
    place.begin();
    place.commit(stored);
    lengths.put(firstBody, LARGE);
    enqueue(firstBody, new int[] {LARGE}, new int[1], place.end());
  }

  private void complete() {
    var numbers = some(40);
    append(List.of(new Fact.Completed(orders, numbers)), List.of());
  }

  /** Sends so many of a size. */
  public void sendMany(int count, int bytes) {
    var sizes = new int[count];
    Arrays.fill(sizes, bytes);
    send(sizes);
  }

  /** Completes all but one in so many of those that wait. */
  public void completeBut(int oneIn) {
    var numbers =
        waiting.stream().filter(number -> number % oneIn != 0).mapToLong(n -> n).toArray();
    if (numbers.length > 0) {
      Arrays.stream(numbers).forEach(waiting::remove);
      append(List.of(new Fact.Completed(orders, numbers)), List.of());
    }
  }

  /** Completes all that waits. */
  public void completeAll() {
    if (!waiting.isEmpty()) {
      var numbers = waiting.stream().mapToLong(number -> number).toArray();
      waiting.clear();
      append(List.of(new Fact.Completed(orders, numbers)), List.of());
    }
  }

  /** Completes one after the other, but for the oldest few. */
  public void completeAllBut(int kept) {
    for (var number : waiting.stream().skip(kept).toList()) {
      waiting.remove(number);
      append(List.of(new Fact.Completed(orders, new long[] {number})), List.of());
    }
  }

  /** All that wait are let go with a count once more, each as a fact of its own; one batch. */
  public void abandonAll() {
    var facts = new ArrayList<Fact>();
    waiting.forEach(number -> facts.add(new Fact.Abandoned(orders, new long[] {number}, null)));
    append(facts, List.of());
  }

  /** Completes so many of those that have waited longest. */
  public void completeOldest(int count) {
    var numbers = waiting.stream().limit(count).mapToLong(number -> number).toArray();
    Arrays.stream(numbers).forEach(waiting::remove);
    append(List.of(new Fact.Completed(orders, numbers)), List.of());
  }

  private void deadLetter() {
    append(
        List.of(
            new Fact.DeadLettered(
                orders, deadLetters, some(5), DeadLetterCause.RECEIVER, true, null)),
        List.of());
  }

  private void abandon() {
    var overlay = new Fact.StoredOverlay(machine.nextBodyId(), 1 + chance.nextInt(60));
    var staged = stage(overlay.bodyId(), overlay.bytes());
    append(
        List.of(new Fact.Abandoned(orders, new long[] {anyWaiting()}, overlay)), List.of(staged));
  }

  private long anyWaiting() {
    var found = waiting.ceiling((long) chance.nextInt((int) nextNumber));
    return found == null ? waiting.first() : found;
  }

  private long[] some(int most) {
    var from = chance.nextBoolean() ? waiting.first() : anyWaiting();
    var numbers =
        waiting.tailSet(from).stream()
            .limit(1 + chance.nextInt(most))
            .mapToLong(number -> number)
            .toArray();
    Arrays.stream(numbers).forEach(waiting::remove);
    return numbers;
  }

  public void append(List<Fact> facts, List<StagedBodies> bodies) {
    var log = Objects.requireNonNull(journal);
    var firstBody = machine.nextBodyId();
    var index = lastIndex + 1;
    facts.forEach(fact -> machine.apply(index, fact));
    for (var id = firstBody; id < machine.nextBodyId(); id++) {
      born.put(id, index);
    }
    var dead = machine.takeDeadBodies();
    for (var id : dead) {
      died.put(id, index);
    }
    hashes.put(index, machine.stateHash());
    waitingAfter.put(index, new TreeSet<>(waiting));
    nextAfter.put(index, nextNumber);
    topic.note(index);
    log.append(new Batch(term, index, lastIndex, 1_000 + index, facts, firstBody, bodies, dead));
    lastIndex = index;
  }

  /** Whether the journal asked for a step since the last time. */
  public boolean wasWoken() {
    var was = woken;
    woken = false;
    return was;
  }

  /** Whether a checkpoint is being made. */
  public boolean checkpointing() {
    return sink != null;
  }

  /** A step of the shard with nothing in its mailbox. */
  public void checkpoint() {
    var to = sink;
    var from = snapshot;
    if (Objects.requireNonNull(journal).needsNoopBatch()) {
      append(List.of(), List.of());
    }
    if (to == null || from == null) {
      sink = Objects.requireNonNull(journal).beginCheckpoint(() -> woken = true);
      snapshot = sink == null ? null : machine.beginSnapshot();
    } else if (to.hasRoom()) {
      var part = from.next();
      if (part.isEmpty()) {
        from.end();
        to.complete();
        completed++;
        sink = null;
        snapshot = null;
      } else {
        to.add(part);
      }
    }
  }

  /** Whether a checkpoint was begun and waits for more. */
  public boolean isWriting() {
    return sink != null;
  }

  public long lastIndex() {
    return lastIndex;
  }

  public Journal journal() {
    return Objects.requireNonNull(journal);
  }

  /** Ids of all bodies that live. */
  public List<Long> live() {
    return born.keySet().stream().filter(id -> !died.containsKey(id)).toList();
  }

  /** Bytes of all bodies that live. */
  public long liveBytes() {
    return live().stream().mapToLong(id -> Objects.requireNonNull(lengths.get(id))).sum();
  }

  @Override
  public void restored(long index, List<Fact> part) {
    restoredParts++;
    part.forEach(fact -> machine.apply(index, fact));
  }

  @Override
  public void batch(long index, long predecessor, long timeMillis, List<Fact> facts) {
    facts.forEach(fact -> machine.apply(index, fact));
    if (index % 3 == 0) {
      ended(); // a long replay forgets the dead now and then
    }
  }

  @Override
  public void ended() {
    Objects.requireNonNull(journal).forget(machine.takeDeadBodies());
  }

  @Override
  public void durable(long index) {
    durable = index;
  }

  @Override
  public void lostLeadership() {
    throw new AssertionError("a local log leads for ever");
  }

  @Override
  public void failed(IOException cause) {
    if (!mayFail) {
      throw new AssertionError(cause);
    }
    failures.add(cause);
  }

  @Override
  public void loaded(Bodies bodies) {
    loaded = bodies;
  }

  @Override
  public void unreadable(long bodyId, IOException cause) {
    throw new AssertionError("body " + bodyId, cause);
  }
}
