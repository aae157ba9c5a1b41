package io.peeklock.journal.bodies;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.CommitNotifier;
import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.BodyCheck;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.blocks.StagingBudget;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskSpace;
import io.peeklock.journal.large.LargeFiles;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.Faults;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is thrown at any call while bodies are read: the next who asks is answered. */
class ReadFaultTest {
  private static final int BODY_BYTES = 100;
  private static final int IN_A_SEGMENT = 10;
  private static final int SEGMENTS = 5;
  private static final long FIRST = 10_001;

  private static Supplier<Throwable> fault(String kind) {
    return switch (kind) {
      case "memory" -> () -> new OutOfMemoryError("Cannot reserve direct buffer memory");
      default -> () -> new IllegalStateException("a fault");
    };
  }

  /** Five segments, and the one who reads them. */
  private static final class World implements BodyStorage.LoadListener {
    private final Faults faults;
    private final SimExecutors executors = new SimExecutors();
    private final SimDisk disk = new SimDisk();
    private final BlockPool pool;
    private final BodyStore bodies;
    private final Fetches fetches;
    private final List<Segment> segments = new ArrayList<>();
    private int asked;
    private int answered;
    private int whole;

    World(Supplier<Throwable> fault) {
      faults = new Faults(fault);
      var with = settings();
      var outcome = new CommitNotifier();
      pool =
          new BlockPool(
              0,
              0,
              bytes -> {
                faults.pass();
                return ByteBuffer.allocate(bytes);
              });
      var faultyExecutors = faults.before(JournalExecutors.class, executors);
      var reads = new ColdReads(faults.before(Disk.class, disk), faultyExecutors, pool);
      var space = new DiskSpace(disk, executors, outcome, with);
      var larges =
          new LargeFiles(
              disk,
              executors,
              pool,
              outcome,
              new StagingBudget(0),
              new StagingBudget(0),
              space,
              () -> 1);
      bodies = new BodyStore(with, outcome, reads, larges);
      var shardExecutor = faults.before(Executor.class, executors.shardExecutor());
      fetches = new Fetches(bodies, shardExecutor, reads, 100L * BlockPool.BLOCK_BYTES);
      for (var i = 0; i < SEGMENTS; i++) {
        lie(i);
      }
    }

    private void lie(int number) {
      var first = FIRST + (long) number * IN_A_SEGMENT;
      var segment = new Segment(number + 1, first, first);
      bodies.recovered(segment);
      segments.add(segment);
      var each = BodyRun.CHECK_BYTES + BODY_BYTES;
      var from = 1_000 + 5_000 * number;
      var content = ByteBuffer.allocate(from + IN_A_SEGMENT * each).order(ByteOrder.LITTLE_ENDIAN);
      for (var i = 0; i < IN_A_SEGMENT; i++) {
        var bytes = Story.bytesOf(first + i, BODY_BYTES);
        var offset = from + i * each;
        content.putInt(offset, BodyCheck.of(new CRC32C(), first + i, ByteBuffer.wrap(bytes)));
        content.put(offset + BodyRun.CHECK_BYTES, bytes);
        bodies.recovered(first + i, BodyLocations.at(offset, BODY_BYTES), segment);
      }
      disk.put(segment.name, content.array());
    }

    /** All of a segment; whoever is told by the throw itself is answered too. */
    void ask(int segment) {
      asked++;
      var first = FIRST + (long) segment * IN_A_SEGMENT;
      var ids = LongStream.range(first, first + IN_A_SEGMENT).toArray();
      try {
        var ready = fetches.fetch(ids, this);
        if (ready != null) {
          answered++;
          whole++;
          ready.release();
        }
      } catch (RuntimeException | Error broken) {
        answered++;
      }
    }

    void settle() {
      faults.survive(executors::settle);
    }

    @Override
    public void loaded(Bodies come) {
      answered++;
      come.release();
      faults.pass();
      whole++;
    }

    @Override
    public void unreadable(long bodyId, IOException cause) {
      answered++;
      faults.pass();
    }

    void checkNothingIsHeld() {
      assertThat(segments).allMatch(segment -> segment.pins == 0);
      assertThat(pool.heldBytes()).isEqualTo(bodies.resident().bytes());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "fault"})
  @Rule("I-45")
  void whateverIsThrownAtAnyCallTheNextWhoAsksIsAnswered(String kind) {
    var call = 0;
    for (var thrown = true; thrown; ) {
      call++;
      var world = new World(fault(kind));
      world.faults.at(call);
      // The first two wait for each other; the third is read ahead of.
      world.ask(0);
      world.ask(1);
      world.settle();
      world.ask(2);
      world.settle();
      thrown = world.faults.end();

      var before = world.whole;
      world.ask(4);
      world.settle();

      assertThat(world.whole - before).as("the innocent one after call %s", call).isEqualTo(1);
      assertThat(world.answered).as("all, with call %s", call).isEqualTo(world.asked);
      world.checkNothingIsHeld();
    }
    assertThat(call).isGreaterThan(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "fault"})
  @Rule("I-45")
  void whoIsToldOfDamageAndThrowsHoldsUpNobody(String kind) {
    var call = 0;
    for (var thrown = true; thrown; ) {
      call++;
      var world = new World(fault(kind));
      world.disk.overwrite(world.segments.get(0).name, new byte[20_000]);
      world.faults.at(call);
      world.ask(0);
      world.ask(0);
      world.settle();
      thrown = world.faults.end();

      world.ask(1);
      world.settle();

      assertThat(world.whole).as("the innocent one after call %s", call).isEqualTo(1);
      assertThat(world.answered).as("all, with call %s", call).isEqualTo(world.asked);
      world.checkNothingIsHeld();
    }
  }
}
