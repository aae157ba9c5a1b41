package io.peeklock.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyTest {
  @TempDir Path root;
  private Path folder = Path.of("");

  @BeforeEach
  void write() throws IOException {
    folder = root.resolve("data");
    try (var log = DataFolder.small(folder)) {
      log.sendLarge(1_200_000);
      for (var i = 0; i < 30; i++) {
        log.send(300, 200, 100);
        log.checkpoint();
      }
      log.complete(5, 6).defer(7, 40).deadLetter(8);
    }
  }

  private List<String> names(Kind kind) throws IOException {
    return StoreFolder.files(folder).keySet().stream()
        .filter(name -> StoreFolder.kindOf(name) == kind)
        .toList();
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  @Test
  void whatIsWholeIsWellAndNothingIsChanged() throws IOException {
    assertThat(names(Kind.SEGMENT)).hasSizeGreaterThan(3);
    assertThat(names(Kind.CHECKPOINT)).hasSize(2);
    var before = CommandResult.bytesIn(folder);

    var result = CommandResult.by("verify", folder);

    assertThat(result.code()).as(result.out()).isZero();
    assertThat(result.out())
        .contains("orders: 87 active, 0 scheduled, 1 deferred, 1 dead-lettered", "all is well")
        .doesNotContain("DAMAGED");
    assertThat(CommandResult.bytesIn(folder)).isEqualTo(before);
  }

  @Test
  @Rule("I-11")
  void everyFlippedBitIsFoundInWhicheverFileItIs() throws IOException {
    for (var kind : List.of(Kind.SEGMENT, Kind.CHECKPOINT, Kind.LARGE_BODY)) {
      for (var name : names(kind)) {
        var good = Files.readAllBytes(file(name));
        var step = 1 + good.length / 23;
        for (var at = 0; at < good.length; at += step) {
          CommandResult.flip(file(name), at);
          var before = CommandResult.bytesIn(folder);

          var result = CommandResult.by("verify", folder);

          // A watermark at the very end that is torn says nothing that was promised.
          var harmless = result.out().contains("harmless  " + name);
          assertThat(result.out())
              .as("%s byte %s", name, at)
              .containsAnyOf("DAMAGED   " + name, "harmless  " + name);
          assertThat(result.code()).isEqualTo(harmless ? 0 : 1);
          assertThat(CommandResult.bytesIn(folder)).isEqualTo(before);
          Files.write(file(name), good);
        }
      }
    }
  }

  @Test
  @Rule("I-11")
  void damageOfSeveralFilesIsToldWithTheirOffsets() throws IOException {
    var segments = names(Kind.SEGMENT);
    CommandResult.flip(file(segments.get(0)), 3);
    CommandResult.flip(file(segments.get(1)), 70);
    CommandResult.flip(file(segments.get(1)), Files.size(file(segments.get(1))) - 5);

    var result = CommandResult.by("verify", folder);

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out())
        .contains(segments.get(0) + " at offset 0: the segment's head is damaged")
        .contains(segments.get(1) + " at offset 64: no intact frame is here")
        .containsPattern(segments.get(1) + " at offset \\d+: body \\d+ fails its checksum")
        .contains("there is damage");
  }

  @Test
  @Rule("I-11")
  void aTornEndIsHarmlessAndSaysWhatTheNextStartDoes() throws IOException {
    var last = names(Kind.SEGMENT).getLast();
    Files.write(file(last), new byte[50], StandardOpenOption.APPEND);

    var result = CommandResult.by("verify", folder);

    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("harmless  " + last)
        .contains("the next start cuts 50 bytes", "all is well");
  }

  @Test
  @Rule("I-11")
  void theSameBytesWithSomethingPromisedBehindThemAreDamage() throws IOException {
    var last = names(Kind.SEGMENT).getLast();
    CommandResult.flip(file(last), 70);

    var result = CommandResult.by("verify", folder);

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).contains("DAMAGED   " + last + " at offset 64");
  }

  @Test
  @Rule("I-11")
  void aLargeBodyThatIsGoneIsDamageThatIsToldBeforeItIsRead() throws IOException {
    var large = names(Kind.LARGE_BODY).getFirst();
    var bytes = Files.readAllBytes(file(large));
    for (var left : new int[] {1_000, 0}) {
      Files.write(file(large), Arrays.copyOf(bytes, left));
      if (left == 0) {
        Files.delete(file(large));
      }
      var before = CommandResult.bytesIn(folder);

      assertThatThrownBy(() -> DataFolder.small(folder))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(
              file(large) + (left == 0 ? " is missing" : " has 1000 bytes instead of "))
          .hasMessageContaining(", and it is the body of a message. Nothing was changed; ")
          .hasMessageEndingWith("./peeklock store repair");
      assertThat(CommandResult.bytesIn(folder)).isEqualTo(before);
      var result = CommandResult.by("verify", folder);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out())
          .contains("DAMAGED   " + large + ": a message needs body 1")
          .containsPattern("a broker would refuse to start: \\S*" + large);
    }
  }

  @Test
  @Rule("I-11")
  void aMissingSegmentWithLivingMessagesIsDamageThatIsToldBeforeTheyAreRead() throws IOException {
    var gone = names(Kind.SEGMENT).get(1);
    Files.delete(file(gone));
    var last = names(Kind.SEGMENT).getLast();
    Files.write(file(last), new byte[50], StandardOpenOption.APPEND);
    var before = CommandResult.bytesIn(folder);

    assertThatThrownBy(() -> DataFolder.small(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file(gone) + " is missing, and the checkpoint of batch ")
        .hasMessageContaining(" bodies of messages lie in it. Nothing was changed; ")
        .hasMessageEndingWith("./peeklock store repair");
    assertThat(CommandResult.bytesIn(folder)).isEqualTo(before);

    var result = CommandResult.by("verify", folder);

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out())
        .containsPattern(
            "DAMAGED   " + gone + ": is missing, and \\d+ bodies of messages lie in it")
        .contains("harmless  " + last, "a broker would refuse to start: " + gone + " is missing")
        .doesNotContain("a message needs body");
    assertThat(CommandResult.by("backup", folder, "--to", root.resolve("backup")).err())
        .contains("would not start", gone + " is missing");
  }

  @Test
  @Rule("I-11")
  void oneCheckpointAloneBesideALogThatBeginsLaterIsToldAndHarmless() throws IOException {
    folder = root.resolve("moved");
    try (var log = DataFolder.small(folder)) {
      for (var i = 0; i < 30; i++) {
        log.send(300, 200, 100);
        log.checkpoint();
      }
      log.moveAllBut(8);
    }
    assertThat(StoreFolder.firstIndex(names(Kind.SEGMENT).getFirst())).isGreaterThan(1);
    assertThat(CommandResult.by("verify", folder).out()).doesNotContain("the only checkpoint");
    var all = names(Kind.CHECKPOINT);
    for (var name : all.subList(0, all.size() - 1)) {
      Files.delete(file(name));
    }

    var result = CommandResult.by("verify", folder);

    assertThat(result.code()).as(result.out()).isZero();
    assertThat(result.out())
        .contains("harmless  " + all.getLast() + ": is the only checkpoint, and the log begins");
  }

  /** What the newest checkpoint names and what died since went by itself. */
  @Test
  @Rule("I-11")
  void aSegmentWithoutAnythingAliveMayBeGone() throws IOException {
    var before = names(Kind.SEGMENT);
    try (var log = DataFolder.small(folder)) {
      log.complete(LongStream.rangeClosed(9, 80).toArray());
    }
    Files.delete(file(before.get(2)));

    assertThat(CommandResult.by("verify", folder).out()).contains("all is well");
    DataFolder.small(folder).close();
  }

  @Test
  @Rule("I-11")
  void aMarkOfWhichNothingIsIntactIsDamageAndTheNextStartMakesItAnew() throws IOException {
    Files.write(file("highwater"), new byte[100]);

    var result = CommandResult.by("verify", folder);

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out())
        .contains("DAMAGED   highwater: no mark in it is intact", "would start");
    DataFolder.small(folder).close();
    assertThat(CommandResult.by("verify", folder).out()).contains("all is well");
  }

  @Test
  void aFolderInUseIsRefusedNamingTheHolder() throws IOException {
    try (var log = DataFolder.small(folder)) {
      log.send(10);

      var result = CommandResult.by("verify", folder);

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("in use by this process");
    }
  }

  @Test
  void whatIsNoDataFolderIsRefused() throws IOException {
    assertThat(CommandResult.by("verify", root).err())
        .contains("is not the data folder of a broker");
    assertThat(CommandResult.by("verify", root.resolve("none")).err()).contains("is no folder");
    Files.writeString(folder.resolve("format"), "peeklock journal format 2\n");
    assertThat(CommandResult.by("verify", folder).err()).contains("format 2", "newer version");
    Files.delete(folder.resolve("format"));
    assertThat(CommandResult.by("verify", folder).err())
        .contains("no file that tells its format", "./peeklock store repair");
  }

  @Test
  void aWrongOptionEndsWithTwoAndHelpHelps() {
    assertThat(CommandResult.by("verify").code()).isEqualTo(2);
    assertThat(CommandResult.by("verify").err())
        .contains("DIR", "Try: peeklock store verify --help");
    assertThat(CommandResult.by("nonsense", folder).code()).isEqualTo(2);
    for (var command : List.of("verify", "dump", "repair", "backup", "restore")) {
      var result = CommandResult.by(command, "--help");
      assertThat(result.code()).isZero();
      assertThat(result.out()).contains("Usage: peeklock store " + command, "Exit codes:");
    }
  }
}
