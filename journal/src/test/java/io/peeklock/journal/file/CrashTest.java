package io.peeklock.journal.file;

import static io.peeklock.journal.file.FileJournalContractTest.open;
import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.disk.DiskSpace;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The power goes at any moment, any call may fail: what was told stays true. More lives: {@code
 * -Djournal.seeds=10000}.
 */
class CrashTest {
  private static final int LIVES = 6;
  private static final long CAPACITY = 64 << 20;
  private static final long RESERVE = 2_200_000; // a ballast of two pieces

  static LongStream seeds() {
    return LongStream.range(0, Long.getLong("journal.seeds", 100));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Rule({"I-01", "I-11"})
  void whatWasToldSurvivesThePower(long seed) throws IOException {
    var chance = new Random(seed);
    var with =
        settings()
            .withSegmentBytes(2_000 + chance.nextInt(20_000))
            .withResidentBytes(chance.nextBoolean() ? 0 : 1 << 20);
    var disk = new SimDisk();
    var story = new Story();
    for (var life = 0; life < LIVES; life++) {
      var executors = new SimExecutors();
      var told = story.durable;
      story.on(
          FileJournal.open(with, executors.shardExecutor(), disk, executors, chance::nextLong));
      story.checkReplay(told);
      story.releaseDeadBodies();
      readSome(story, executors, chance, 40);
      live(story, executors, chance);
      if (chance.nextInt(4) == 0) {
        story.journal().close();
        disk = disk.copy();
      } else {
        disk = disk.crashed(chance);
      }
    }
  }

  private static void live(Story story, SimExecutors executors, Random chance) {
    for (var i = chance.nextInt(60); i > 0; i--) {
      act(story, executors, chance);
      for (var steps = chance.nextInt(12); steps > 0; steps--) {
        executors.step(chance);
      }
    }
  }

  private static void act(Story story, SimExecutors executors, Random chance) {
    switch (chance.nextInt(12)) {
      case 0, 1, 2, 3, 4 -> story.send(chance.ints(1 + chance.nextInt(5), 0, 900).toArray());
      case 5, 6, 7, 8 -> {
        var live = story.live();
        if (!live.isEmpty()) {
          var count = 1 + chance.nextInt(Math.min(20, live.size()));
          story.complete(live.stream().limit(count).mapToLong(id -> id).toArray());
        }
      }
      case 9 -> executors.pass();
      case 10 -> sendLarge(story, chance);
      default -> readSome(story, executors, chance, 3);
    }
  }

  private static void sendLarge(Story story, Random chance) {
    var size = 1_200_000 + chance.nextInt(1_000);
    var writer = story.arena().openLarge(size);
    writer.write(ByteBuffer.allocate(size));
    writer.finish(
        Story.endpoint(),
        stored -> {
          if (stored != null && chance.nextInt(3) > 0) {
            story.sendLarge(stored);
          }
        });
  }

  private static void readSome(Story story, SimExecutors executors, Random chance, int most) {
    var live = story.live();
    for (var i = 0; i < most && !live.isEmpty(); i++) {
      var ids = List.of(live.get(chance.nextInt(live.size())));
      story.loaded.clear();
      var bodies = story.fetch(ids);
      while (bodies == null && story.loaded.isEmpty() && story.unreadable.isEmpty()) {
        if (!executors.step(chance)) {
          break;
        }
      }
      assertThat(story.unreadable).isEmpty();
      var come = bodies == null ? story.loaded.get(0) : bodies;
      var large = come.large(0);
      story.check(come, ids);
      if (large != null) {
        large.release();
      }
    }
  }

  /**
   * A run that touches every kind of call but those for checkpoints: rolls, large bodies, one of
   * them given up and one dead, a ballast that grows, goes and grows again, a watermark, a close.
   */
  private static void run(Story story, SimExecutors executors, JournalSettings with, SimDisk disk)
      throws IOException {
    disk.capacity(CAPACITY);
    story.on(open(with, disk, executors));
    executors.pass();
    for (var i = 0; i < 12; i++) {
      story.send(300, 300);
      executors.settle();
    }
    sendLarge(story, new Random(1));
    executors.settle();
    var givenUp = story.arena().openLarge(2_000_000);
    givenUp.write(ByteBuffer.allocate(300_000));
    executors.settle();
    givenUp.abort();
    executors.settle();
    disk.leave(with.ballastBytes() - 1);
    executors.pass();
    story.complete(story.live().stream().mapToLong(id -> id).toArray());
    executors.settle();
    disk.others(0);
    story.send(10);
    executors.pass();
    story.send(10);
    executors.settle();
    story.journal().close();
  }

  @Test
  @Rule({"I-10", "I-01"})
  void afterAnyCallThatFailsNothingMoreIsToldAndARestartHasWhatWas() throws IOException {
    var with = settings().withSegmentBytes(2_000).withReserveBytes(RESERVE);
    var clean = new SimDisk();
    run(new Story(), new SimExecutors(), with, clean);
    var calls = clean.changes();
    assertThat(calls).isGreaterThan(80);
    assertThat(clean.content(DiskSpace.BALLAST)).hasSize((int) with.ballastBytes());
    assertThat(clean.removals()).as("one given up, one dead, the ballast").isGreaterThan(2);

    for (var call = 1; call <= calls; call++) {
      for (var text : List.of("Input/output error", "No space left on device")) {
        failAt(call, text, with);
      }
    }
    System.out.println("injection points: " + calls + ", two faults each, told afterwards 0");
  }

  private static void failAt(int call, String text, JournalSettings with) throws IOException {
    var disk = new SimDisk();
    var story = new Story();
    disk.failOnce(call, text);
    var opened = false;
    try {
      run(story, new SimExecutors(), with, disk);
      opened = true;
    } catch (IOException refused) {
      assertThat(refused).hasMessage(text);
    }

    if (opened && disk.failedTheMark()) {
      assertThat(story.failures).as("call %s", call).isEmpty();
      assertThat(story.durable).isEqualTo(story.lastIndex);
    } else if (opened) {
      assertThat(story.failures).as("call %s", call).hasSize(1);
      assertThat(story.failures.get(0)).hasMessage(text);
    }
    assertThat(story.toldAfterFailure).as("call %s", call).isFalse();
    for (var after : List.of(disk.copy(), disk.crashed(new Random(call)))) {
      var executors = new SimExecutors();
      var again = story.copy();
      try {
        again.on(open(with, after, executors));
      } catch (IOException refused) {
        throw new AssertionError("after call " + call + ", told " + story.durable, refused);
      }
      again.checkReplay(story.durable);
      again.releaseDeadBodies();
      readSome(again, executors, new Random(call), 40);
      again.send(10);
      executors.settle();
      assertThat(again.durable).isEqualTo(again.lastIndex);
    }
  }
}
