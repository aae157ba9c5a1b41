package io.peeklock.journal.file;

import static io.peeklock.journal.file.FileJournalContractTest.open;
import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.disk.DiskSpace;
import io.peeklock.journal.large.LargeFormat;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.LargeBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A disk that becomes full and empty again: reserve, ballast, and what goes on meanwhile. */
class DiskSpaceTest {
  private static final long CAPACITY = 8 << 20;
  private static final long RESERVE = 2 << 20;
  private static final long BALLAST = RESERVE / 8;

  /** Shorter than what passes between two looks of an idle log. */
  private static final long A_PAUSE_MILLIS = 200;

  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Story story = new Story();
  private final JournalSettings with =
      settings().withReserveBytes(RESERVE).withSegmentBytes(500_000).withResidentBytes(0);

  private void start() throws IOException {
    disk.capacity(CAPACITY);
    story.on(open(with, disk, executors));
    executors.pass();
  }

  private boolean takesSends() {
    return story.journal().takesSends();
  }

  private long ballast() {
    return disk.exists(DiskSpace.BALLAST) ? disk.content(DiskSpace.BALLAST).length : 0;
  }

  /** As a shard does: until it is refused. */
  private int sendUntilRefused() {
    var sent = 0;
    while (takesSends() && sent < 10_000) {
      story.send(10_000);
      executors.settle();
      sent++;
    }
    return sent;
  }

  private void completeAll() {
    story.complete(story.live().stream().mapToLong(id -> id).toArray());
    executors.settle();
  }

  @Test
  @Rule("I-08")
  void sendsAreRefusedAtTheReserveAndTakenAgainAboveIt() throws IOException {
    start();
    assertThat(ballast()).isEqualTo(BALLAST);
    disk.leave(RESERVE - BALLAST);
    executors.pass();
    assertThat(takesSends()).isTrue();

    disk.leave(RESERVE - BALLAST - 1);
    executors.pass();
    assertThat(takesSends()).as("also while nobody writes").isFalse();
    story.send(10);
    executors.settle();
    assertThat(story.durable).as("what is appended is still written").isEqualTo(1);

    disk.leave(RESERVE - 1);
    executors.pass();
    assertThat(takesSends()).as("not at the byte where it began").isFalse();
    disk.leave(RESERVE);
    executors.pass();
    assertThat(takesSends()).isTrue();
    assertThat(ballast()).isEqualTo(BALLAST);
  }

  @Test
  @Rule("I-08")
  void theRoomThatTheBallastHeldIsTheLast() throws IOException {
    start();
    disk.leave(RESERVE - BALLAST - 1);
    executors.pass();
    assertThat(takesSends()).isFalse();
    assertThat(story.journal().isOnLastRoom()).as("the ballast is there").isFalse();

    disk.leave(0);
    executors.pass();
    assertThat(story.journal().isOnLastRoom()).isTrue();
    disk.leave(3 * BALLAST);
    executors.pass();
    assertThat(story.journal().isOnLastRoom()).as("somebody made room").isFalse();
    disk.leave(0);
    executors.pass();
    assertThat(story.journal().isOnLastRoom()).isTrue();

    disk.leave(2 * RESERVE);
    executors.pass();
    assertThat(takesSends()).isTrue();
    assertThat(story.journal().isOnLastRoom()).isFalse();
  }

  @Test
  void whatTheBallastGaveStaysGivenWhenThePowerGoes() throws IOException {
    start();
    assertThat(ballast()).isEqualTo(BALLAST);

    disk.leave(BALLAST - 1);
    executors.pass();

    assertThat(ballast()).isZero();
    var chance = new Random(1);
    for (var i = 0; i < 24; i++) {
      assertThat(disk.crashed(chance).exists(DiskSpace.BALLAST)).as("crash %s", i).isFalse();
    }
  }

