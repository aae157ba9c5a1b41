package io.peeklock.store;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.file.FileJournal;
import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.runtime.Batch;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.Replayer;
import io.peeklock.runtime.StagedBodies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A folder that a journal writes and a broker could serve, batch by batch, from one thread. */
final class DataFolder implements AutoCloseable, Log.Listener {
  static final QueueId ORDERS = new QueueId(1);
  static final QueueId DEAD_ORDERS = new QueueId(2);
  static final QueueDefinition DEFINITION = QueueDefinition.named("orders");

  /** With sessions, and it detects duplicates. */
  static final QueueId CARTS = new QueueId(3);

  static final QueueId DEAD_CARTS = new QueueId(4);
  static final QueueDefinition CART_DEFINITION =
      QueueDefinition.named("carts").withSession(true).withDuplicateWindow(600_000);
  private static final long TIME = 1_790_000_000_000L;

  static final QueueId EVENTS = new QueueId(5);
  static final QueueId AUDIT = new QueueId(7);
  static final QueueId MAIL = new QueueId(9);
  private static final long EVENT_BODIES = 2_000_000;
  private static final long OTHER_BODIES = 3_000_000;

  /** Seeds of the bodies in carts begin here. */
  static final long CART_BODIES = 1_000_000;

  private final LinkedBlockingQueue<Runnable> shardExecutor = new LinkedBlockingQueue<>();
  private final Path folder;
  private final FileJournal journal;
  private final Machine machine = new Machine(1 << 24, 1); // many copies are made in parts
  private final BodyArena arena;
  private volatile long durable;
  private volatile @Nullable IOException failure;
  private long index;
  private final long term;
  private long nextNumber = 1;
  private long nextCart = 1;
  private long nextEvent = 1;
  private BiConsumer<Long, Long> book = (at, hash) -> {};

  private DataFolder(Path folder, long segmentBytes, long checkpointBytes) throws IOException {
    this.folder = folder;
    var settings =
        JournalSettings.in(folder)
            .withReserveBytes(0)
            .withSegmentBytes(segmentBytes)
            .withCheckpointBytes(checkpointBytes);
    journal = FileJournal.open(settings, shardExecutor::add);
    var standing = recovered();
    index = standing.lastIndex();
    durable = index;
    term = standing.term();
    arena = journal.newArena();
    if (index == 0) {
      append(List.of(), new Fact.QueueCreated(ORDERS, DEAD_ORDERS, DEFINITION, 0));
    }
    for (var queue : queuesOf(machine)) {
      nextNumber = queue.queue().equals(ORDERS) ? queue.nextSequenceNumber() : nextNumber;
      nextEvent = queue.queue().equals(EVENTS) ? queue.nextSequenceNumber() : nextEvent;
      nextCart = queue.queue().equals(CARTS) ? queue.nextSequenceNumber() : nextCart;
    }
  }

  private Log.Standing recovered() throws IOException {
    try {
      return journal.recover(new Replayer(machine, journal), this);
    } catch (IOException refused) {
      journal.close();
      throw refused;
    }
  }

  /** The queues of a state, as a checkpoint begins with them. */
  static List<EntityFact.QueueRestored> queuesOf(Machine machine) {
    var snapshot = machine.beginSnapshot();
    var first = snapshot.next();
    snapshot.end();
    return first.stream()
        .filter(fact -> fact instanceof EntityFact.QueueRestored)
        .map(fact -> (EntityFact.QueueRestored) fact)
        .toList();
  }

  static DataFolder open(Path folder) throws IOException {
    return new DataFolder(folder, 64 << 20, 256 << 20);
  }

  /** With so short segments that a few batches fill one. */
  static DataFolder small(Path folder) throws IOException {
    return new DataFolder(folder, 4_000, 6_000);
  }

  Machine machine() {
    return machine;
  }

  long index() {
    return index;
  }

  /** The bytes that the message with a number has. */
  static byte[] bodyOf(long number, int size) {
    var bytes = new byte[size];
    new Random(number).nextBytes(bytes);
    return bytes;
  }

  /** Who writes down the state after each batch, before the batch is on the disk. */
  void expect(BiConsumer<Long, Long> keeper) {
    book = keeper;
  }

  /** Stores messages of these sizes in one batch. */
  DataFolder send(int... sizes) throws IOException {
    return stored(staged(nextNumber, sizes), sizes);
  }

  /** Stores a message with a file of its own. */
  DataFolder sendLarge(int size) throws IOException {
    var writer = arena.openLarge(size);
    writer.write(ByteBuffer.wrap(bodyOf(nextNumber, size)));
    var staged = new ArrayList<LargeBody.Staged>();
    writer.finish(new Here(), large -> staged.add(Objects.requireNonNull(large)));
    until(() -> !staged.isEmpty());
    arena.begin();
    arena.commit(staged.get(0));
    return stored(List.of(arena.end()), size);
  }

