package io.peeklock.journal.file;

import static io.peeklock.journal.file.FileJournalContractTest.open;
import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.log.Frame;
import io.peeklock.journal.log.HighWater;
import io.peeklock.journal.log.SegmentHead;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Torn ends are cut and lose nothing that was told; damage is refused and changes nothing. */
class DamageTest {
  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Story story = new Story();

  /** A few segments, with bodies, deaths and a watermark in the middle. */
  private JournalSettings writeSmallLog(boolean closed) throws IOException {
    var small = settings().withSegmentBytes(600);
    story.on(open(small, disk, executors));
    for (var i = 0; i < 8; i++) {
      story.send(40, 0, 20 + i);
      executors.settle();
      if (i == 4) {
        executors.pass();
      }
    }
    for (var dead : new long[] {2, 3, 8}) {
      story.complete(dead);
      executors.settle();
    }
    if (closed) {
      story.journal().close();
    }
    return small;
  }

  private String lastSegment(SimDisk of) {
    return of.names().stream().filter(Segment::isName).reduce((a, b) -> b).orElseThrow();
  }

  /** Recovers a disk, checks the replay and all live bodies, appends, and recovers once more. */
  private static Story recover(Story written, SimDisk from, JournalSettings with, long told)
      throws IOException {
    var executors = new SimExecutors();
    var reader = written.copy().on(open(with, from, executors));
    reader.checkReplay(told);
    reader.releaseDeadBodies();
    readAll(reader, executors);
    reader.send(50);
    executors.settle();
    assertThat(reader.durable).isEqualTo(reader.lastIndex);
    reader.journal().close();
    var again = reader.copy().on(open(with, from, executors));
    again.checkReplay(reader.lastIndex);
    return reader;
  }

  /** Never a wrong body; how many were unreadable. */
  private static int readAll(Story reader, SimExecutors executors) {
    for (var id : reader.live()) {
      reader.loaded.clear();
      var bodies = reader.fetch(List.of(id));
      executors.settle();
      if (bodies != null) {
        reader.check(bodies, List.of(id));
      } else if (!reader.loaded.isEmpty()) {
        reader.check(reader.loaded.get(0), List.of(id));
      }
    }
    return reader.unreadable.size();
  }

  /** A group of three batches that one sync was to make durable, and nobody was told about. */
  @ParameterizedTest
  @ValueSource(strings = {"cut", "zeros", "noise", "stale"})
  @Rule({"I-01", "I-11"})
  void aTornLastGroupIsCutAtWhicheverByteItTore(String kind) throws IOException {
    var with = writeSmallLog(false);
    var told = story.durable;
    var name = lastSegment(disk);
    var before = disk.content(name).length;
    var mark = disk.content(HighWater.NAME);
    story.send(90, 40);
    story.send(30);
    story.complete(1);
    executors.settle();
    disk.put(HighWater.NAME, mark); // as if the sync had not returned
    var whole = disk.content(name);
    assertThat(whole.length).as("it went to the same segment").isGreaterThan(before + 300);
    var filler = fillerOf(kind, whole.length);
    var kept = new TreeSet<Long>();

    for (var at = before; at < whole.length; at++) {
      var torn = Arrays.copyOf(whole, kind.equals("cut") ? at : whole.length);
      System.arraycopy(filler, at, torn, at, torn.length - at);
      var copy = disk.copy();
      copy.put(name, torn);

      kept.add(recover(story, copy, with, told).replayed.getLast());
    }
    assertThat(kept)
        .as("whole batches before the tear stay")
        .containsExactly(told, told + 1, told + 2);
    System.out.println("torn ends (" + kind + "): " + (whole.length - before) + ", lost 0");
  }

  /** What lies where nothing was written: nothing, anything, or frames of a segment that went. */
  private byte[] fillerOf(String kind, int length) {
    var filler = new byte[length];
    if (kind.equals("noise")) {
      new Random(3).nextBytes(filler);
    } else if (kind.equals("stale")) {
      var old = disk.content(Segment.nameOf(1));
      for (var i = 0; i < length; i++) {
        filler[i] = old[i % old.length];
      }
    }
    return filler;
  }