  @Test
  @Rule("I-08")
  void aBusyLogNoticesTheReserveBeforeItIsUsedUp() throws IOException {
    start();

    var sent = sendUntilRefused(); // no time passes at all

    assertThat(sent).isGreaterThan(400);
    assertThat(disk.freeBytes()).isBetween(RESERVE - BALLAST - 100_000, RESERVE);
    assertThat(story.failures).isEmpty();
  }

  @Test
  @Rule("I-08")
  void whatWaitsToBeWrittenCountsAsTakenAlready() throws IOException {
    start();
    disk.capacity(64 << 20);
    disk.leave(RESERVE - BALLAST + 20_000_000);
    executors.pass();
    for (var i = 0; i < 21; i++) {
      story.send(1_000_000); // three groups
    }
    executors.ring();
    var leftWhenRefused = new ArrayList<Long>();
    disk.beforeChange(
        () -> {
          if (!takesSends()) {
            leftWhenRefused.add(disk.freeBytes());
          }
        });

    executors.settle();

    assertThat(leftWhenRefused).isNotEmpty();
    assertThat(leftWhenRefused.get(0)).as("the reserve is whole").isGreaterThan(RESERVE - BALLAST);
    assertThat(story.durable).isEqualTo(story.lastIndex);
  }

  @Test
  @Rule({"I-08", "I-01"})
  void onAFullDiskTheBallastLetsSettlementsGoOnAndComesBackWithTheRoom() throws IOException {
    start();
    for (var i = 0; i < 200; i++) {
      story.send(10_000);
      executors.settle();
    }
    disk.leave(0);
    executors.pass();
    assertThat(ballast()).as("given up").isZero();
    assertThat(disk.freeBytes()).isEqualTo(BALLAST);
    assertThat(takesSends()).isFalse();

    for (var id : story.live()) {
      story.complete(id);
      executors.settle();
    }
    executors.pass();
    assertThat(story.failures).isEmpty();
    assertThat(story.durable).isEqualTo(story.lastIndex);

    disk.others(0);
    executors.pass();
    assertThat(takesSends()).isTrue();
    assertThat(ballast()).isEqualTo(BALLAST);
    story.send(10_000);
    executors.settle();
    assertThat(story.durable).isEqualTo(story.lastIndex);
  }

  @Test
  @Rule({"I-08", "I-01"})
  void roomThatWasTakenInAPauseIsMissedBeforeTheNextWrite() throws IOException {
    start();
    story.send(10_000);
    executors.settle();
    executors.pass();
    disk.leave(0);

    executors.pass(A_PAUSE_MILLIS);
    completeAll();

    assertThat(story.failures).isEmpty();
    assertThat(story.durable).isEqualTo(story.lastIndex);
    assertThat(ballast()).as("given up").isZero();
  }

  @Test
  @Rule("I-08")
  void theWatermarkOfAnIdleLogFindsRoomToo() throws IOException {
    start();
    story.send(10_000);
    executors.settle();
    disk.leave(0);

    executors.pass(A_PAUSE_MILLIS);

    assertThat(story.failures).isEmpty();
    assertThat(ballast()).as("given up").isZero();
  }

  @Test
  @Rule("I-08")
  void withoutRoomTheWatermarkWaits() throws IOException {
    disk.capacity(CAPACITY);
    story.on(open(with.withReserveBytes(0), disk, executors));
    story.send(10_000);
    executors.settle();
    disk.leave(0);
    executors.pass();
    assertThat(story.failures).isEmpty();

    disk.others(0);
    var free = disk.freeBytes();
    executors.pass();
    assertThat(disk.freeBytes()).as("written").isLessThan(free);
    free = disk.freeBytes();
    executors.pass();
    assertThat(disk.freeBytes()).as("once").isEqualTo(free);
  }

  @Test
  @Rule({"I-08", "I-01"})
  void aBrokerStartsOnAFullDisk() throws IOException {
    start();
    sendUntilRefused();
    var before = story.durable;
    story.journal().close();
    disk.leave(0);

    story.on(open(with, disk, executors));
    story.checkReplay(before);
    story.releaseDeadBodies();
    assertThat(ballast()).isZero();
    assertThat(takesSends()).isFalse();
    completeAll();
    assertThat(story.durable).isEqualTo(story.lastIndex);
    assertThat(story.failures).isEmpty();
  }

