package io.peeklock.journal.inspection;

import static io.peeklock.journal.sim.SimDisk.settings;

import io.peeklock.journal.file.FileJournal;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.fact.MessagesRestored;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.runtime.Batch;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.StagedBodies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Writes the folder that the golden files are: two segments with every kind of fact, bodies in the
 * log, moved to a cold segment, and one of its own, watermarks, checkpoints before and after the
 * move. The facts need not follow from each other.
 */
final class GoldenFolder {
  static final long TIME = 1_790_000_000_000L;
  static final long CHECKPOINT_INDEX = 5;
  static final int LARGE_BYTES = 1_000;
  static final String OLDER_CHECKPOINT = "0000000000000000004.checkpoint";
  static final String CHECKPOINT = "0000000000000000005.checkpoint";
  static final String LAST_SEGMENT = "0000000000000000003.log";
  static final String COLD = "0000000000000000001.cold";
  static final String LARGE = "large/1122334455667789.body";

  /** Newer than the others: a folder of this format may be without it. */
  static final String HIGH_WATER = "highwater";

  static final List<String> NAMES =
      List.of(
          "format",
          "0000000000000000001.log",
          LAST_SEGMENT,
          OLDER_CHECKPOINT,
          CHECKPOINT,
          COLD,
          LARGE);

  /** So much that the first two batches fill one, and the others do not. */
  private static final long SEGMENT_BYTES = 800;

  private static final int FILLER = 5;
  private static final int FILLER_BYTES = 2_000;
  private static final QueueId ORDERS = new QueueId(1);
  private static final QueueId DEAD_ORDERS = new QueueId(2);
  private static final QueueDefinition DEFINITION =
      new QueueDefinition(
              "Bestellungen/Größe", 30_000, 7, 86_400_000, true, 1_048_576, QueueDefinition.FOREVER)
          .withSession(true)
          .withDuplicateWindow(600_000);
  private static final QueueId TOPIC = new QueueId(3);
  private static final QueueId AUDIT = new QueueId(5);

  private static final Rule RULE = new Rule("alle", new Filter.True(), null, TIME);

  private GoldenFolder() {}

  static byte[] body(int number) {
    var bytes =
        switch (number) {
          case 3 -> new byte[LARGE_BYTES];
          case FILLER -> new byte[FILLER_BYTES];
          default -> new byte[20 * number];
        };
    for (var i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (31 * i + number);
    }
    return bytes;
  }

  static LongSupplier numbers(AtomicLong last) {
    return () -> 0x1122_3344_5566_7788L + last.incrementAndGet();
  }

  private static List<Fact> firstBatch() {
    return List.of(
        new Fact.QueueCreated(ORDERS, DEAD_ORDERS, DEFINITION, 0),
        new Fact.Enqueued(
            ORDERS,
            1,
            1,
            TIME,
            new int[] {20, 40, LARGE_BYTES},
            new int[] {1, 2, 3},
            new long[] {TIME + 1_000, QueueDefinition.FOREVER, TIME + 5},
            new long[] {1, Long.MIN_VALUE, 0, 0, -1, Long.MAX_VALUE},
            new String[] {"a", "Straße", "a"}));
  }

