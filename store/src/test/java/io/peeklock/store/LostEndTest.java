package io.peeklock.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last file of a log is missed by whatever knows better, and what knows is missed itself. */
class LostEndTest {
  @TempDir Path root;
  private Path folder = Path.of("");
  private Path backup = Path.of("");

  @BeforeEach
  void write() throws IOException {
    folder = root.resolve("data");
    backup = root.resolve("backup");
    try (var log = DataFolder.small(folder)) {
      for (var i = 0; i < 20; i++) {
        log.send(900);
      }
    }
  }

  private List<String> segments() throws IOException {
    return StoreFolder.files(folder).keySet().stream()
        .filter(name -> StoreFolder.kindOf(name) == Kind.SEGMENT)
        .toList();
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  @Test
  @Rule("I-11")
  void aMarkThatIsGoneIsDamageAndNothingIsBackedUpWithoutIt() throws IOException {
    Files.delete(file(segments().getLast()));
    Files.delete(file("highwater"));
    var before = CommandResult.bytesIn(folder);

    var verified = CommandResult.by("verify", folder);
    var backedUp = CommandResult.by("backup", folder, "--to", backup);
    var repaired = CommandResult.by("repair", folder, "--to", root.resolve("new"));

    assertThat(verified.code()).isEqualTo(1);
    assertThat(verified.out())
        .contains("DAMAGED   highwater: is missing, and the log says that it was there")
        .contains("a broker would refuse to start: highwater is missing");
    assertThat(backedUp.code()).isEqualTo(1);
    assertThat(backedUp.err()).contains("would not start: highwater is missing");
    assertThat(repaired.code()).isEqualTo(1);
    assertThat(repaired.out())
        .contains("DAMAGED   highwater: is missing", "of them uncertain")
        .contains("say --accept-loss to go on");
    assertThatThrownBy(() -> DataFolder.small(folder)).hasMessageContaining("highwater is missing");
    assertThat(CommandResult.bytesIn(folder)).isEqualTo(before);
  }

  @Test
  @Rule("I-12")
  void afterARepairWithoutItNumbersGoOnWellAboveTheLastKnownOne() throws IOException {
    Files.delete(file(segments().getLast()));
    Files.delete(file("highwater"));
    var repaired = root.resolve("new");

    assertThat(CommandResult.by("repair", folder, "--to", repaired, "--accept-loss").code())
        .isZero();

    assertThat(CommandResult.by("verify", repaired).out()).contains("all is well");
    try (var log = DataFolder.small(repaired)) {
      assertThat(DataFolder.queuesOf(log.machine()).getFirst().nextSequenceNumber())
          .isGreaterThan(1 << 20);
    }
  }

  /** An empty file says that somebody has looked, and that nothing else is missing. */
  @Test
  @Rule("I-11")
  void theBackupBeforeKnowsHowFarTheLogWent() throws IOException {
    assertThat(CommandResult.by("backup", folder, "--to", backup).code()).isZero();
    var kept = CommandResult.bytesIn(backup);
    Files.delete(file(segments().getLast()));
    Files.write(file("highwater"), new byte[0]);

    var result = CommandResult.by("backup", folder, "--to", backup);

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .containsPattern(
            "ends with batch \\d+, and the backup in \\S+ knows that batch 21 was durable")
        .contains("The backup is untouched; take one of this folder to another place");
    assertThat(CommandResult.bytesIn(backup)).containsAllEntriesOf(kept);
    assertThat(CommandResult.by("restore", backup, "--to", root.resolve("restored")).out())
        .contains("20 active");
    assertThat(CommandResult.by("backup", folder, "--to", root.resolve("other")).code()).isZero();
  }

  @Test
  @Rule("I-01")
  void aLogThatAnOlderVersionWroteHasNoMarkAndThatIsNoDamage() throws IOException {
    var older = root.resolve("older");
    Files.createDirectories(older.resolve("highwater.new/full")); // so that none is ever made
    try (var log = DataFolder.small(older)) {
      log.send(10);
    }
    Files.delete(older.resolve("highwater.new/full"));
    Files.delete(older.resolve("highwater.new"));

    var result = CommandResult.by("verify", older);

    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("harmless  highwater: is not there, because an older version wrote the log")
        .contains("all is well");
    DataFolder.small(older).close();
    assertThat(CommandResult.by("verify", older).out()).doesNotContain("highwater");
  }
}
