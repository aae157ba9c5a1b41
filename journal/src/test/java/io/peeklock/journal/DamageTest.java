package io.peeklock.journal;

import static io.peeklock.journal.FileJournalContractTest.open;
import static io.peeklock.journal.FileJournalContractTest.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Torn ends are cut and lose nothing that was told; damage is refused and changes nothing. */
class DamageTest {
  private final SimCrew crew = new SimCrew();
  private final SimDisk disk = new SimDisk();
  private final Story story = new Story();

  /** A few segments, with bodies, deaths and a watermark in the middle. */
  private JournalSettings writeSmallLog(boolean closed) throws IOException {
    var small = settings().withSegmentBytes(600);
    story.on(open(small, disk, crew));
    for (var i = 0; i < 8; i++) {
      story.send(40, 0, 20 + i);
      crew.settle();
      if (i == 4) {
        crew.pass();
      }
    }
    for (var dead : new long[] {2, 3, 8}) {
      story.complete(dead);
      crew.settle();
    }
    if (closed) {
      story.journal().close();
    }
    return small;
  }

  private String lastSegment(SimDisk of) {
    return of.names().stream().filter(Segment::isName).reduce((a, b) -> b).orElseThrow();
  }

  private static Story reader(Story written) {
    var reader = new Story();
    reader.appended.putAll(written.appended);
    reader.bodyBatch.putAll(written.bodyBatch);
    reader.killedBy.putAll(written.killedBy);
    reader.lengths.putAll(written.lengths);
    reader.segmentStarts.addAll(written.segmentStarts);
    return reader;
  }

  /** Recovers a disk, checks the replay and all live bodies, appends, and recovers once more. */
  private static Story recover(Story written, SimDisk from, JournalSettings with, long told)
      throws IOException {
    var crew = new SimCrew();
    var reader = reader(written).on(open(with, from, crew));
    reader.checkReplay(told);
    reader.forgetTheDead();
    readAll(reader, crew);
    reader.send(50);
    crew.settle();
    assertThat(reader.durable).isEqualTo(reader.lastIndex);
    reader.journal().close();
    var again = reader(reader).on(open(with, from, crew));
    again.checkReplay(reader.lastIndex);
    return reader;
  }

