package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.log.ColdHead;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A few living bodies do not hold the disk, and nobody who reads notices that they move. */
class CompactionTest {
  private static final int SEGMENT_BYTES = 8_000;

  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Random chance = new Random(3);
  private final Ledger ledger = new Ledger(chance);

  private static JournalSettings small() {
    return settings()
        .withSegmentBytes(SEGMENT_BYTES)
        .withCheckpointBytes(1 << 20)
        .withResidentBytes(0);
  }

  private void open(SimDisk on) throws IOException {
    ledger.on(
        FileJournal.open(small(), executors.shardExecutor(), on, executors, chance::nextLong),
        executors);
  }

  private static List<String> cold(SimDisk disk) {
    return disk.names().stream().filter(ColdSegment::isName).toList();
  }

  private static List<String> logs(SimDisk disk) {
    return disk.names().stream().filter(Segment::isName).toList();
  }

  /** Many messages of which one in twenty is left, over many segments. */
  private void fillAndDrain() {
    ledger.change();
    for (var i = 0; i < 30; i++) {
      ledger.sendMany(20, 200);
      executors.settle();
      ledger.checkpoint();
      executors.settle();
    }
    ledger.completeBut(20);
    executors.settle();
  }

  /** Nothing is sent any more. */
  private void idle() {
    for (var i = 0; i < 40; i++) {
      executors.pass();
      ledger.checkpoint();
    }
    executors.settle();
  }

  private long logBytes() {
    return disk.bytesOf(".log", ".cold");
  }

  @Test
  void withoutTrafficTheSpaceOfTheDeadIsGivenBack() throws IOException {
    open(disk);
    fillAndDrain();
    var before = logBytes();

    idle();

    assertThat(cold(disk)).isNotEmpty();
    assertThat(logBytes()).isLessThan(before / 3);
    assertThat(disk.bytesOf(".log", ".cold", ".checkpoint"))
        .isLessThanOrEqualTo(
            2 * (ledger.liveBytes() + disk.bytesOf(".checkpoint") / 2) + 2 * SEGMENT_BYTES);
    ledger.readAll(executors);
    var changes = disk.changes();
    idle();
    assertThat(disk.changes()).as("and then it is quiet").isEqualTo(changes);
    ledger.journal().close();
    open(disk.copy());
  }

  @Test
  void coldSegmentsThatBecomeSparseAreCompactedAgainAndGoWhenNothingLives() throws IOException {
    open(disk);
    fillAndDrain();
    idle();
    var first = cold(disk);
    ledger.completeBut(100);
    for (var i = 0; i < 30; i++) {
      ledger.sendMany(20, 200);
      executors.settle();
    }
    ledger.completeBut(100);
    idle();

    assertThat(cold(disk)).isNotEmpty().doesNotContainAnyElementsOf(first);
    ledger.readAll(executors);

    ledger.completeAll();
    idle();

    assertThat(cold(disk)).isEmpty();
    assertThat(logs(disk)).hasSizeLessThanOrEqualTo(2);
  }

  /** Its head makes it seem half empty; but a copy of it would have a head too. */
  @Test
  void aColdSegmentOfOneTinyBodyIsNotCopiedAgainAndAgain() throws IOException {
    open(disk);
    ledger.change();
    ledger.sendMany(19, 200);
    ledger.sendMany(1, 11); // the first that stays
    fillAndDrain();
    idle();
    ledger.completeAllBut(1);
    assertThat(cold(disk)).isNotEmpty();

    for (var i = 0; i < 10; i++) {
      ledger.sendMany(20, 200); // without a checkpoint, so that these cannot be compacted
    }
    ledger.completeAllBut(1);

    for (var i = 0; i < 20; i++) {
      executors.ring();
      for (var steps = 0; steps < 10_000 && executors.step(chance); steps++) {}
    }
    assertThat(cold(disk)).hasSizeLessThan(4);
    ledger.readAll(executors);
  }

