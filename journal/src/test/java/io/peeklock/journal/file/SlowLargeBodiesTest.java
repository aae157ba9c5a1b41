package io.peeklock.journal.file;

import static io.peeklock.journal.file.FileJournalContractTest.open;
import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.large.LargeFormat;
import io.peeklock.journal.memory.MemoryJournal;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.intake.PieceOwner;
import io.peeklock.runtime.meter.BudgetUse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Large bodies that come slowly give their room to others, on disk and in memory. */
class SlowLargeBodiesTest {
  private static final int MIB = 1 << 20;
  private static final int PIECE = MIB / 4;

  private final SimExecutors executors = new SimExecutors();
  private final Story story = new Story();
  private final List<Sender> senders = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();
  private long now;

  private record Task(long at, Runnable run) {}

  private final class Sender implements PieceOwner {
    private final LargeBody.Writer writer = story.arena().openLarge(100L * MIB);
    private int gaveWay;

    Sender() {
      writer.givesWay(this);
      senders.add(this);
    }

    void brings(int bytes) {
      for (var left = bytes; left > 0; left -= PIECE) {
        writer.write(ByteBuffer.allocate(Math.min(left, PIECE)));
        executors.settle();
      }
    }

    @Override
    public long nowMillis() {
      return now;
    }

    @Override
    public void execute(Runnable task) {
      tasks.add(new Task(now, task));
    }

    @Override
    public void executeLater(long millis, Runnable task) {
      tasks.add(new Task(now + millis, task));
    }

    @Override
    public void giveWay() {
      assertThat(writer.isRefused()).isTrue();
      gaveWay++;
    }
  }

  private void seconds(int count) {
    for (var i = 0; i < count; i++) {
      now += 1_000;
      for (var task : List.copyOf(tasks)) {
        if (task.at <= now) {
          tasks.remove(task);
          task.run.run();
        }
      }
      executors.settle();
    }
  }

  private long taken(String name) {
    return story.journal().budgets().stream()
        .filter(use -> use.name().equals(name))
        .mapToLong(BudgetUse::taken)
        .sum();
  }

  private void start(Journal journal) throws IOException {
    story.on(journal);
  }

  private void filledByThree(int bytes) {
    for (var i = 0; i < 3; i++) {
      new Sender().brings(bytes);
    }
  }

  private void anotherOneIsTaken(int bytes) {
    var honest = new Sender();
    honest.brings(bytes);
    assertThat(honest.writer.isRefused()).isFalse();
    var staged = new ArrayList<LargeBody.Staged>();
    honest.writer.finish(Story.endpoint(), staged::add);
    executors.settle();
    assertThat(staged).hasSize(1).doesNotContainNull();
    staged.getFirst().release();
    senders.forEach(each -> each.writer.abort());
    executors.settle();
    assertThat(taken("staged_large_bodies")).isZero();
    assertThat(taken("large_pieces")).isZero();
  }

  @Test
  @Rule("I-46")
  void filesOfBodiesThatAreNeverFinishedGiveWay() throws IOException {
    var disk = new SimDisk();
    start(open(settings().withLargeStagedBytes(8 * MIB), disk, executors));
    filledByThree(2 * MIB + MIB / 2);

    seconds(8);

    assertThat(senders.stream().mapToInt(each -> each.gaveWay)).contains(1).allMatch(n -> n < 2);
    assertThat(taken("staged_large_bodies")).isLessThanOrEqualTo(2 * MIB);
    assertThat(disk.list(LargeFormat.FOLDER)).isEmpty();
    anotherOneIsTaken(5 * MIB);
  }

  @Test
  @Rule("I-46")
  void bodiesInMemoryThatAreNeverFinishedGiveWay() throws IOException {
    start(MemoryJournal.create(8 * MIB, executors.shardExecutor()));
    filledByThree(2 * MIB - MIB / 2);
    assertThat(taken("staged_large_bodies")).isGreaterThan(4 * MIB);

    seconds(8);

    assertThat(taken("staged_large_bodies")).isLessThanOrEqualTo(3 * MIB / 2);
    anotherOneIsTaken(3 * MIB);
  }

  @Test
  @Rule("I-46")
  void piecesBetweenSocketAndFileGiveWayToo() throws IOException {
    start(open(settings().withLargePieceBytes(MIB), new SimDisk(), executors));
    for (var i = 0; i < 60; i++) {
      new Sender().brings(1);
    }

    seconds(8);

    assertThat(taken("large_pieces")).isLessThanOrEqualTo(MIB / 4);
    anotherOneIsTaken(3 * MIB);
  }

  @Test
  @Rule("I-46")
  void whoseBytesGoOnIsNotTheOneWhoGivesWay() throws IOException {
    start(open(settings().withLargeStagedBytes(8 * MIB), new SimDisk(), executors));
    filledByThree(2 * MIB);

    for (var i = 0; i < 8; i++) {
      seconds(1);
      senders.getFirst().brings(40_000);
    }

    assertThat(senders.stream().map(each -> each.gaveWay)).containsExactly(0, 1, 1);
    senders.forEach(each -> each.writer.abort());
  }
}
