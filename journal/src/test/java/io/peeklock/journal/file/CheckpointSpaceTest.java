package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.LargeBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checkpoints on a full disk: they may be the only way to room, and must not take the last. */
@LongProof
class CheckpointSpaceTest {
  private static final long CAPACITY = 12 << 20;
  private static final long RESERVE = 2 << 20;
  private static final long BALLAST = RESERVE / 8;
  private static final long NEVER = 1L << 40;

  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Random chance = new Random(5);
  private final Ledger ledger = new Ledger(chance);
  private final JournalSettings with =
      settings().withReserveBytes(RESERVE).withSegmentBytes(500_000).withCheckpointBytes(NEVER);

  private void start(JournalSettings settings) throws IOException {
    disk.capacity(CAPACITY);
    ledger.on(
        FileJournal.open(settings, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    if (ledger.lastIndex() == 0) {
      ledger.change();
    }
    executors.pass();
  }

  private boolean takesSends() {
    return ledger.journal().takesSends();
  }

  private List<String> named(String part) {
    return disk.names().stream().filter(name -> name.contains(part)).toList();
  }

  private int sendUntilRefused() {
    return sendUntilRefused(50_000);
  }

  private int sendUntilRefused(int size) {
    var sent = 0;
    while (takesSends()) {
      assertThat(++sent).as("more than fits on the disk").isLessThan(2_000);
      ledger.send(size);
      executors.settle();
    }
    return sent;
  }

  /** The shard is woken this many times; no time passes. */
  private void steps(int count) {
    for (var i = 0; i < count; i++) {
      ledger.checkpoint();
      executors.settle();
    }
  }

  private void checkpoints(int count) {
    while (ledger.completed < count) {
      ledger.change();
      ledger.checkpoint();
      executors.settle();
    }
  }

  @Test
  @Rule("I-08")
  void belowTheReserveNoneIsBegunThatBringsNoRoom() throws IOException {
    start(with.withCheckpointBytes(20_000).withSegmentBytes(64 << 20));
    sendUntilRefused();
    executors.pass();

    steps(20);

    assertThat(ledger.checkpointing()).isFalse();
    assertThat(named("checkpoint")).isEmpty();
    disk.capacity(2 * CAPACITY);
    executors.pass();
    checkpoints(1);
    assertThat(named("checkpoint")).hasSize(1);
  }

  @Test
  @Rule({"I-08", "I-01"})
  void belowTheReserveCheckpointsLetDeadSegmentsGoBehindALivingOne() throws IOException {
    start(with);
    sendUntilRefused();
    ledger.completeAllBut(1);
    executors.pass();
    assertThat(takesSends()).as("the oldest segment is alive").isFalse();

    steps(20);
    executors.pass();

    assertThat(takesSends()).isTrue();
    assertThat(named(".log")).hasSizeLessThan(5);
    assertThat(ledger.completed).as("one, and one behind it").isEqualTo(2);
    ledger.journal().close();
    start(with);
    assertThat(ledger.restoredParts).isPositive();
  }

  /** They free nothing, but what they wrote goes with segments that hold nothing else. */
  @Test
  @Rule({"I-08", "I-01"})
  void abandonsWithoutEndStayWithinTheReserve() throws IOException {
    var more = with.withReserveBytes(2 * RESERVE);
    start(more);
    sendUntilRefused();
    executors.pass();
    var least = disk.freeBytes();
    for (var i = 0; i < 2_000; i++) {
      ledger.abandonAll();
      executors.settle();
      steps(1);
      least = Math.min(least, disk.freeBytes());
    }

    assertThat(ledger.failures).isEmpty();
    assertThat(takesSends()).isFalse();
    var newest = named(".log").getLast();
    assertThat(newest)
        .as("several times the reserve was written")
        .isGreaterThan(Segment.nameOf(40));
    assertThat(least).isGreaterThan(2 * BALLAST);
    assertThat(ledger.journal().isOnLastRoom()).isFalse();
    ledger.journal().close();
    start(more);
  }

  @Test
  @Rule({"I-08", "I-01"})
  void aDeadSegmentThatIsNotFullMakesRoomToo() throws IOException {
    start(with.withSegmentBytes(64 << 20));
    sendUntilRefused();
    assertThat(ledger.journal().needsNoopBatch()).as("alive").isFalse();
    assertThat(named(".log")).hasSize(1);

    ledger.completeAll();
    executors.pass();
    assertThat(ledger.journal().needsNoopBatch()).as("dead").isTrue();
    steps(20);
    executors.pass();

    assertThat(takesSends()).isTrue();
    assertThat(ledger.journal().needsNoopBatch()).isFalse();
    assertThat(named(".log")).hasSize(1).doesNotContain(Segment.nameOf(1));
    ledger.journal().close();
    start(with);
  }

  /** The shard steps only when it is told to. */
  @Test
  @Rule("I-08")
  void withoutTrafficTheShardIsWokenUntilThereIsRoom() throws IOException {
    start(with);
    ledger.checkpoint(); // a shard that never asked is not woken
    sendUntilRefused();
    ledger.completeAll();

    for (var i = 0; i < 20; i++) {
      executors.pass();
      while (ledger.wasWoken() || ledger.isWriting()) {
        ledger.checkpoint();
        executors.settle();
      }
    }

    assertThat(takesSends()).isTrue();
    assertThat(named(".log")).hasSizeLessThan(4);
  }

  @Test
  @Rule({"I-08", "I-01"})
  void whatTheKeptOnesHoldGoesAlsoWhenNothingIsLeftToSettle() throws IOException {
    start(with.withCheckpointBytes(1_000_000));
    checkpoints(2);
    sendUntilRefused();
    for (var round = 0; round < 4; round++) {
      ledger.completeAll();
      executors.pass();
      steps(30);
      executors.pass();
      assertThat(takesSends()).as("round %s", round).isTrue();
      assertThat(named(".log")).hasSizeLessThan(10);
      sendUntilRefused();
    }
    assertThat(named("checkpoint")).hasSize(2);
    ledger.journal().close();
    start(with);
  }

  @Test
  @Rule("I-08")
  void belowTheReserveOneIsWrittenOnlyWhenItFitsAndIsWorthIt() throws IOException {
    disk.capacity(2 * CAPACITY);
    var reserve = 6 << 20;
    ledger.on(
        FileJournal.open(
            with.withReserveBytes(reserve),
            executors.shardExecutor(),
            disk,
            executors,
            chance::nextLong),
        executors);
    ledger.change();
    executors.pass();
    var small = 60_000; // 2 MB in a checkpoint, as far as it knows
    ledger.send(new int[small]);
    var large = sendUntilRefused(400_000);

    ledger.completeAllBut(small + large - 4); // 1.6 MB
    executors.settle();
    steps(10);
    assertThat(ledger.checkpointing()).as("not worth it").isFalse();

    ledger.completeAllBut(small);
    disk.leave(3_000_000);
    executors.pass();
    steps(10);
    assertThat(ledger.checkpointing()).as("it does not fit").isFalse();
    assertThat(named("checkpoint")).isEmpty();

    disk.leave(reserve - reserve / 8 - 100_000);
    executors.pass();
    assertThat(takesSends()).isFalse();
    steps(300);
    executors.pass();
    assertThat(takesSends()).isTrue();
    assertThat(named("checkpoint")).hasSize(2);
  }

  @Test
  @Rule({"I-08", "I-01"})
  void whenOthersTakeEveryByteACheckpointLivesOnTheBallast() throws IOException {
    start(with);
    sendUntilRefused();
    disk.leave(0);
    executors.pass();
    assertThat(disk.freeBytes()).isEqualTo(BALLAST);
    for (var i = 0; i < 50; i++) {
      ledger.completeAllBut(1);
    }
    executors.pass();

    steps(20);
    executors.pass();

    assertThat(named(".log")).hasSizeLessThan(5);
    assertThat(takesSends()).isTrue();
  }

  @Test
  @Rule({"I-08", "I-10"})
  void oneThatFindsNoMoreRoomIsDiscardedAtOnceAndTheLogGoesOn() throws IOException {
    start(with.withCheckpointBytes(100_000));
    ledger.send(new int[20_000]);
    while (named(".checkpoint.new").isEmpty()) {
      ledger.change();
      ledger.checkpoint();
      executors.settle();
    }

    disk.leave(BALLAST); // no look at it passes, so that the checkpoint must notice by itself
    while (ledger.checkpointing() && !named(".checkpoint.new").isEmpty()) {
      ledger.checkpoint();
      executors.settle();
      assertThat(disk.freeBytes()).isPositive();
    }

    assertThat(ledger.checkpointing()).as("discarded before the rest of it came").isTrue();
    steps(50);
    ledger.change();
    executors.pass();
    assertThat(ledger.durable).isEqualTo(ledger.lastIndex());
    assertThat(named("checkpoint")).isEmpty();
    disk.others(0);
    executors.pass();
    checkpoints(ledger.completed + 1);
    assertThat(named("checkpoint")).hasSize(1);
  }

  @Test
  @Rule({"I-08", "I-10"})
  void oneThatFailsIsTriedAgainOnlyAfterAPause() throws IOException {
    start(with);
    sendUntilRefused();
    ledger.completeAllBut(1);
    executors.pass();

    for (var failure = 1; failure <= 9; failure++) { // up to the sync of the folder
      disk.failOnce(disk.changes() + failure, "No space left on device");
      ledger.checkpoint();
      assertThat(ledger.checkpointing()).isTrue();
      while (ledger.checkpointing()) {
        executors.settle();
        ledger.checkpoint();
      }
      executors.settle();
      assertThat(named("checkpoint")).isEmpty();

      var changes = disk.changes();
      steps(1_000);
      assertThat(disk.changes()).as("calls without a pause").isEqualTo(changes);
      for (var pause = 0; pause < 3; pause++) {
        assertThat(ledger.checkpointing()).isFalse();
        executors.pass();
      }
    }

    steps(20);
    executors.pass();
    assertThat(takesSends()).isTrue();
    ledger.change();
    executors.settle();
    assertThat(ledger.durable).isEqualTo(ledger.lastIndex());
  }

  @Test
  @Rule("I-08")
  void itNeverTakesMoreThanItLeaves() throws IOException {
    disk.capacity(CAPACITY);
    start(with.withCheckpointBytes(1_000));
    ledger.send(new int[40_000]);
    executors.settle();
    disk.leave(400_000); // it would take 600,000; nobody has looked yet
    var most = 0L;
    for (var i = 0; i < 2_000; i++) {
      ledger.checkpoint();
      while (executors.step(chance)) {
        var taken = named("checkpoint").stream().mapToLong(n -> disk.content(n).length).sum();
        most = Math.max(most, taken);
        assertThat(taken).isLessThanOrEqualTo(disk.freeBytes());
      }
    }

    assertThat(most).as("it was tried").isGreaterThan(100_000);
    assertThat(named("checkpoint")).isEmpty();
  }

  @Test
  @Rule("I-08")
  void whatACheckpointTookNoLargeBodyGets() throws IOException {
    start(with.withCheckpointBytes(1_000));
    ledger.send(new int[40_000]);
    executors.settle();
    disk.leave(RESERVE - BALLAST + 400_000);
    executors.pass();
    while (ledger.completed == 0) {
      ledger.checkpoint();
      executors.settle();
    }
    assertThat(takesSends()).as("nobody has looked since").isTrue();

    var writer = ledger.journal().newArena().openLarge(300_000);
    writer.write(ByteBuffer.allocate(300_000));
    var stored = new ArrayList<LargeBody.Staged>();
    writer.finish(Story.endpoint(), stored::add);
    executors.settle();

    assertThat(stored).hasSize(1).containsOnlyNulls();
    executors.pass();
    assertThat(takesSends()).isFalse();
  }

  static LongStream seeds() {
    return LongStream.range(0, Long.getLong("journal.seeds", 40));
  }

  /** Others come and go, any moment may be the last; every recovery stands in the book. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Rule({"I-08", "I-01", "I-05"})
  void whateverOthersDoNothingIsLostAndNothingEndsTheLog(long seed) throws IOException {
    var luck = new Random(seed);
    var book = new Ledger(luck);
    var settings =
        with.withSegmentBytes(20_000 + luck.nextInt(400_000))
            .withCheckpointBytes(20_000 + luck.nextInt(1_000_000))
            .withResidentBytes(luck.nextBoolean() ? 0 : 1 << 20);
    var now = disk;
    for (var life = 0; life < 5; life++) {
      now.capacity(CAPACITY);
      var threads = new SimExecutors();
      book.on(
          FileJournal.open(settings, threads.shardExecutor(), now, threads, luck::nextLong),
          threads);
      live(book, now, threads, luck);
      now = luck.nextBoolean() ? now.crashed(luck) : now.copy();
    }
  }

  private static void live(Ledger book, SimDisk on, SimExecutors threads, Random luck) {
    for (var i = 0; i < 200; i++) {
      switch (luck.nextInt(12)) {
        case 0 -> {
          // Never more than the ballast between two looks, or a write fails: see CrashTest.
          threads.settle();
          on.leave(luck.nextInt(3) == 0 ? BALLAST : luck.nextLong(BALLAST, 4 << 20));
          threads.pass();
        }
        case 1 -> threads.pass();
        case 2 -> book.completeAll();
        case 3, 4 -> {
          if (book.lastIndex() > 0 && book.journal().takesSends()) {
            book.send(luck.nextInt(60_000), 100);
          }
        }
        default -> book.change();
      }
      for (var steps = luck.nextInt(10); steps > 0; steps--) {
        threads.step(luck);
        book.checkpoint();
      }
    }
  }
}