  @Test
  @Rule("I-01")
  void aCheckpointThatIsBeingWrittenFindsTheBodiesThatMoveMeanwhile() throws IOException {
    var slow = small().withCompactionBytesPerSecond(10_000);
    ledger.on(
        FileJournal.open(slow, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    fillAndDrain();
    while (disk.bytesOf(".cold.new") == 0) {
      executors.pass();
      ledger.checkpoint();
    }
    while (!ledger.isWriting()) {
      ledger.sendMany(20, 200);
      executors.settle();
      ledger.checkpoint();
    }
    assertThat(cold(disk)).isEmpty();
    for (var i = 0; i < 40; i++) {
      executors.pass();
    }
    assertThat(cold(disk)).as("moved while a checkpoint is open").isNotEmpty();

    while (ledger.isWriting()) {
      ledger.checkpoint();
      executors.settle();
    }

    var checkpoints = disk.names().stream().filter(CheckpointFile::isName).toList();
    var after = disk.copy();
    ledger.copy().on(reopened(after), executors);
    after = disk.copy();
    after.delete(checkpoints.get(0));
    after.syncFolder("");
    ledger.copy().on(reopened(after), executors);
  }

  @Test
  void filesThatAreBeingCopiedStayAlthoughAllInThemDies() throws IOException {
    var slow = small().withCompactionBytesPerSecond(10);
    ledger.on(
        FileJournal.open(slow, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    fillAndDrain();
    while (disk.bytesOf(".cold.new") == 0) {
      executors.pass();
      ledger.checkpoint();
    }
    ledger.completeAll();
    for (var i = 0; i < 20; i++) {
      executors.pass();
      ledger.checkpoint();
    }

    assertThat(disk.bytesOf(".cold.new")).as("still being copied").isPositive();
    assertThat(logs(disk)).as("the open one, and those that are read").hasSizeGreaterThan(2);

    while (disk.bytesOf(".cold.new") > 0) {
      executors.pass();
    }
    idle();

    assertThat(logs(disk)).hasSizeLessThanOrEqualTo(2);
    assertThat(cold(disk)).isEmpty();
  }

  @Test
  void aCopyOfBodiesThatDiedMeanwhileGoesWithoutACheckpoint() throws IOException {
    var slow = small().withCompactionBytesPerSecond(10);
    ledger.on(
        FileJournal.open(slow, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    fillAndDrain();
    while (disk.bytesOf(".cold.new") == 0) {
      executors.pass();
      ledger.checkpoint();
    }
    var seen = new int[1];
    disk.beforeChange(() -> seen[0] += cold(disk).size());
    ledger.completeAll();

    while (disk.bytesOf(".cold.new") > 0) {
      executors.pass();
    }

    assertThat(seen[0]).as("it was there").isPositive();
    assertThat(cold(disk)).as("and no place in it was ever named").isEmpty();
  }

  /** What moves is more than the shard's thread moves at once. */
  @Test
  @LongProof
  @Rule("I-01")
  void theNewFileStaysWhileNothingLivesInItYet() throws IOException {
    var slow = small().withCompactionBytesPerSecond(100_000);
    ledger.on(
        FileJournal.open(slow, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    ledger.change();
    ledger.sendMany(20_000, 100);
    ledger.completeBut(4);
    while (disk.bytesOf(".cold.new") == 0) {
      ledger.sendMany(1, 10);
      executors.pass();
      ledger.checkpoint();
    }
    ledger.completeOldest(BodyLocations.CHUNK_BODIES + 100);
    var looked = new int[1];
    disk.beforeChange(
        () -> {
          if (looked[0] == 0 && !cold(disk).isEmpty()) {
            looked[0]++;
            executors
                .shardExecutor()
                .execute(() -> executors.shardExecutor().execute(this::removeFiles));
          }
        });

    while (disk.bytesOf(".cold.new") > 0) {
      executors.pass();
    }

    assertThat(looked[0]).isEqualTo(1);
    assertThat(cold(disk)).hasSize(1);
    ledger.readAll(executors);
  }

  private void removeFiles() {
    ledger.journal().forget(new long[0]);
  }

  @Test
  @Rule("I-10")
  void aCopyWhoseNameIsNotDurableIsTakenBack() throws IOException {
    open(disk);
    fillAndDrain();
    var failed = new int[1];
    disk.beforeChange(
        () -> {
          if (failed[0] == 0 && !cold(disk).isEmpty()) {
            failed[0]++;
            disk.failOnce(disk.changes(), "Input/output error");
          }
        });
    while (failed[0] == 0) {
      executors.pass();
      ledger.checkpoint();
    }

    assertThat(cold(disk)).isEmpty();

    idle();
    assertThat(cold(disk)).as("tried again").isNotEmpty();
    ledger.readAll(executors);
  }

  private FileJournal reopened(SimDisk on) throws IOException {
    return FileJournal.open(small(), executors.shardExecutor(), on, executors, chance::nextLong);
  }

  @Test
  void aReaderHoldsWhatItReadsWhileItsBodiesAreMovedAndItsFilesWait() throws IOException {
    open(disk);
    fillAndDrain();
    var ids = ledger.live();
    var came = new ArrayList<Bodies>();
    var reader = new Reader(came);
    var at = ledger.journal().fetch(ids.stream().mapToLong(id -> id).toArray(), reader);
    assertThat(at).isNull();
    var before = logs(disk);
    for (var i = 0; i < 60; i++) {
      executors.passWithoutReads();
      ledger.checkpoint();
    }
    assertThat(cold(disk)).as("they were moved").isNotEmpty();
    assertThat(logs(disk)).as("and nothing went").containsAll(before.subList(0, 5));

    executors.settle();

    assertThat(came).hasSize(1);
    ledger.check(came.get(0), ids);
    idle();
    var left = new ArrayList<>(before.subList(0, 5));
    left.retainAll(logs(disk));
    assertThat(left).as("one may be worth keeping").hasSizeLessThan(2);
  }

  /** Keeps what came. */
  private record Reader(List<Bodies> came) implements BodyStorage.LoadListener {
    @Override
    public void loaded(Bodies bodies) {
      came.add(bodies);
    }

    @Override
    public void unreadable(long bodyId, IOException cause) {
      throw new AssertionError("body " + bodyId, cause);
    }
  }

  @Test
  @Rule("I-11")
  void aDamagedBodyIsNeitherCopiedNorDroppedAndItsFileStays() throws IOException {
    open(disk);
    fillAndDrain();
    var victim = ledger.live().get(4);
    var file = fileOf(victim);
    damage(file, victim);

    idle();

    assertThat(cold(disk)).isNotEmpty();
    assertThat(logs(disk)).contains(file);
    var changes = disk.changes();
    idle();
    assertThat(disk.changes()).as("not tried again").isEqualTo(changes);
    assertThat(ledger.unreadable(victim, executors)).contains(file).contains("fails its checksum");
    for (var id : ledger.live()) {
      if (!id.equals(victim)) {
        ledger.read(List.of(id), executors);
      }
    }
  }

  @Test
  @Rule("I-11")
  void filesWithDamagedBodiesAreGivenUpHoweverManyThereAre() throws IOException {
    open(disk);
    fillAndDrain();
    var damaged = new TreeSet<String>();
    for (var id : ledger.live()) {
      var file = fileOf(id);
      if (damaged.size() < 12 && damaged.add(file)) {
        damage(file, id);
      }
    }
    idle();
    assertThat(logs(disk)).containsAll(damaged);

    var changes = disk.changes();
    idle();

    assertThat(disk.changes()).as("not tried again").isEqualTo(changes);
  }

  @Test
  void halfOfTheReserveIsLeftToSettlements() throws IOException {
    var reserve = 8_000_000L;
    disk.capacity(100_000_000);
    var with = small().withReserveBytes(reserve);
    ledger.on(
        FileJournal.open(with, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    fillAndDrain();
    idle();
    for (var i = 0; i < 30; i++) {
      ledger.sendMany(20, 200);
    }
    disk.leave(reserve / 2);
    executors.settle();
    var before = cold(disk);
    ledger.completeBut(100);

    for (var i = 0; i < 40; i++) {
      disk.leave(reserve / 2);
      executors.pass();
      ledger.checkpoint();
    }
    assertThat(cold(disk)).as("nothing is copied").isNotEmpty().isEqualTo(before);

    disk.leave(2 * reserve);
    idle();
    assertThat(cold(disk)).as("there is room again").doesNotContainAnyElementsOf(before);
    ledger.readAll(executors);
  }

  @Test
  @Rule("I-11")
  void whatWasCopiedBeforeADamagedBodyWasMetIsReadFromTheCopy() throws IOException {
    open(disk);
    fillAndDrain();
    var ids = ledger.live();
    var at = 1;
    while (!fileOf(ids.get(at)).equals(fileOf(ids.get(at - 1)))) {
      at++;
    }
    var file = fileOf(ids.get(at));
    damage(file, ids.get(at));

    idle();
    damage(file, ids.get(at - 1));

    ledger.read(List.of(ids.get(at - 1)), executors);
    assertThat(ledger.unreadable(ids.get(at), executors)).contains(file);
  }

  private String fileOf(long bodyId) {
    return disk.holding(ledger.bytesOf(bodyId));
  }

  private void damage(String file, long bodyId) {
    var bytes = disk.content(file).clone();
    bytes[SimDisk.indexOf(bytes, ledger.bytesOf(bodyId)) + 100] ^= 4;
    disk.overwrite(file, bytes);
  }

  /** The checkpoint that the start began with names it, and so will the next start. */
  @Test
  @Rule("I-11")
  void aColdSegmentWhoseBodiesTurnOutToBeDeadAtAStartStaysUntilCheckpointsLetItGo()
      throws IOException {
    open(disk);
    fillAndDrain();
    idle();
    var named = cold(disk);
    ledger.completeAll();
    executors.settleWithoutReads();
    ledger.journal().close();

    for (var starts = 0; starts < 3; starts++) {
      open(disk);
      executors.settle();
      assertThat(cold(disk)).isEqualTo(named).isNotEmpty();
      ledger.journal().close();
    }
  }

  @Test
  @Rule("I-11")
  void aColdSegmentThatACheckpointNamesAndThatIsMissingIsDamage() throws IOException {
    open(disk);
    fillAndDrain();
    idle();
    ledger.journal().close();
    var name = cold(disk).get(0);

    var missing = disk.copy();
    missing.delete(name);
    missing.syncFolder("");
    var names = missing.names();
    assertThatThrownBy(() -> open(missing)).hasMessageContaining(name + " is missing");
    assertThat(missing.names()).isEqualTo(names);

    var content = disk.content(name);
    var cut = disk.copy();
    cut.put(name, Arrays.copyOf(content, content.length - 1));
    assertThatThrownBy(() -> open(cut))
        .hasMessageContaining(name + " is damaged at offset " + (content.length - 1));

    for (var at = 0; at < ColdHead.BYTES; at++) {
      var flipped = disk.copy();
      var bytes = content.clone();
      bytes[at] ^= (byte) (1 << at % 8);
      flipped.put(name, bytes);
      assertThatThrownBy(() -> open(flipped)).hasMessageContaining(name);
    }
  }

  @Test
  @Rule("I-10")
  void aCopyThatCannotBeWrittenCostsTheLogNothingAndIsTriedAgainLater() throws IOException {
    open(disk);
    fillAndDrain();
    var refused = new int[1];
    disk.refuse(
        name -> {
          var no = name.contains(".cold");
          refused[0] += no ? 1 : 0;
          return no;
        });
    for (var i = 0; i < 6; i++) {
      executors.pass();
      for (var step = 0; step < 20; step++) {
        ledger.checkpoint();
        executors.settle();
      }
    }
    assertThat(refused[0]).as("not in a loop").isBetween(1, 2);
    ledger.sendMany(3, 100);
    executors.settle();
    assertThat(ledger.durable).isEqualTo(ledger.lastIndex());

    disk.refuse(name -> false);
    idle();

    assertThat(cold(disk)).isNotEmpty();
    ledger.readAll(executors);
  }
}
