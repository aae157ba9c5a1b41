package io.peeklock.journal.file;

import static io.peeklock.journal.file.FileJournalContractTest.open;
import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.CommitNotifier;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.log.HighWater;
import io.peeklock.journal.log.Recovered;
import io.peeklock.journal.log.SegmentHead;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log that ends before what was told is a loss and said, not a torn end. */
class HighWaterTest {
  private static final int PLACE_BYTES = 4_096;
  private static final int CRASHES = 60;

  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Story story = new Story();

  /** Five batches, all told, and no word about it in the log itself; the segment they are in. */
  private String writeFiveBatches(JournalSettings with) throws IOException {
    story.on(open(with, disk, executors));
    for (var i = 0; i < 5; i++) {
      story.send(200);
      executors.settle();
    }
    assertThat(story.durable).isEqualTo(5);
    return disk.names().stream().filter(Segment::isName).reduce((a, b) -> b).orElseThrow();
  }

  private static long indexIn(SimDisk of) throws IOException {
    return Objects.requireNonNull(HighWater.read(of)).index();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cut", "zeros"})
  @Rule({"I-01", "I-11"})
  void aLogThatEndsBeforeWhatWasToldIsRefusedAtWhicheverByte(String kind) throws IOException {
    var name = writeFiveBatches(settings());
    var whole = disk.content(name);

    for (var at = 0; at < whole.length; at++) {
      var torn = Arrays.copyOf(whole, at);
      var left = disk.killed();
      left.put(name, kind.equals("cut") ? torn : Arrays.copyOf(torn, whole.length));

      var content = left.content(name);
      var mark = left.content(HighWater.NAME);
      var journal = open(settings(), left, new SimExecutors());
      assertThatThrownBy(() -> story.copy().on(journal))
          .as("byte %s", at)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("/sim/" + name)
          .hasMessageContaining("store repair")
          .hasMessageMatching("(?s).*(5 was durable|head fails its checksum).*");
      journal.close();
      assertThat(left.content(name)).as("nothing is changed").isEqualTo(content);
      assertThat(left.content(HighWater.NAME)).isEqualTo(mark);
    }
    var again = story.copy().on(open(settings(), disk.killed(), new SimExecutors()));
    again.checkReplay(5);
  }

  @Test
  @Rule("I-11")
  void theSentenceSaysWhatIsLost() throws IOException {
    var name = writeFiveBatches(settings());
    var whole = disk.content(name);
    var each = (whole.length - SegmentHead.BYTES) / 5;
    disk.put(name, Arrays.copyOf(whole, whole.length - 2 * each));

    assertThatThrownBy(() -> story.copy().on(open(settings(), disk.killed(), new SimExecutors())))
        .hasMessage(
            "/sim/"
                + name
                + " is damaged at offset "
                + (whole.length - 2 * each)
                + ": the log ends here; it is intact up to batch 3, 5 was durable as highwater"
                + " says: about "
                + 2 * each
                + " bytes are lost. Nothing was changed; restore from a backup, or save what is"
                + " intact with ./peeklock store repair");
  }

  @Test
  @Rule("I-11")
  void aLastSegmentThatIsGoneIsMissedAndSoIsAWholeLog() throws IOException {
    var with = settings().withSegmentBytes(400);
    var last = writeFiveBatches(with);
    var without = disk.killed();
    without.delete(last);
    assertThatThrownBy(() -> story.copy().on(open(with, without, new SimExecutors())))
        .hasMessageContaining("5 was durable as highwater says")
        .hasMessageContaining(" of " + last);

    var empty = disk.killed();
    for (var name : disk.names()) {
      if (Segment.isName(name)) {
        empty.delete(name);
      }
    }
    assertThatThrownBy(() -> story.copy().on(open(with, empty, new SimExecutors())))
        .hasMessageContaining("/sim/" + last)
        .hasMessageContaining("is missing")
        .hasMessageContaining("5 was durable");
  }

  @Test
  @Rule("I-01")
  void anOlderFolderWithoutAMarkOpensAsItDidAndHasOneThen() throws IOException {
    disk.refuse(name -> name.startsWith(HighWater.NAME));
    var name = writeFiveBatches(settings());
    var older = disk.killed();
    assertThat(older.exists(HighWater.NAME)).isFalse();
    var whole = older.content(name);
    older.put(name, Arrays.copyOf(whole, whole.length - 3));

    var later = new SimExecutors();
    var again = story.copy().on(open(settings(), older, later));

    again.checkReplay(4);
    assertThat(indexIn(older)).isEqualTo(4);
    again.send(10);
    later.settle();
    assertThat(indexIn(older)).isEqualTo(5);
  }

  /** Where the last segment went with it, nothing else could say so. */
  @Test
  @Rule({"I-01", "I-11"})
  void aMarkThatWasRemovedIsMissedAndAnEmptyFileStandsInForIt() throws IOException {
    var with = settings().withSegmentBytes(400);
    var last = writeFiveBatches(with);
    var less = disk.killed();
    less.delete(last);
    less.delete(HighWater.NAME);
    var names = less.names();

    assertThatThrownBy(() -> story.copy().on(open(with, less, new SimExecutors())))
        .hasMessage(
            "/sim/highwater is missing, and the log says that it was there: the log ends with batch"
                + " 4, and without that file nobody can tell whether its end is missing too. Look"
                + " for both; where nothing else is missing, an empty file of that name lets the"
                + " broker start. Nothing was changed; restore from a backup, or save what is"
                + " intact with ./peeklock store repair");
    assertThat(less.names()).isEqualTo(names);

    var whole = disk.killed();
    whole.put(HighWater.NAME, new byte[0]);
    story.copy().on(open(with, whole, new SimExecutors())).checkReplay(5);
    assertThat(indexIn(whole)).isEqualTo(5);
  }

  @Test
  @Rule("I-11")
  void oneThatIsRemovedUnderABrokerIsMadeAnew() throws IOException {
    writeFiveBatches(settings());
    executors.pass();
    disk.delete(HighWater.NAME);

    story.send(10);
    executors.settle();
    executors.pass(HighWater.SYNC_MILLIS);

    assertThat(indexIn(disk)).isEqualTo(6);
    for (var seed = 0; seed < CRASHES; seed++) {
      var after = disk.crashed(new Random(seed));
      assertThat(indexIn(after)).isEqualTo(6);
      story.copy().on(open(settings(), after, new SimExecutors())).checkReplay(6);
    }
  }

  @Test
  @Rule("I-11")
  void aSecondAfterItWasToldNoPowerCutTakesTheMark() throws IOException {
    writeFiveBatches(settings());
    executors.pass(HighWater.SYNC_MILLIS);
    var told = story.durable;
    for (var i = 0; i < 3; i++) {
      story.send(10);
      executors.settle();
    }

    for (var seed = 0; seed < CRASHES; seed++) {
      var after = disk.crashed(new Random(seed));
      assertThat(indexIn(after)).as("seed %s", seed).isBetween(told, story.durable);
      story.copy().on(open(settings(), after, new SimExecutors())).checkReplay(told);
    }
  }

  /** The power goes before each call that changes something. */
  @Test
  @Rule({"I-01", "I-11"})
  void noMarkIsEverAheadOfTheLog() throws IOException {
    var with = settings().withSegmentBytes(900);
    var left = new ArrayList<SimDisk>();
    var told = new ArrayList<Long>();
    disk.beforeChange(
        () -> {
          for (var seed = 0; seed < 8; seed++) {
            left.add(disk.crashed(new Random(31L * left.size() + seed)));
            told.add(story.durable);
          }
        });
    story.on(open(with, disk, executors));
    for (var i = 0; i < 12; i++) {
      story.send(100, 50);
      story.send(30);
      executors.pass(300);
    }
    story.journal().close();

    for (var i = 0; i < left.size(); i++) {
      var after = left.get(i);
      story.copy().on(open(with, after, new SimExecutors())).checkReplay(told.get(i));
    }
    assertThat(left).hasSizeGreaterThan(400);
  }

  /** The power goes while a mark is on its way to the disk and others are written. */
  @Test
  @Rule("I-11")
  void whateverThePowerTearsAMarkIsLeft() throws IOException {
    for (var seed = 0; seed < CRASHES; seed++) {
      var chance = new Random(seed);
      var now = new SimDisk();
      for (var life = 0; life < 4; life++) {
        var steps = new SimExecutors();
        var teller = story.copy().on(open(settings(), now, steps));
        story.appended.putAll(teller.appended);
        for (var i = chance.nextInt(40); i > 0; i--) {
          teller.complete();
          if (chance.nextInt(4) == 0) {
            steps.ring();
          }
          for (var turns = chance.nextInt(6); turns > 0; turns--) {
            steps.step(chance);
          }
        }
        story.appended.putAll(teller.appended);
        now = now.crashed(chance);
        assertThat(HighWater.read(now)).as("seed %s", seed).isNotNull();
      }
    }
  }

  @Test
  void aMarkThatCannotBeWrittenIsNoFailureAndIsWrittenLater() throws IOException {
    disk.refuse(name -> name.startsWith(HighWater.NAME));
    story.on(open(settings(), disk, executors));
    story.send(10);
    executors.pass();
    assertThat(disk.exists(HighWater.NAME)).isFalse();
    assertThat(story.durable).isEqualTo(1);

    disk.refuse(name -> false);
    story.send(10);
    executors.pass();

    assertThat(story.failures).isEmpty();
    assertThat(indexIn(disk)).isEqualTo(2);
  }

  @Test
  void aMarkThatCannotBeMadeDurableAtAStartIsClosedAndMadeAnew() throws IOException {
    writeFiveBatches(settings());
    var left = disk.killed();
    var found = new Recovered(null, 0, 5, 1, 0, 5, 6, List.of(), 0);
    var steps = new SimExecutors();
    var mark = new HighWater(left, steps, new CommitNotifier());
    left.failOnce(left.changes() + 1, "Input/output error");

    mark.begin(found);
    assertThat(mark.isKept()).isFalse();
    assertThat(left.opened()).isZero();

    mark.quiet();
    steps.settle();
    assertThat(mark.isKept()).isTrue();
    mark.close(true);
    steps.settle();
    assertThat(left.opened()).isZero();
  }

  @Test
  void withoutAnyIntactPlaceTheLogIsAskedAloneAndTheMarkIsMadeAnew() throws IOException {
    writeFiveBatches(settings());
    executors.pass();
    var bytes = disk.content(HighWater.NAME);
    for (var at = 0; at < bytes.length; at += PLACE_BYTES) {
      bytes[at + 20] ^= 1;
    }
    disk.put(HighWater.NAME, bytes);
    assertThat(HighWater.read(disk)).isNull();

    story.copy().on(open(settings(), disk.killed(), new SimExecutors())).checkReplay(5);
    var after = disk.killed();
    story.copy().on(open(settings(), after, new SimExecutors()));

    assertThat(indexIn(after)).isEqualTo(5);
  }

  @Test
  void theLastMarkIsThereWhenTheJournalIsClosed() throws IOException {
    writeFiveBatches(settings());

    story.journal().close();

    for (var seed = 0; seed < CRASHES; seed++) {
      assertThat(indexIn(disk.crashed(new Random(seed)))).isEqualTo(5);
    }
  }
}
