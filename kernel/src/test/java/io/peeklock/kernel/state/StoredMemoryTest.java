package io.peeklock.kernel.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.OverlayTable;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.machine.TopicFixture.Message;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What stored messages take of the heap is counted, given back and bounded, copies too. */
class StoredMemoryTest {
  private static final int SMALL =
      StoredMemory.CHUNK_BYTES + Chunk.MIN_ROWS * StoredMemory.ROW_BYTES;

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  private long all() {
    return shard.machine.stored().taken();
  }

  private long entities() {
    return shard.machine.stored().entities();
  }

  /** Beside what the entities take. */
  private long taken() {
    return all() - entities();
  }

  private void delete(String path) {
    shard.ask(new EntityRequest.DeleteQueue(new Asker(), new Note(), path));
    shard.advance(Duration.ZERO);
  }

  @Test
  @Rule("I-46")
  void messagesCountAndGiveBackButForASmallRest() {
    QueueFixture queue = QueueFixture.of(shard, QueueDefinition.named("q"));
    assertThat(taken()).as("nothing for nothing").isZero();

    queue.send(2_000);
    assertThat(taken())
        .isBetween(2_000L * StoredMemory.ROW_BYTES, 2_000L * StoredMemory.ROW_BYTES * 3 / 2);

    queue.receiveAndDelete(2_000);
    assertThat(taken()).isLessThanOrEqualTo(SMALL);
  }

  @Test
  @LongProof
  @Rule("I-46")
  void aFewOfManyThatStayTakeLittle() {
    QueueFixture queue = QueueFixture.of(shard, QueueDefinition.named("q"));
    queue.send(5_120);
    var all = queue.peekLock(5_120);
    for (int i = 0; i < all.size(); i++) {
      if (i % 512 != 300) {
        queue.complete(all.get(i));
      }
    }

    assertThat(queue.counts().active()).isEqualTo(10);
    assertThat(taken()).isLessThan(4L * SMALL);
  }

  @Test
  @Rule("I-46")
  void whatIsScheduledDeadLetteredAndDeletedCountsAsLongAsItIsThere() {
    QueueFixture queue = QueueFixture.of(shard, QueueDefinition.named("q"));
    long[] numbers = queue.schedule(shard.nowMillis + 60_000, shard.nowMillis + 90_000);
    queue.send(40);
    queue.peekLock(20).forEach(queue::deadLetter);
    queue.cancel(numbers[0]);
    assertThat(taken()).isGreaterThan(41L * StoredMemory.ROW_BYTES);

    delete("q");

    assertThat(all()).isZero();
  }

  @Test
  @Rule("I-46")
  void changedPropertiesCountAsLongAsTheirMessagesAreThere() {
    StoredMemory stored = new StoredMemory();
    OverlayTable table = new OverlayTable(stored);
    int[] slots = new int[3 * OverlayTable.PAGE];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = table.add(100 + i, i);
    }
    assertThat(stored.taken()).isEqualTo(3L * StoredMemory.OVERLAY_PAGE_BYTES);

    for (int i = 0; i < 2 * OverlayTable.PAGE; i++) {
      table.remove(slots[i]);
    }

    assertThat(stored.taken()).isEqualTo(StoredMemory.OVERLAY_PAGE_BYTES);
    for (int i = 2 * OverlayTable.PAGE; i < slots.length; i++) {
      assertThat(table.bodyId(slots[i])).isEqualTo(100 + i);
      assertThat(table.bytes(slots[i])).isEqualTo(i);
    }
    assertThat(table.add(7, 8)).as("the first free place").isLessThan(OverlayTable.PAGE);
    assertThat(table.bodyId(0) + table.bytes(0)).as("none").isZero();
  }

  @Test
  @Rule("I-46")
  void sessionsAndRememberedIdsCount() {
    QueueFixture games =
        QueueFixture.of(shard, QueueDefinition.named("games").with().requiresSession(true).build());
    games.sendTo("chess", "chess", "go");
    long sessions = 2 * StoredMemory.SESSION_BYTES + 2L * "chessgo".length();
    assertThat(taken()).isEqualTo(SMALL + sessions);
    games.accepts("go", Duration.ZERO).wants(1);

    QueueFixture once =
        QueueFixture.of(
            shard, QueueDefinition.named("once").with().duplicateWindowMillis(60_000).build());
    long before = taken();
    once.sendWithIds(1, 2, 3, 3);
    assertThat(taken() - before).isGreaterThan(SMALL + 3L * StoredMemory.ID_BYTES);

    delete("games");
    delete("once");
    assertThat(all()).isZero();
  }

  @Test
  @Rule("I-46")
  void copiesOfWhatIsForwardedWaitForRoomAndLoseNothing() {
    TopicFixture topic = TopicFixture.of(shard);
    for (int i = 0; i < 20; i++) {
      topic.subscription("s" + i);
    }
    QueueFixture queue =
        QueueFixture.of(shard, QueueDefinition.named("q").with().forwardTo("events").build());
    long room = 16L * SMALL;
    shard.machine.stored().bound(entities() + room);

    for (int i = 0; i < 10; i++) {
      queue.send(2);
    }

    assertThat(queue.counts().active()).as("the last wait").isPositive();
    assertThat(shard.machine.stored().isFull()).isTrue();
    assertThat(taken()).as("one decision goes beyond").isLessThan(2 * room + entities() / 8);

    shard.machine.stored().bound(Long.MAX_VALUE);
    shard.advance(Duration.ofSeconds(1));
    assertThat(queue.counts().active()).isZero();
  }

  @Test
  @Rule("I-46")
  void whatIsScheduledInATopicWaitsForRoom() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture one = topic.subscription("one");
    long due = shard.nowMillis + 1_000;
    topic.schedule(new long[] {due}, Message.plain());
    shard.machine.stored().bound(entities());

    shard.advance(Duration.ofSeconds(2));
    assertThat(one.counts().active()).isZero();

    shard.machine.stored().bound(1L << 30);
    shard.advance(Duration.ofSeconds(1));
    assertThat(one.counts().active()).isEqualTo(1);
  }

  @Test
  @Rule("I-46")
  void aMessageThatOnlyMovesOnDoesNotWait() {
    QueueFixture last = QueueFixture.of(shard, QueueDefinition.named("last"));
    QueueFixture first =
        QueueFixture.of(shard, QueueDefinition.named("first").with().forwardTo("last").build());
    shard.machine.stored().bound(1);
    first.send(1);

    assertThat(last.counts().active()).isEqualTo(1);
  }

  @Test
  @Rule("I-46")
  void locksTakeNoMoreThanMessagesDo() {
    StoredMemory memory = new StoredMemory();
    LockTable locks = new LockTable(1 << 24, memory);
    assertThat(locks.room()).isEqualTo(1 << 24);

    memory.bound(112L * 100_000);
    assertThat(locks.room()).isEqualTo(100_000);
    memory.bound(1);
    assertThat(locks.room()).as("some always").isEqualTo(65_536);
  }

  @Test
  @Rule("I-46")
  void afterARestartAsMuchIsCounted() {
    QueueFixture queue = QueueFixture.of(shard, QueueDefinition.named("q"));
    queue.send(1_000);
    queue.receiveAndDelete(700);
    long before = all();

    shard.restart();

    assertThat(all()).isEqualTo(before);
  }
}