  /** Never a wrong body; how many were unreadable. */
  private static int readAll(Story reader, SimCrew crew) {
    for (var id : reader.live()) {
      reader.loaded.clear();
      var bodies = reader.fetch(List.of(id));
      crew.settle();
      if (bodies != null) {
        reader.check(bodies, List.of(id));
      } else if (!reader.loaded.isEmpty()) {
        reader.check(reader.loaded.get(0), List.of(id));
      }
    }
    return reader.unreadable.size();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cut", "zeros", "noise"})
  @Rule({"I-01", "I-11"})
  void aTornLastBatchIsCutAtWhicheverByteItTore(String kind) throws IOException {
    var with = writeSmallLog(false);
    var told = story.durable;
    var name = lastSegment(disk);
    var before = disk.content(name).length;
    story.send(90, 40);
    crew.settle();
    var whole = disk.content(name);
    assertThat(whole.length).as("it went to the same segment").isGreaterThan(before);
    var chance = new Random(3);

    for (var at = before; at < whole.length; at++) {
      var torn = Arrays.copyOf(whole, kind.equals("cut") ? at : whole.length);
      for (var i = at; i < torn.length; i++) {
        torn[i] = kind.equals("noise") ? (byte) chance.nextInt() : 0;
      }
      var copy = disk.copy();
      copy.put(name, torn);

      recover(story, copy, with, told);
    }
  }

  @Test
  @Rule({"I-01", "I-11"})
  void noSingleBitFlipShortensTheLogOrServesAnotherBody() throws IOException {
    var with = writeSmallLog(true);
    var cut = 0;
    var refused = 0;
    var unreadable = 0;
    for (var name : disk.names()) {
      if (!Segment.isName(name)) {
        continue;
      }
      var good = disk.content(name);
      for (var bit = 0; bit < 8 * good.length; bit++) {
        var bad = good.clone();
        bad[bit / 8] ^= (byte) (1 << bit % 8);
        var copy = disk.copy();
        copy.put(name, bad);
        var flipped = new SimCrew();
        var reader = reader(story);
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
        reader.forgetTheDead();
        unreadable += readAll(reader, flipped);
      }
    }
    assertThat(refused).isPositive();
    assertThat(unreadable).as("flips in bodies of sealed segments").isPositive();
    assertThat(cut).as("flips in the last watermark itself").isPositive();
  }

  @Test
  @Rule("I-11")
  void aMissingOrShortSegmentIsRefused() throws IOException {
    var with = writeSmallLog(true);
    var segments = disk.names().stream().filter(Segment::isName).toList();
    assertThat(segments).hasSizeGreaterThanOrEqualTo(3);

    var without = disk.copy();
    without.delete(segments.get(1));
    assertThatThrownBy(() -> reader(story).on(open(with, without, new SimCrew())))
        .hasMessageContaining("missing");
    for (var name : segments) {
      for (var keep = 0; keep < disk.content(name).length; keep += 7) {
        var shorter = disk.copy();
        shorter.put(name, Arrays.copyOf(disk.content(name), keep));
        var isLast = name.equals(segments.get(segments.size() - 1));
        if (isLast) {
          continue;
        }
        assertThatThrownBy(() -> reader(story).on(open(with, shorter, new SimCrew())))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("/sim/");
      }
    }
  }

  @Test
  @Rule("I-11")
  void damageBelowTheWatermarkOfTheOpenSegmentIsRefusedAndNamed() throws IOException {
    story.on(open(settings(), disk, crew));
    for (var i = 0; i < 5; i++) {
      story.send(200);
      crew.settle();
    }
    var name = lastSegment(disk);
    var bytes = disk.content(name);
    bytes[SegmentHead.BYTES + 19] ^= (byte) 0x80; // the top bit of the first frame's facts length
    disk.put(name, bytes);

    assertThatThrownBy(() -> reader(story).on(open(settings(), disk.copy(), new SimCrew())))
        .hasMessageContaining("/sim/" + name)
        .hasMessageContaining("offset " + SegmentHead.BYTES)
        .hasMessageContaining("was durable");
  }

  @Test
  void aClientsBytesNeverPassForAFrame() throws IOException {
    story.on(open(settings(), disk, crew));
    story.send(10);
    crew.settle();
    var stolen = disk.content(lastSegment(disk));
    var other = new SimDisk();
    var clean = new SimCrew();
    var victim = new Story();
    victim.on(FileJournal.open(settings(), clean.home(), other, clean, new Random(99)::nextLong));
    victim.send(10);
    clean.settle();
    var name = lastSegment(other);
    var torn = Arrays.copyOf(other.content(name), other.content(name).length + stolen.length);
    System.arraycopy(stolen, 0, torn, other.content(name).length, stolen.length);
    other.put(name, torn);

    var reader = reader(victim);
    reader.on(open(settings(), other.copy(), new SimCrew()));

    assertThat(reader.replayed).containsExactly(1L);
  }

  @Test
  void aSegmentOfANewerFormatIsRefused() throws IOException {
    story.on(open(settings(), disk, crew));
    story.send(10);
    crew.settle();
    var name = lastSegment(disk);
    var bytes = ByteBuffer.wrap(disk.content(name)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(8, 2);
    bytes.putInt(60, Frame.checkOf(new CRC32C(), bytes, 0, 60));
    disk.put(name, bytes.array());

    assertThatThrownBy(() -> reader(story).on(open(settings(), disk.copy(), new SimCrew())))
        .hasMessageContaining("format 2")
        .hasMessageContaining("newer version");
  }
}
