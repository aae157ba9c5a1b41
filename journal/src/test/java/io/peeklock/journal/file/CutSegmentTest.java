package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.log.Frame;
import io.peeklock.journal.log.FrameReader;
import io.peeklock.journal.log.HighWater;
import io.peeklock.journal.log.SegmentHead;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A segment whose batches stand in a checkpoint is not read again, but it must end where the next
 * one begins.
 */
class CutSegmentTest {
  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Random chance = new Random(5);
  private final Ledger ledger = new Ledger(chance);
  private final JournalSettings with =
      settings().withSegmentBytes(5_000).withCheckpointBytes(20_000).withResidentBytes(0);

  private void start(SimDisk on) throws IOException {
    ledger
        .copy()
        .on(
            FileJournal.open(with, executors.shardExecutor(), on, executors, chance::nextLong),
            executors);
  }

  private List<String> segments() {
    return disk.names().stream().filter(Segment::isName).toList();
  }

  /** A few batches in each segment, and two checkpoints that cover most of them. */
  @BeforeEach
  void write() throws IOException {
    ledger.on(
        FileJournal.open(with, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    ledger.change();
    for (var round = 0; round < 2; round++) {
      for (var i = 0; i < 30; i++) {
        ledger.send(1_000);
        executors.settle();
      }
      checkpoint();
    }
  }

  private void checkpoint() {
    var before = ledger.completed;
    while (ledger.completed == before) {
      ledger.checkpoint();
      executors.settle();
    }
    executors.settle();
  }

  /** Where each batch of a segment begins, and where the last one ends. */
  private static List<Integer> ends(byte[] segment) throws IOException {
    var ends = new ArrayList<Integer>();
    var disk = new SimDisk();
    disk.put("it", segment);
    try (var reader = new FrameReader(disk.open("it"), "it")) {
      var head = Objects.requireNonNull(reader.head());
      for (var at = (long) SegmentHead.BYTES; at < segment.length; ) {
        ends.add((int) at);
        var frame = Objects.requireNonNull(reader.frameAt(at, head.salt()));
        at += frame.bytes();
      }
    }
    ends.add(segment.length);
    return ends;
  }

  private SimDisk with(String name, byte[] content) {
    var other = disk.copy();
    other.put(name, content);
    return other;
  }

  private void assertRefused(SimDisk damaged, String name, String what) {
    var content = damaged.content(name);
    var names = damaged.names();

    assertThatThrownBy(() -> start(damaged))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/sim/" + name + " is damaged at offset")
        .hasMessageContaining(what)
        .hasMessageContaining("./peeklock store repair");

    assertThat(damaged.names()).isEqualTo(names);
    assertThat(damaged.content(name)).as("nothing is changed").isEqualTo(content);
  }

  @Test
  @Rule("I-11")
  void oneThatEndsBeforeTheNextBeginsIsDamageAtWhicheverBatchItWasCut() throws IOException {
    ledger.journal().close();
    var all = segments();
    assertThat(all).hasSizeGreaterThan(10);

    for (var name : all.subList(0, all.size() - 1)) {
      var whole = disk.content(name);
      var ends = ends(whole);
      assertThat(ends).hasSizeGreaterThan(2);
      for (var end : ends.subList(0, ends.size() - 1)) {
        assertRefused(with(name, Arrays.copyOf(whole, end)), name, "");
      }
    }
    var name = all.get(3);
    var ends = ends(disk.content(name));
    var before = ends.get(ends.size() - 2);
    assertThatThrownBy(() -> start(with(name, Arrays.copyOf(disk.content(name), before))))
        .hasMessageMatching(
            "/sim/"
                + name
                + " is damaged at offset "
                + before
                + ": it ends with batch \\d+, and "
                + all.get(4)
                + " was begun after batch \\d+; a part of the log is missing. Nothing was"
                + " changed;.*");
    start(disk);
  }

  @Test
  @Rule("I-11")
  void oneThatEndsWithinABatchOrGoesOnBehindTheLastIsDamageToo() throws IOException {
    ledger.journal().close();
    var name = segments().get(2);
    var whole = disk.content(name);
    var ends = ends(whole);

    for (var at = 0; at < whole.length; at += 37) {
      if (!ends.contains(at)) {
        assertRefused(with(name, Arrays.copyOf(whole, at)), name, "");
      }
    }
    assertRefused(with(name, Arrays.copyOf(whole, whole.length + 1)), name, "");
    start(disk);
  }

  @Test
  @Rule("I-11")
  void theHeadAndTheLastBatchOfEachAreCompared() throws IOException {
    ledger.journal().close();
    var name = segments().get(2);
    var whole = disk.content(name);
    var ends = ends(whole);
    var last = ends.get(ends.size() - 2);

    for (var at = 0; at < last + Frame.BYTES; at++) {
      if (at < SegmentHead.BYTES || at >= last) {
        var flipped = whole.clone();
        flipped[at] ^= 1;
        assertRefused(with(name, flipped), name, "");
      }
    }
  }

  /** Also where no frame is read but the last of each file. */
  @Test
  @Rule("I-11")
  void aMarkThatIsGoneIsMissedToo() throws IOException {
    ledger.journal().close();
    var less = disk.copy();
    less.delete(HighWater.NAME);

    assertThatThrownBy(() -> start(less))
        .hasMessageContaining("/sim/highwater is missing, and the log says that it was there");
  }

  /** The segment behind it went, since nothing in it lived; what it began with is known. */
  @Test
  @Rule("I-11")
  void whereTheNextOneWentTheCheckpointSaysWhereItBegan() throws IOException {
    var before = segments();
    ledger.completeOldest(40);
    executors.pass();
    ledger.journal().close();
    assertThat(segments()).isNotEqualTo(before);
    start(disk);

    var left = segments();
    for (var name : left.subList(0, left.size() - 1)) {
      var whole = disk.content(name);
      var ends = ends(whole);
      assertRefused(with(name, Arrays.copyOf(whole, ends.get(ends.size() - 2))), name, "");
    }
  }

  @Test
  @Rule("I-11")
  void aLastBatchThatIsLargerThanAWindowIsFoundFromTheEnd() throws IOException {
    var check = new CRC32C();
    var salt = 4_711L;
    var frame = new Frame(0, 200_000, 0, 0, 0, 1, 7, 6, 5, 4, 3);
    var bytes = ByteBuffer.allocate(SegmentHead.BYTES + (int) frame.bytes() + 500);
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    frame.write(bytes, SegmentHead.BYTES, salt, check);
    var on = new SimDisk();
    on.put("it", bytes.array());

    try (var reader = new FrameReader(on.open("it"), "it")) {
      assertThat(reader.lastFrame(salt)).isEqualTo(SegmentHead.BYTES);
      assertThat(reader.lastFrame(salt + 1)).isEqualTo(-1);
    }
  }
}