  private DataFolder stored(List<StagedBodies> bodies, int... sizes) throws IOException {
    var fact =
        new Fact.Enqueued(
            ORDERS, nextNumber, machine.nextBodyId(), TIME, sizes, new int[sizes.length], null);
    nextNumber += sizes.length;
    return append(bodies, fact);
  }

  DataFolder complete(long... numbers) throws IOException {
    return append(List.of(), new Fact.Completed(ORDERS, numbers));
  }

  /** Completes dead letters. */
  DataFolder completeDead(long... numbers) throws IOException {
    return append(List.of(), new Fact.Completed(DEAD_ORDERS, numbers));
  }

  DataFolder deadLetter(long number) throws IOException {
    return append(
        List.of(),
        new Fact.DeadLettered(
            ORDERS, DEAD_ORDERS, new long[] {number}, DeadLetterCause.RECEIVER, true, null));
  }

  /** Sets a message aside with changed properties of this size. */
  DataFolder defer(long number, int size) throws IOException {
    var overlay = new Fact.StoredOverlay(machine.nextBodyId(), size);
    return append(staged(-number, size), new Fact.Deferred(ORDERS, new long[] {number}, overlay));
  }

  // ---- schedules

  /** Stores messages of these sizes that become active later. */
  DataFolder schedule(int... sizes) throws IOException {
    var due = new long[sizes.length];
    Arrays.setAll(due, i -> TIME + 60_000 + i);
    var fact =
        new Fact.Scheduled(
            ORDERS,
            nextNumber,
            machine.nextBodyId(),
            TIME,
            sizes,
            new int[sizes.length],
            due,
            null,
            null,
            null);
    var bodies = staged(nextNumber, sizes);
    nextNumber += sizes.length;
    return append(bodies, fact);
  }

  /** Scheduled messages become active; the number of the first is what the next message had got. */
  DataFolder activate(long... numbers) throws IOException {
    var fact = new Fact.Activated(ORDERS, numbers, nextNumber, TIME + 70_000);
    nextNumber += numbers.length;
    return append(List.of(), fact);
  }

  DataFolder cancel(long... numbers) throws IOException {
    return append(List.of(), new Fact.Cancelled(ORDERS, numbers));
  }

  // ---- sessions and message ids

  /** Makes the queue of carts. */
  DataFolder carts() throws IOException {
    return append(List.of(), new Fact.QueueCreated(CARTS, DEAD_CARTS, CART_DEFINITION, 0));
  }

  /** Stores a message of a session, whose id is its number. */
  DataFolder sendTo(String session, int size) throws IOException {
    var number = nextCart++;
    var fact =
        new Fact.Enqueued(
            CARTS,
            number,
            machine.nextBodyId(),
            TIME,
            new int[] {size},
            new int[1],
            null,
            new long[] {number, ~number},
            new String[] {session});
    return append(staged(CART_BODIES + number, size), fact);
  }

  /** Sets the state of a session. */
  DataFolder state(String session, int size) throws IOException {
    var fact = new Fact.SessionStateSet(CARTS, session, machine.nextBodyId(), size, TIME);
    return append(staged(session.hashCode(), size), fact);
  }

  // ---- topics

  /** Makes a topic with two subscriptions, behind {@link #carts}. */
  DataFolder topic() throws IOException {
    append(List.of(), created(EVENTS, "events", new QueueRole.Topic(false)));
    for (var id : List.of(AUDIT, MAIL)) {
      var path = "events/Subscriptions/" + id.number();
      append(List.of(), created(id, path, new QueueRole.Subscription("events", true)));
    }
    return append(List.of(), new Fact.RuleAdded(MAIL, Rule.selectingAll(TIME)));
  }

  private static Fact.QueueCreated created(QueueId id, String path, QueueRole role) {
    return new Fact.QueueCreated(
        id, new QueueId(id.number() + 1), QueueDefinition.named(path).as(role), 0);
  }

  /** Puts an empty topic like it in its place, and its subscriptions with their rules. */
  DataFolder topicAgain() throws IOException {
    var all = new ArrayList<Fact>();
    all.add(again(EVENTS, 11, "events", new QueueRole.Topic(false)));
    for (var id : List.of(AUDIT, MAIL)) {
      var path = "events/Subscriptions/" + id.number();
      all.add(again(id, id.number() + 6, path, new QueueRole.Subscription("events", true)));
    }
    return append(List.of(), all);
  }

  private static Fact again(QueueId before, int number, String path, QueueRole role) {
    var made = created(new QueueId(number), path, role);
    return new EntityFact.QueueMadeAgain(
        before, made.queue(), made.deadLetterQueue(), made.definition(), 0);
  }