  private static List<Fact> secondBatch() {
    return List.of(
        new Fact.Completed(ORDERS, new long[] {9, 10, 500, 8}),
        new Fact.Consumed(ORDERS, new long[] {Long.MAX_VALUE, 1}),
        new Fact.Expired(ORDERS, new long[] {11}),
        new Fact.Abandoned(ORDERS, new long[] {2}, new Fact.StoredOverlay(4, 80)),
        new Fact.LockLapsed(ORDERS, new long[] {300, 100}),
        new Fact.Deferred(ORDERS, new long[] {3, 4}, null),
        new Fact.DeadLettered(
            ORDERS,
            DEAD_ORDERS,
            new long[] {5},
            DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED,
            true,
            null),
        scheduled(),
        new Fact.NumbersGiven(ORDERS, 300, 100),
        new Fact.Cancelled(ORDERS, new long[] {12, 14}),
        new EntityFact.Deleted(ORDERS, new long[] {15, 16}),
        new EntityFact.QueueUpdated(ORDERS, DEFINITION, TIME),
        new EntityFact.QueueDeleted(TOPIC),
        new Fact.Activated(ORDERS, new long[] {14, 13}, 15, TIME + 60_001),
        new Fact.SessionStateSet(ORDERS, "Straße", 6, 120, TIME),
        new Fact.SessionStateSet(ORDERS, "", 0, 0, TIME),
        new EntityFact.QueueRestored(
            new QueueEntry(ORDERS, DEAD_ORDERS, DEFINITION, 0, 0), 17, false),
        messages(),
        states(),
        ids(),
        published(),
        new Fact.ScheduledPublished(TOPIC, new long[] {3, 2}, 4, TIME, copies()),
        new Fact.PropertiesChanged(AUDIT, 1, new Fact.StoredOverlay(4, 80)),
        new Fact.MessageIdsSeen(TOPIC, new long[] {5, -6}, TIME),
        new ForwardFact.Forwarded(
            AUDIT, new long[] {3}, ORDERS, 9, TIME, null, null, new String[] {"b"}, "t"),
        new ForwardFact.ForwardPublished(
            AUDIT, new long[] {4, 6}, TOPIC, 6, TIME, null, copies(), null),
        new ForwardFact.Dropped(AUDIT, new long[] {5}),
        new Fact.RuleAdded(AUDIT, RULE),
        new Fact.RuleRemoved(AUDIT, "alle"),
        new Fact.RulesDescribed(AUDIT, List.of(RULE)));
  }

  private static Fact published() {
    return new Fact.Published(
        TOPIC,
        1,
        4,
        TIME,
        new int[] {80, 100},
        new int[] {128, 0},
        new long[] {1, 2, 3, 4},
        copies());
  }

  private static Copies[] copies() {
    return new Copies[] {
      new Copies(
          AUDIT,
          1,
          new int[] {0, 1},
          new long[] {TIME + 5, QueueDefinition.FOREVER},
          new String[] {"a", ""},
          new DeadLetterCause[] {DeadLetterCause.NONE, DeadLetterCause.SESSION_ID_MISSING})
    };
  }

  private static Fact scheduled() {
    return new Fact.Scheduled(
        ORDERS,
        13,
        14,
        TIME,
        new int[] {7, 8},
        new int[] {128, 0},
        new long[] {TIME + 60_000, TIME + 1},
        new long[] {TIME + 70_000, QueueDefinition.FOREVER},
        new long[] {1, 2, 3, 4},
        new String[] {"", "caf\u00e9"});
  }

  private static List<Fact> thirdBatch() {
    return List.of(
        new Fact.NamespaceDescribed(3, 7), new Fact.Completed(ORDERS, new long[] {FILLER}));
  }

  /** Something has to be said between two checkpoints. */
  private static List<Fact> nextBatch() {
    return List.of(new Fact.LockLapsed(ORDERS, new long[] {2}));
  }

  static List<Fact> lastBatch() {
    return List.of(new Fact.Completed(ORDERS, new long[] {2}));
  }

  static List<Fact> log() {
    var all = new ArrayList<Fact>(firstBatch());
    all.addAll(secondBatch());
    all.addAll(thirdBatch());
    all.addAll(nextBatch());
    all.addAll(nextBatch());
    all.addAll(lastBatch());
    return all;
  }

  static List<Fact> checkpoint() {
    return List.of(
        new Fact.NamespaceDescribed(3, 7),
        new EntityFact.QueueRestored(
            new QueueEntry(ORDERS, DEAD_ORDERS, DEFINITION, 0, 0), 17, false),
        ids(),
        messages(),
        states());
  }

  private static Fact states() {
    return new Fact.SessionStatesRestored(
        ORDERS, new String[] {"Straße"}, new long[] {6}, new int[] {120}, new long[] {TIME});
  }

  private static Fact ids() {
    return new Fact.MessageIdsRestored(
        ORDERS, new long[] {1, Long.MIN_VALUE, -1, Long.MAX_VALUE}, new long[] {TIME, TIME - 9});
  }