  @Test
  @Rule({"I-01", "I-11"})
  void noSingleBitFlipShortensTheLogOrServesAnotherBody() throws IOException {
    var with = writeSmallLog(true);
    var cut = 0;
    var refused = 0;
    var unreadable = 0;
    var flips = 0;
    for (var name : disk.names()) {
      if (!Segment.isName(name)) {
        continue;
      }
      var good = disk.content(name);
      flips += 8 * good.length;
      for (var bit = 0; bit < 8 * good.length; bit++) {
        var bad = good.clone();
        bad[bit / 8] ^= (byte) (1 << bit % 8);
        var copy = disk.copy();
        copy.put(name, bad);
        var flipped = new SimExecutors();
        var reader = story.copy();
        try {
          reader.on(open(with, copy, flipped));
        } catch (IOException corruption) {
          assertThat(corruption).hasMessageContaining("/sim/" + name);
          assertThat(copy.content(name)).as("nothing is changed").isEqualTo(bad);
          refused++;
          continue;
        }
        reader.checkReplay(story.durable);
        cut += copy.content(name).length < bad.length ? 1 : 0;
        reader.releaseDeadBodies();
        unreadable += readAll(reader, flipped);
      }
    }
    System.out.println(
        "bit flips: "
            + flips
            + ", starts refused "
            + refused
            + ", torn ends cut "
            + cut
            + ", bodies not served "
            + unreadable
            + ", silent losses 0");
    assertThat(refused).isPositive();
    assertThat(unreadable).as("flips in bodies of sealed segments").isPositive();
    assertThat(cut).as("flips in the last watermark itself").isPositive();
  }

  /**
   * A sealed and an open segment of 64 KiB. All 8 * 65,536 bits of both: {@code -Djournal.flips=1}.
   */
  @ParameterizedTest
  @LongProof
  @ValueSource(booleans = {true, false})
  @Rule({"I-01", "I-11"})
  void noFlippedBitOf64KibIsServedOrTakenForTheEnd(boolean sealed) throws IOException {
    var with = settings().withSegmentBytes(64 << 10);
    story.on(open(with, disk, executors));
    while (disk.names().stream().filter(Segment::isName).count() < 2
        || disk.content(lastSegment(disk)).length < 60 << 10) {
      story.send(1_500, 0, 700);
      executors.settle();
    }
    story.complete(2, 4, story.nextBodyId - 1);
    story.journal().close();
    var name = sealed ? Segment.nameOf(1) : lastSegment(disk);
    var good = disk.content(name);
    assertThat(good.length).isBetween(60 << 10, 66 << 10);
    var stride = Integer.getInteger("journal.flips", sealed ? 509 : 131);
    var outcomes = new TreeMap<String, Integer>();

    for (var bit = 0; bit < 8 * good.length; bit += stride) {
      outcomes.merge(flip(with, name, good, bit), 1, Integer::sum);
    }

    assertThat(outcomes.keySet())
        .containsExactlyInAnyOrderElementsOf(
            sealed ? List.of("dead", "refused", "unreadable") : List.of("cut", "refused"));
  }

  /**
   * What becomes of one flipped bit; fails when anything is lost or wrong. "cut" is the watermark
   * frame itself, which holds no batch; "dead" is a body that nobody asks for any more.
   */
  private String flip(JournalSettings with, String name, byte[] good, int bit) throws IOException {
    var bad = good.clone();
    bad[bit / 8] ^= (byte) (1 << bit % 8);
    var copy = disk.copy();
    copy.put(name, bad);
    var flipped = new SimExecutors();
    var reader = story.copy();
    try {
      reader.on(open(with, copy, flipped));
    } catch (IOException corruption) {
      assertThat(corruption).hasMessageContaining("/sim/" + name).hasMessageContaining(" offset ");
      assertThat(copy.content(name)).as("nothing is changed").isEqualTo(bad);
      return "refused";
    }
    var cut = copy.content(name).length < bad.length;
    reader.checkReplay(story.durable);
    reader.releaseDeadBodies();
    var lost = readAll(reader, flipped);
    reader.send(10);
    flipped.settle();
    assertThat(reader.durable).as("the log goes on").isEqualTo(reader.lastIndex);
    if (lost == 0) {
      return cut ? "cut" : "dead";
    }
    assertThat(reader.unreadable)
        .singleElement()
        .asString()
        .contains("/sim/" + name)
        .containsPattern("offset [0-9]+ fails its checksum");
    return "unreadable";
  }

  @Test
  @Rule("I-11")
  void aMissingOrShortSegmentIsRefused() throws IOException {
    var with = writeSmallLog(true);
    var segments = disk.names().stream().filter(Segment::isName).toList();
    assertThat(segments).hasSizeGreaterThanOrEqualTo(3);

    var without = disk.copy();
    without.delete(segments.get(1));
    assertThatThrownBy(() -> story.copy().on(open(with, without, new SimExecutors())))
        .hasMessageContaining("missing");
    for (var name : segments) {
      for (var keep = 0; keep < disk.content(name).length; keep += 7) {
        var shorter = disk.copy();
        shorter.put(name, Arrays.copyOf(disk.content(name), keep));
        var isLast = name.equals(segments.get(segments.size() - 1));
        if (isLast) {
          continue;
        }
        assertThatThrownBy(() -> story.copy().on(open(with, shorter, new SimExecutors())))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("/sim/");
      }
    }
  }