  /** Stores messages once, with copies for both subscriptions. */
  DataFolder publish(int... sizes) throws IOException {
    var copies =
        new Copies[] {
          new Copies(AUDIT, nextEvent, null, null, null, null),
          new Copies(MAIL, nextEvent, null, null, null, null),
        };
    var fact =
        new Fact.Published(
            EVENTS,
            nextEvent,
            machine.nextBodyId(),
            TIME,
            sizes,
            new int[sizes.length],
            null,
            copies);
    var bodies = staged(EVENT_BODIES + nextEvent, sizes);
    nextEvent += sizes.length;
    return append(bodies, fact);
  }

  /** Completes copies of one subscription. */
  DataFolder completeAudited(long... numbers) throws IOException {
    return append(List.of(), new Fact.Completed(AUDIT, numbers));
  }

  /** Copies of one subscription go to the queue. */
  DataFolder forwardAudited(long... numbers) throws IOException {
    var fact =
        new ForwardFact.Forwarded(
            AUDIT, numbers, ORDERS, nextNumber, TIME, null, null, null, "events");
    nextNumber += numbers.length;
    return append(List.of(), fact);
  }

  // ---- what time does

  /** Completes all but one in so many, and goes on until these were moved. */
  DataFolder moveAllBut(int oneIn) throws IOException {
    complete(LongStream.range(1, nextNumber).filter(number -> number % oneIn != 0).toArray());
    checkpointed().checkpointed();
    for (var i = 0; i < 100 && files(".cold").isEmpty(); i++) {
      checkpointed();
    }
    return checkpointed().checkpointed();
  }

  private List<String> files(String end) throws IOException {
    return StoreFolder.files(folder).keySet().stream().filter(name -> name.endsWith(end)).toList();
  }

  /** Writes, and completes what it wrote, until there is one checkpoint more. */
  private DataFolder checkpointed() throws IOException {
    while (!checkpoint()) {
      var number = nextNumber;
      send(900).complete(number);
    }
    return this;
  }

  private boolean hasOtherThan(List<String> names) {
    try {
      return !names.containsAll(files(".checkpoint"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private List<StagedBodies> staged(long seed, int... sizes) {
    arena.begin();
    for (var i = 0; i < sizes.length; i++) {
      arena.reserve(Math.max(1, sizes[i])).put(bodyOf(seed + i, sizes[i]));
      arena.commit();
    }
    return List.of(arena.end());
  }

  /** Other facts, in one batch. */
  DataFolder together(Fact... facts) throws IOException {
    return append(List.of(), List.of(facts));
  }

  /** Any other fact, with bodies of these sizes. */
  DataFolder with(Fact fact, int... sizes) throws IOException {
    return append(sizes.length == 0 ? List.of() : staged(OTHER_BODIES, sizes), fact);
  }

  private DataFolder append(List<StagedBodies> bodies, Fact fact) throws IOException {
    return append(bodies, List.of(fact));
  }

  private DataFolder append(List<StagedBodies> bodies, List<Fact> facts) throws IOException {
    var firstBodyId = machine.nextBodyId();
    index++;
    facts.forEach(fact -> machine.apply(index, fact));
    book.accept(index, machine.stateHash());
    journal.append(
        new Batch(
            term,
            index,
            index - 1,
            TIME + index,
            facts,
            firstBodyId,
            bodies,
            machine.takeDeadBodies()));
    until(() -> durable >= index);
    return this;
  }

  /** Makes a checkpoint when one is due, and waits until it is there. */
  boolean checkpoint() throws IOException {
    var before = files(".checkpoint");
    var sink = journal.beginCheckpoint(() -> {});
    if (sink == null) {
      return false;
    }
    var snapshot = machine.beginSnapshot();
    for (var part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      until(sink::hasRoom);
      sink.add(part);
    }
    snapshot.end();
    sink.complete();
    until(() -> shardExecutor.isEmpty() && hasOtherThan(before));
    return true;
  }

  private void until(BooleanSupplier holds) throws IOException {
    try {
      while (!holds.getAsBoolean()) {
        var failed = failure;
        if (failed != null) {
          throw failed;
        }
        var task = shardExecutor.poll(5, TimeUnit.MILLISECONDS);
        if (task != null) {
          task.run();
        }
      }
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @Override
  public void durable(long upTo) {
    durable = upTo;
  }

  @Override
  public void lostLeadership() {
    throw new IllegalStateException("a local log leads for ever");
  }

  @Override
  public void failed(IOException cause) {
    failure = cause;
  }

  @Override
  public void close() {
    for (var task = shardExecutor.poll(); task != null; task = shardExecutor.poll()) {
      task.run();
    }
    journal.close();
  }

  /** Told about large bodies on the thread that writes them. */
  private static final class Here extends Endpoint {
    @Override
    public void onEffect(Effect effect, @Nullable Bodies bodies) {}

    @Override
    public void flush() {}

    @Override
    public void resume() {}

    @Override
    public void unreadable(String reason) {}

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }
}
