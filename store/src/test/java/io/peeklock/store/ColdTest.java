package io.peeklock.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tools on a folder where what lives was moved out of mostly dead files. */
@Timeout(300)
class ColdTest {
  @TempDir Path root;
  private Path folder = Path.of("");
  private long hash;

  @BeforeEach
  void write() throws IOException {
    folder = root.resolve("data");
    try (var log = DataFolder.small(folder)) {
      for (var i = 0; i < 30; i++) {
        log.send(300, 200, 100);
        log.checkpoint();
      }
      log.moveAllBut(8);
      hash = log.machine().stateHash();
    }
  }

  private List<String> names(Kind kind) throws IOException {
    return StoreFolder.files(folder).keySet().stream()
        .filter(name -> StoreFolder.kindOf(name) == kind)
        .toList();
  }

  /** What the newest checkpoint says of moved bodies. */
  private static final class Places implements CheckpointReader.Content {
    private final Map<Integer, String> files = new HashMap<>();
    private String file = "";
    private long offset;

    @Override
    public void segments(long[] table) {}

    @Override
    public void cold(long[] table) {
      CheckpointReader.Cold.in(table).forEach(named -> files.put(named.slot(), named.file()));
    }

    @Override
    public void part(List<Fact> facts, long[] places, List<CheckpointReader.Large> larges) {
      for (var place : places) {
        if (CheckpointReader.isCold(place)) {
          file = Objects.requireNonNull(files.get(CheckpointReader.slot(place)));
          offset = CheckpointReader.offset(place);
        }
      }
    }
  }

  /** One with a body that the newest checkpoint names. */
  private Places moved() throws IOException {
    var places = new Places();
    try (var store = StoreFolder.take(folder);
        var reader = store.checkpoint(names(Kind.CHECKPOINT).getLast())) {
      assertThat(reader.damage()).isNull();
      reader.read(places);
    }
    assertThat(places.file).isNotEmpty();
    return places;
  }

  private Path cold() throws IOException {
    return folder.resolve(moved().file);
  }

  private void damageABody() throws IOException {
    var body = moved();
    CommandResult.flip(folder.resolve(body.file), body.offset + 10);
  }

  private long hashOf(Path in) throws IOException {
    try (var log = DataFolder.small(in)) {
      return log.machine().stateHash();
    }
  }

  @Test
  void verifyReadsTheBodiesThatCheckpointsName() throws IOException {
    assertThat(names(Kind.COLD)).isNotEmpty();
    var result = CommandResult.by("verify", folder);
    assertThat(result.code()).as(result.out()).isZero();
    assertThat(result.out()).doesNotContain("DAMAGED");

    damageABody();

    var damaged = CommandResult.by("verify", folder);
    assertThat(damaged.code()).as(damaged.out()).isEqualTo(1);
    assertThat(damaged.out())
        .containsPattern("DAMAGED   \\d+\\.cold at offset \\d+: body \\d+ fails its checksum")
        .contains("a broker would start");
  }

  @Test
  @Rule("I-11")
  void everyByteOfItsHeadCounts() throws IOException {
    var file = cold();
    var good = Files.readAllBytes(file);
    for (var at = 0; at < 32; at++) {
      CommandResult.flip(file, at);

      var result = CommandResult.by("verify", folder);

      assertThat(result.code()).as("byte %s %s", at, result).isEqualTo(1);
      assertThat(result.out()).contains("DAMAGED   " + file.getFileName() + " at offset 0");
      Files.write(file, good);
    }
  }

  @Test
  @Rule("I-11")
  void oneThatIsMissingOrCutIsDamage() throws IOException {
    var file = cold();
    var good = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(good, good.length - 1));
    assertThat(CommandResult.by("verify", folder).out())
        .contains("DAMAGED   " + file.getFileName() + " at offset " + (good.length - 1))
        .contains("would refuse to start");

    Files.delete(file);

    var result = CommandResult.by("verify", folder);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).contains("DAMAGED   " + file.getFileName() + ": is missing");
  }

  @Test
  void oneThatNoCheckpointNamesIsHarmless() throws IOException {
    var stray = folder.resolve("0000000000000000999.cold");
    Files.copy(cold(), stray);

    var result = CommandResult.by("verify", folder);

    // It is a copy of another one, and says so.
    assertThat(result.out())
        .contains("DAMAGED   0000000000000000999.cold at offset 0: its head belongs to another")
        .contains("harmless  0000000000000000999.cold: no checkpoint names it");
  }

  @Test
  @Rule("I-01")
  void aBackupHasThemAndARestoredBrokerServesThem() throws IOException {
    var backup = root.resolve("backup");
    var restored = root.resolve("restored");

    assertThat(CommandResult.by("backup", folder, "--to", backup).code()).isZero();
    assertThat(Manifest.read(backup).entries())
        .anyMatch(entry -> StoreFolder.kindOf(entry.name()) == Kind.COLD);
    var again = CommandResult.by("backup", folder, "--to", backup);
    assertThat(again.out()).as("linked once").contains(" 0 of them new");
    var result = CommandResult.by("restore", backup, "--to", restored);

    assertThat(result.code()).as("%s", result).isZero();
    assertThat(CommandResult.by("verify", restored).out()).contains("all is well");
    assertThat(hashOf(restored)).isEqualTo(hash);
  }

  @Test
  @Rule("I-11")
  void aBackupOfAFolderWithoutOneThatIsNamedIsRefused() throws IOException {
    Files.delete(cold());

    var result = CommandResult.by("backup", folder, "--to", root.resolve("backup"));

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("would not start", ".cold is missing");
  }

  @Test
  @Rule({"I-01", "I-11"})
  void repairKeepsThemAndLosesOnlyADamagedOne() throws IOException {
    var whole = root.resolve("whole");
    assertThat(CommandResult.by("repair", folder, "--to", whole).code()).isZero();
    var kept = CommandResult.by("verify", whole);
    assertThat(kept.out()).contains("all is well", "orders: 11 active");
    damageABody();

    var plan = CommandResult.by("repair", folder, "--to", root.resolve("new"));
    assertThat(plan.code()).isEqualTo(1);
    assertThat(plan.out())
        .containsPattern(
            "orders: 10 kept, 1 lost because their body is damaged or gone \\(\\d+\\)");
    var result = CommandResult.by("repair", folder, "--to", root.resolve("new"), "--accept-loss");

    assertThat(result.code()).as("%s", result).isZero();
    assertThat(CommandResult.by("verify", root.resolve("new")).out())
        .contains("all is well", "orders: 10 active");
  }

  @Test
  void aDumpOfTheCheckpointNamesThem() throws IOException {
    var choice = new Dump.Choice(0, Long.MAX_VALUE, null, false);

    assertThat(CommandResult.dump(folder, choice, true))
        .contains("\"file\":\"" + cold().getFileName() + "\",\"slot\":");
  }
}