  /** The segment that they are in. */
  private String writeFiveBatches() throws IOException {
    story.on(open(settings(), disk, executors));
    for (var i = 0; i < 5; i++) {
      story.send(200);
      executors.settle();
    }
    return lastSegment(disk);
  }

  @Test
  @Rule("I-11")
  void damageBelowTheWatermarkOfTheOpenSegmentIsRefusedAndNamed() throws IOException {
    var name = writeFiveBatches();
    var bytes = disk.content(name);
    bytes[SegmentHead.BYTES + 19] ^= (byte) 0x80; // the top bit of the first frame's facts length
    disk.put(name, bytes);

    assertThatThrownBy(() -> story.copy().on(open(settings(), disk.copy(), new SimExecutors())))
        .hasMessageContaining("/sim/" + name)
        .hasMessageContaining("offset " + SegmentHead.BYTES)
        .hasMessageContaining("was durable");
  }

  /** The next segment is made when all before it is durable, so a torn end there is no torn end. */
  @Test
  @Rule("I-11")
  void aTornEndBeforeASegmentThatWasBegunIsRefusedAndNamed() throws IOException {
    var name = writeFiveBatches();
    var whole = disk.content(name);
    var torn = disk.copy();
    torn.put(HighWater.NAME, new byte[0]);
    torn.put(name, Arrays.copyOf(whole, whole.length - 3));
    recover(story, torn.copy(), settings(), story.lastIndex - 1); // alone it is cut

    torn.put(Segment.nameOf(story.lastIndex + 1), new byte[0]);

    assertThatThrownBy(() -> story.copy().on(open(settings(), torn, new SimExecutors())))
        .hasMessageContaining("/sim/" + name)
        .hasMessageContaining(story.lastIndex + " was durable");
  }

  @Test
  void aClientsBytesNeverPassForAFrame() throws IOException {
    story.on(open(settings(), disk, executors));
    story.send(10);
    executors.settle();
    var stolen = disk.content(lastSegment(disk));
    var other = new SimDisk();
    var clean = new SimExecutors();
    var victim = new Story();
    victim.on(
        FileJournal.open(
            settings(), clean.shardExecutor(), other, clean, new Random(99)::nextLong));
    victim.send(10);
    clean.settle();
    var name = lastSegment(other);
    var torn = Arrays.copyOf(other.content(name), other.content(name).length + stolen.length);
    System.arraycopy(stolen, 0, torn, other.content(name).length, stolen.length);
    other.put(name, torn);

    var reader = victim.copy();
    reader.on(open(settings(), other.copy(), new SimExecutors()));

    assertThat(reader.replayed).containsExactly(1L);
  }

  @Test
  void recordsThatAreAsTheyWereWrittenAndNotKnownAreOfAnotherBuild() throws IOException {
    story.on(open(settings(), disk, executors));
    story.send(10);
    executors.settle();
    var name = lastSegment(disk);
    var bytes = ByteBuffer.wrap(disk.content(name)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(64 + Frame.BYTES + 1, (byte) 9); // the version of the first record
    var checked = Frame.BYTES + bytes.getInt(64 + 16) + 4 * bytes.getInt(64 + 20);
    bytes.putInt(64 + checked, Frame.checkOf(new CRC32C(), bytes, 64, checked));
    disk.put(name, bytes.array());

    assertThatThrownBy(() -> story.copy().on(open(settings(), disk.copy(), new SimExecutors())))
        .hasMessageContaining("version 9 is not known")
        .hasMessageContaining("another build of Peeklock wrote them")
        .hasMessageNotContaining("damaged");
  }

  @Test
  void aSegmentOfANewerFormatIsRefused() throws IOException {
    story.on(open(settings(), disk, executors));
    story.send(10);
    executors.settle();
    var name = lastSegment(disk);
    var bytes = ByteBuffer.wrap(disk.content(name)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(8, 2);
    bytes.putInt(60, Frame.checkOf(new CRC32C(), bytes, 0, 60));
    disk.put(name, bytes.array());

    assertThatThrownBy(() -> story.copy().on(open(settings(), disk.copy(), new SimExecutors())))
        .hasMessageContaining("format 2")
        .hasMessageContaining("newer version");
  }

  /** Somebody's file with a name like those of a log. */
  @Test
  @Rule("I-11")
  void aFileThatIsNoneOfTheLogIsNamedWhenItSaysThatSomethingIsMissing() throws IOException {
    var last = writeFiveBatches();
    var stray = Segment.nameOf(99_999);
    var with = disk.copy();
    with.put(stray, new byte[0]);

    assertThatThrownBy(() -> story.copy().on(open(settings(), with, new SimExecutors())))
        .hasMessageContaining("/sim/" + last + " is damaged at offset ")
        .hasMessageContaining(
            "it is intact up to batch 5, 99998 was durable as the name of /sim/"
                + stray
                + " says, which holds no batch; if that file is none of this log's, take it away.");
  }
}
