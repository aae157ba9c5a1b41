package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One message in thousands that nobody takes keeps room for itself alone, after a start too. */
class RequestBodyMemoryTest {
  private static final int IN_A_TABLE = BodyLocations.CHUNK_BODIES;
  private static final int TABLES = 12;

  private final Random chance = new Random(11);
  private final SimDisk disk = new SimDisk();
  private SimExecutors executors = new SimExecutors();
  private final Ledger ledger = new Ledger(chance);

  private void start(long checkpointBytes) throws IOException {
    executors = new SimExecutors();
    var with = settings().withCheckpointBytes(checkpointBytes).withSegmentBytes(300_000);
    ledger.on(
        FileJournal.open(with, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
  }

  private void checkpoint() {
    for (var before = ledger.completed; ledger.completed == before; ) {
      ledger.checkpoint();
      executors.settle();
    }
  }

  private void stop() {
    executors.settle();
    ledger.journal().close();
    executors.settle();
  }

  private long roomBytes() {
    return ((FileJournal) ledger.journal()).bodies().locations().roomBytes();
  }

  /** Four times eight bytes for each that lives, and a table. */
  private void checkRoom() {
    assertThat(roomBytes()).isLessThan(32L * ledger.live().size() + 8 * IN_A_TABLE);
  }

  /** So many tables full, of which one message each stays. */
  private void sendAndTake() {
    ledger.change();
    ledger.sendMany(IN_A_TABLE - (int) ledger.nextBodyId(), 1);
    for (var i = 0; i < TABLES; i++) {
      ledger.sendMany(IN_A_TABLE, 1); // all of a table
      executors.settle();
      ledger.completeBut(IN_A_TABLE);
      executors.settle();
      checkRoom();
    }
    assertThat(ledger.live()).hasSize(TABLES);
  }

  @Test
  @Rule("I-46")
  void afterAStartFromTheLogAlone() throws IOException {
    start(Long.MAX_VALUE);
    sendAndTake();
    stop();

    start(Long.MAX_VALUE);

    assertThat(ledger.restoredParts).isZero();
    checkRoom();
    assertThat(ledger.journal().heapBytes()).isBetween(150L * TABLES, 200L * TABLES);
  }

  @Test
  @Rule("I-46")
  void afterAStartFromACheckpoint() throws IOException {
    start(10_000);
    sendAndTake();
    checkpoint();
    stop();

    start(10_000);

    assertThat(ledger.restoredParts).isPositive();
    checkRoom();
    assertThat(ledger.journal().heapBytes()).isBetween(150L * TABLES, 200L * TABLES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Rule("I-46")
  void whenTheOthersDieAfterAStart(boolean fromACheckpoint) throws IOException {
    var checkpointBytes = fromACheckpoint ? 10_000 : Long.MAX_VALUE;
    start(checkpointBytes);
    ledger.change();
    ledger.sendMany(TABLES * IN_A_TABLE, 1);
    executors.settle();
    if (fromACheckpoint) {
      checkpoint();
    }
    stop();

    start(checkpointBytes);
    assertThat(ledger.restoredParts > 0).isEqualTo(fromACheckpoint);
    checkRoom();
    ledger.completeBut(IN_A_TABLE);
    executors.settle();

    assertThat(ledger.live()).hasSize(TABLES);
    checkRoom();
    ledger.readAll(executors);
    ledger.completeAll();
    executors.settle();
    assertThat(roomBytes()).isZero();
    assertThat(ledger.journal().heapBytes()).isZero();
  }
}