  @Test
  @Rule("I-08")
  void aLargeBodyIsRefusedBeforeItTakesTheReserve() throws IOException {
    start();
    disk.leave(RESERVE + 3_000_000);
    executors.pass();
    var writer = story.arena().openLarge(20_000_000);
    for (var i = 0; i < 200; i++) {
      writer.write(ByteBuffer.allocate(100_000));
      executors.settle();
      assertThat(disk.freeBytes()).isGreaterThan(RESERVE - BALLAST - 300_000);
    }
    var stored = new ArrayList<LargeBody.Staged>();
    writer.finish(Story.endpoint(), stored::add);
    executors.settle();

    assertThat(stored).hasSize(1).containsOnlyNulls();
    assertThat(disk.list(LargeFormat.FOLDER)).isEmpty();
    assertThat(story.failures).isEmpty();
    executors.pass();
    assertThat(takesSends()).isTrue();
  }

  @Test
  void aBallastOfAnotherSizeIsMadeAnew() throws IOException {
    disk.put(DiskSpace.BALLAST, new byte[77]);
    start();
    assertThat(ballast()).isEqualTo(BALLAST);
    story.journal().close();

    story.on(open(with.withReserveBytes(0), disk, executors));
    executors.pass();
    assertThat(disk.exists(DiskSpace.BALLAST)).isFalse();
    assertThat(takesSends()).isTrue();
  }

  @Test
  @Rule("I-08")
  void roomThatGoesWhileTheBallastGrowsIsNoFailure() throws IOException {
    disk.capacity(CAPACITY);
    var large = with.withReserveBytes(6 << 20);
    story.on(open(large, disk, executors));
    var chance = new Random(1);
    executors.ring();
    while (ballast() == 0) {
      assertThat(executors.step(chance)).isTrue();
    }
    disk.leave(1_000);
    executors.settle();

    assertThat(story.failures).isEmpty();
    assertThat(ballast()).isZero();
    disk.others(0);
    executors.pass();
    executors.pass();
    assertThat(ballast()).isEqualTo(large.ballastBytes());
    assertThat(takesSends()).isTrue();
  }

  static LongStream seeds() {
    return LongStream.range(0, Long.getLong("journal.seeds", 40));
  }

  /** Others come and go; only they can end a log for want of space, and only within the ballast. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Rule({"I-08", "I-01"})
  void whateverOthersDoNothingIsLost(long seed) throws IOException {
    var chance = new Random(seed);
    var now = disk;
    for (var life = 0; life < 4; life++) {
      now.capacity(CAPACITY);
      var told = story.durable;
      var fresh = new SimExecutors();
      story.on(open(with, now, fresh));
      story.checkReplay(told);
      story.releaseDeadBodies();
      live(now, fresh, chance);
      assertThat(story.failures).isEmpty();
      now = chance.nextBoolean() ? now.crashed(chance) : now.copy();
    }
  }

  private void live(SimDisk on, SimExecutors with, Random chance) {
    for (var i = 0; i < 150; i++) {
      switch (chance.nextInt(10)) {
        case 0 -> {
          // Never more than the ballast between two looks, or a write fails: see CrashTest.
          on.leave(chance.nextInt(3) == 0 ? BALLAST : chance.nextLong(BALLAST, 4 << 20));
          with.pass();
        }
        case 1, 2, 3 -> with.pass();
        case 4 -> {
          var live = story.live();
          var count = live.size() / 2;
          if (count > 0) {
            story.complete(live.stream().limit(count).mapToLong(id -> id).toArray());
          }
        }
        default -> {
          if (takesSends()) {
            story.send(chance.nextInt(60_000), 500);
          }
        }
      }
      for (var steps = chance.nextInt(6); steps > 0; steps--) {
        with.step(chance);
      }
    }
    with.settle();
  }
}