  private static Fact messages() {
    return new MessagesRestored(
        ORDERS,
        new long[] {1, 2, 7},
        new long[] {1, 2, 3},
        new int[] {20, 40, LARGE_BYTES},
        new int[] {1, 2, 3},
        new long[] {TIME, TIME, TIME + 20},
        new long[] {TIME + 1_000, QueueDefinition.FOREVER, TIME + 5},
        new int[] {0, 1, 2},
        new boolean[] {false, false, true},
        new DeadLetterCause[] {
          DeadLetterCause.NONE, DeadLetterCause.NONE, DeadLetterCause.TTL_EXPIRED
        },
        new Fact.StoredOverlay[] {null, new Fact.StoredOverlay(4, 80), null},
        new String[] {"a", "Straße", "a"},
        false,
        new long[] {0, 0, 12},
        new int[] {0, 1, 0},
        new int[] {0, 2, 4},
        new String[] {"", "", "orders"});
  }

  /** Writes it anew. */
  static SimDisk write() throws IOException {
    var disk = new SimDisk();
    var executors = new SimExecutors();
    var with = settings().withSegmentBytes(SEGMENT_BYTES).withCheckpointBytes(1);
    var journal =
        FileJournal.open(
            with, executors.shardExecutor(), disk, executors, numbers(new AtomicLong()));
    journal.recover(new Story(), new Told());
    var arena = journal.newArena();
    append(journal, executors, 1, firstBatch(), List.of(withLarge(arena, executors)));
    append(journal, executors, 2, secondBatch(), List.of(bodies(arena, 4, FILLER, 6)));
    executors.pass();
    append(journal, executors, 3, thirdBatch(), List.of());
    writeCheckpoint(journal, executors);
    append(journal, executors, 4, nextBatch(), List.of());
    writeCheckpoint(journal, executors);
    executors.pass(); // what lives in the first segment is moved
    append(journal, executors, 5, nextBatch(), List.of());
    writeCheckpoint(journal, executors);
    append(journal, executors, 6, lastBatch(), List.of());
    executors.pass();
    journal.close();
    return disk;
  }

  private static StagedBodies withLarge(BodyArena arena, SimExecutors executors) {
    var staged = new ArrayList<LargeBody.Staged>();
    var writer = arena.openLarge(LARGE_BYTES);
    writer.write(ByteBuffer.wrap(body(3)));
    writer.finish(Story.endpoint(), large -> staged.add(Objects.requireNonNull(large)));
    executors.settle();
    arena.begin();
    commit(arena, 1, 2);
    arena.commit(staged.get(0));
    return arena.end();
  }

  private static StagedBodies bodies(BodyArena arena, int... numbers) {
    arena.begin();
    commit(arena, numbers);
    return arena.end();
  }

  private static void commit(BodyArena arena, int... numbers) {
    for (var number : numbers) {
      arena.reserve(body(number).length).put(body(number));
      arena.commit();
    }
  }

  private static void append(
      Journal journal,
      SimExecutors executors,
      long index,
      List<Fact> facts,
      List<StagedBodies> bodies) {
    var firstBodyId = index == 1 ? 1 : index == 2 ? 4 : 7;
    journal.append(
        new Batch(
            1,
            index,
            index - 1,
            TIME + index,
            facts,
            firstBodyId,
            bodies,
            index == 3 ? new long[] {FILLER} : new long[0]));
    executors.settle();
  }

  private static void writeCheckpoint(Journal journal, SimExecutors executors) {
    var sink = Objects.requireNonNull(journal.beginCheckpoint(() -> {}));
    executors.settle();
    if (!sink.hasRoom()) {
      throw new AssertionError("all is durable and there is no room");
    }
    sink.add(checkpoint());
    sink.complete();
    executors.settle();
  }

  /** A failure would leave files that are no example. */
  private static final class Told implements Log.Listener {
    @Override
    public void durable(long index) {}

    @Override
    public void lostLeadership() {}

    @Override
    public void failed(IOException cause) {
      throw new AssertionError(cause);
    }
  }
}
