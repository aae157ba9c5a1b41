package io.peeklock.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.proof.NotRun;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class BackupTest {
  @TempDir Path root;

  private Path folder() {
    return root.resolve("data");
  }

  private Path backup() {
    return root.resolve("backup");
  }

  private static DataFolder filled(Path folder) throws IOException {
    var log = DataFolder.small(folder);
    log.sendLarge(1_200_000);
    for (var i = 0; i < 40; i++) {
      log.send(300, 100);
      log.checkpoint();
    }
    return log.complete(5, 6).defer(7, 40).deadLetter(8);
  }

  private long hashOf(Path in) throws IOException {
    try (var log = DataFolder.small(in)) {
      return log.machine().stateHash();
    }
  }

  private void restoreTo(Path to) {
    var result = CommandResult.by("restore", backup(), "--to", to);
    assertThat(result.code()).as("%s", result).isZero();
    assertThat(result.out()).contains("./peeklock serve --data " + to);
    assertThat(CommandResult.by("verify", to).out()).contains("all is well");
  }

  @Test
  @Rule("I-01")
  void namespacesThatAreNotTakenAreNamed() throws IOException {
    filled(folder()).close();
    assertThat(CommandResult.by("verify", folder()).out()).doesNotContain("namespaces");
    Files.createDirectories(folder().resolve("namespaces/orders"));
    Files.createDirectories(folder().resolve("namespaces/billing"));

    for (var result :
        List.of(
            CommandResult.by("verify", folder()),
            CommandResult.by("backup", folder(), "--to", backup()),
            CommandResult.by("repair", folder(), "--to", root.resolve("repaired")))) {
      assertThat(result.code()).as("%s", result).isZero();
      assertThat(result.out()).contains("not read  the namespaces billing, orders: ");
    }
  }

  @Test
  @Rule("I-01")
  void aPlanOfARepairNamesThemAlsoWhereSomethingIsLost() throws IOException {
    filled(folder()).close();
    Files.createDirectories(folder().resolve("namespaces/orders"));
    var log = folder().resolve("0000000000000000001.log");
    Files.write(log, Arrays.copyOf(Files.readAllBytes(log), (int) Files.size(log) / 2));

    var result = CommandResult.by("repair", folder(), "--to", root.resolve("repaired"));

    assertThat(result.code()).as("%s", result).isEqualTo(1);
    assertThat(result.out())
        .contains("not read  the namespaces orders: ", "nothing is written; say --accept-loss");
  }

  @Test
  @Rule("I-01")
  void whatIsMadeInTheFolderOfANamespaceIsServedAsThatOne() throws IOException {
    filled(folder()).close();
    CommandResult.by("backup", folder(), "--to", backup());
    var restored = root.resolve("other/namespaces/Tests");
    var repaired = root.resolve("other/namespaces/more");

    assertThat(CommandResult.by("restore", backup(), "--to", restored).out())
        .contains("serve it  ./peeklock serve --data " + root.resolve("other --namespace Tests\n"));
    assertThat(CommandResult.by("repair", folder(), "--to", repaired).out())
        .contains("serve it  ./peeklock serve --data " + root.resolve("other --namespace more\n"));
    assertThat(CommandResult.by("repair", restored, "--to", root.resolve("away")).out())
        .contains(
            "serve it  in the place of "
                + restored
                + ": ./peeklock serve --data "
                + root.resolve("other --namespace Tests\n"));
  }

  @Test
  @Rule({"I-01", "I-05"})
  void whileTheFolderIsInUseEverythingIsTaken() throws IOException {
    try (var log = filled(folder())) {
      var result = CommandResult.by("backup", folder(), "--to", backup());

      assertThat(result.code()).as("%s", result).isZero();
      assertThat(result.out()).contains("77 active, 0 scheduled, 1 deferred, 1 dead-lettered");
      assertThat(Manifest.read(backup()).of("highwater")).isNotNull();
      restoreTo(root.resolve("restored"));
      log.send(10);
      var expected = log.machine().stateHash();
      assertThat(expected).isNotEqualTo(hashOf(root.resolve("restored")));
    }
  }

  @Test
  @Rule("I-01")
  void theSecondOneAddsOnlyWhatIsNew() throws IOException {
    try (var log = filled(folder())) {
      assertThat(CommandResult.by("backup", folder(), "--to", backup()).code()).isZero();
      var first = Manifest.read(backup());
      for (var i = 0; i < 10; i++) {
        log.send(300, 100);
      }

      var result = CommandResult.by("backup", folder(), "--to", backup());

      assertThat(result.code()).as("%s", result).isZero();
      var second = Manifest.read(backup());
      assertThat(second.index()).isEqualTo(log.index());
      assertThat(second.entries()).hasSizeGreaterThan(first.entries().size());
      assertThat(second.entries().stream().filter(first.entries()::contains))
          .hasSizeGreaterThan(second.entries().size() / 2);
      restoreTo(root.resolve("restored"));
      assertThat(hashOf(root.resolve("restored"))).isEqualTo(log.machine().stateHash());
    }
    assertThat(CommandResult.bytesIn(backup()).keySet())
        .as("nothing is left of the first")
        .hasSize(Manifest.read(backup()).entries().size() + 2);
  }

  @Test
  void sealedSegmentsAndLargeBodiesAreLinksToTheSameFile() throws IOException {
    filled(folder()).close();
    CommandResult.by("backup", folder(), "--to", backup());

    var linked =
        Manifest.read(backup()).entries().stream()
            .filter(entry -> entry.stored().equals(entry.name()))
            .toList();

    assertThat(linked).hasSizeGreaterThan(3).anyMatch(entry -> entry.name().startsWith("large/"));
    for (var entry : linked) {
      assertThat(Files.isSameFile(folder().resolve(entry.name()), backup().resolve(entry.stored())))
          .isTrue();
    }
  }

  @Test
  @Rule("I-01")
  void onAnotherFileSystemItIsCopiedAndWhatIsThereStays() throws IOException {
    var memory = Path.of("/dev/shm");
    if (!Files.isWritable(memory) || Files.getFileStore(memory).equals(Files.getFileStore(root))) {
      throw NotRun.because("no second file system here");
    }
    var far = Files.createTempDirectory(memory, "peeklock-backup");
    try (var log = filled(folder())) {
      assertThat(CommandResult.by("backup", folder(), "--to", far).code()).isZero();
      var first = Manifest.read(far);
      log.send(300, 100).send(300, 100).send(300, 100);
      assertThat(CommandResult.by("backup", folder(), "--to", far).code()).isZero();

      assertThat(Manifest.read(far).entries())
          .filteredOn(first.entries()::contains)
          .hasSizeGreaterThanOrEqualTo(first.entries().size() - 2);
      var to = root.resolve("restored");
      assertThat(CommandResult.by("restore", far, "--to", to).code()).isZero();
      assertThat(hashOf(to)).isEqualTo(log.machine().stateHash());
    } finally {
      for (var file : StoreFolder.files(far).values()) {
        Files.delete(file);
      }
      Files.delete(far.resolve("large"));
      Files.delete(far);
    }
  }

  /** Segments and large bodies come and go, and checkpoints with them, as fast as they can. */
  @Test
  @Rule({"I-01", "I-05"})
  void whateverGoesMeanwhileEachBackupIsTheStateAfterOneBatch() throws Exception {
    var hashes = new ConcurrentHashMap<Long, Long>();
    var over = new AtomicBoolean();
    var failure = new AtomicReference<@Nullable Throwable>();
    try (var log = DataFolder.small(folder())) {
      log.sendLarge(1_100_000);
      hashes.put(log.index(), log.machine().stateHash());
      var busy =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      churn(log, hashes, over);
                    } catch (IOException | RuntimeException broken) {
                      failure.set(broken);
                    }
                  });
      var whole = 0;
      var withCold = 0;
      for (var i = 0; i < 12; i++) {
        var result = CommandResult.by("backup", folder(), "--to", backup());
        if (result.code() != 0) {
          assertThat(result.err()).contains("files went faster");
          continue;
        }
        whole++;
        withCold += hasCold() ? 1 : 0;
        var restored = root.resolve("restored" + i);
        restoreTo(restored);
        var index = Manifest.read(backup()).index();
        assertThat(hashOf(restored)).as("batch %s", index).isEqualTo(hashes.get(index));
      }
      over.set(true);
      busy.join();
      assertThat(failure.get()).isNull();
      assertThat(whole).isGreaterThan(6);
      assertThat(withCold).as("what lives was moved meanwhile").isPositive();
    }
  }

  private boolean hasCold() throws IOException {
    return Manifest.read(backup()).entries().stream()
        .anyMatch(entry -> StoreFolder.kindOf(entry.name()) == StoreFolder.Kind.COLD);
  }

  private static void churn(DataFolder log, Map<Long, Long> hashes, AtomicBoolean over)
      throws IOException {
    var next = 2L;
    log.expect(hashes::put);
    for (var i = 1; !over.get(); i++) {
      if (i % 7 == 0) {
        log.sendLarge(1_050_000);
      } else {
        log.send(400);
      }
      if (next % 9 == 0) {
        log.deadLetter(next++);
      } else {
        log.complete(next++);
      }
      log.checkpoint();
    }
  }

  @Test
  @Rule("I-11")
  void aBackupThatIsNotWhatWasTakenIsRefusedWhicheverFileItIs() throws IOException {
    filled(folder()).close();
    CommandResult.by("backup", folder(), "--to", backup());
    var files = StoreFolder.files(backup()).keySet().stream().toList();
    var n = 0;
    for (var name : files) {
      var file = backup().resolve(name);
      if (Files.size(file) == 0) {
        continue;
      }
      var good = Files.readAllBytes(file);
      var to = root.resolve("restored" + n++);
      Files.delete(file); // else the source would be damaged with it
      var bad = good.clone();
      bad[good.length / 2] ^= 1;
      Files.write(file, bad);

      var result = CommandResult.by("restore", backup(), "--to", to);

      assertThat(result.code()).as(name).isEqualTo(1);
      assertThat(result.err()).contains("damaged", name);
      assertThat(to.resolve("format")).doesNotExist();
      Files.write(file, good);
      if (Files.exists(to)) { // the manifest was intact
        assertThatThrownBy(() -> DataFolder.small(to))
            .as("nobody takes it for a new one")
            .hasMessageContaining(
                to.resolve("unfinished") + " says that ./peeklock store restore, which makes this");
        restoreTo(to);
      }
    }
    Files.delete(backup().resolve(files.get(0)));
    assertThat(CommandResult.by("restore", backup(), "--to", root.resolve("last")).err())
        .contains("is missing");
  }

  @Test
  @Rule("I-11")
  void whatARestoreHasBegunAndNotFinishedIsNeitherVerifiedNorBackedUp() throws IOException {
    filled(folder()).close();
    Files.writeString(folder().resolve("unfinished"), "store restore\n");

    for (var result :
        List.of(
            CommandResult.by("verify", folder()),
            CommandResult.by("dump", folder()),
            CommandResult.by("repair", folder(), "--to", root.resolve("new")),
            CommandResult.by("backup", folder(), "--to", backup()))) {
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err())
          .contains(folder().resolve("unfinished") + " says that ./peeklock store restore, which");
    }
    assertThat(backup()).doesNotExist();
  }

  @Test
  void nothingIsWrittenOverWhatIsThere() throws IOException {
    filled(folder()).close();
    var other = root.resolve("other");
    filled(other).close();
    var before = CommandResult.bytesIn(other);

    assertThat(CommandResult.by("backup", folder(), "--to", other).err())
        .contains("holds no backup");
    assertThat(CommandResult.by("backup", folder(), "--to", folder()).err())
        .contains("its own backup");
    CommandResult.by("backup", folder(), "--to", backup());
    assertThat(CommandResult.by("restore", backup(), "--to", other).err()).contains("is not empty");
    assertThat(CommandResult.by("restore", other, "--to", root.resolve("x")).err())
        .contains("is no backup");

    assertThat(CommandResult.bytesIn(other)).isEqualTo(before);
  }

  @Test
  void aBackupIsTakenForNoDataFolderAndAFileForNone() throws IOException {
    filled(folder()).close();
    CommandResult.by("backup", folder(), "--to", backup());
    var file = Files.writeString(root.resolve("file"), "");

    for (var command : List.of("verify", "dump")) {
      assertThat(CommandResult.by(command, backup()).err())
          .isEqualToIgnoringNewLines(
              "peeklock: "
                  + backup()
                  + " is a backup, and no data folder; restore it first: ./peeklock store restore "
                  + backup()
                  + " --to DIR");
    }
    for (var command : List.of("repair", "backup")) {
      assertThat(CommandResult.by(command, backup(), "--to", root.resolve("x")).err())
          .contains(" is a backup, and no data folder");
    }
    for (var command : List.of("repair", "backup")) {
      assertThat(CommandResult.by(command, folder(), "--to", file).err())
          .contains(file + " is a file, and no folder");
    }
    assertThat(CommandResult.by("restore", backup(), "--to", file).err())
        .contains(file + " is a file, and no folder");
  }

  @Test
  void whatABackupMakesIsForItsOwnerOnly() throws Exception {
    if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      throw NotRun.because("this file system has no owners");
    }
    filled(folder()).close();
    assertThat(CommandResult.by("backup", folder(), "--to", backup()).code()).isZero();

    try (var files = Files.walk(backup())) {
      for (var file : files.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as("%s", file)
            .endsWith("------");
      }
    }
  }

  @Test
  void whileAnotherIsBeingWrittenToTheSamePlaceItIsRefused() throws Exception {
    filled(folder()).close();
    assertThat(CommandResult.by("backup", folder(), "--to", backup()).code()).isZero();
    var before = CommandResult.bytesIn(backup());
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var other =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                backup().resolve("backup.lock").toString())
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(other.getInputStream().read()).as("it has the lock").isEqualTo('+');

      var result = CommandResult.by("backup", folder(), "--to", backup());

      assertThat(result.code()).as("%s", result).isEqualTo(1);
      assertThat(result.err()).contains("another backup is being written to " + backup());
      assertThat(CommandResult.bytesIn(backup())).isEqualTo(before);
    } finally {
      other.getOutputStream().close();
      other.waitFor();
    }
    assertThat(CommandResult.by("backup", folder(), "--to", backup()).code()).isZero();
  }

  /** Run as a process of its own: has a file for itself until its input ends. */
  static final class LockHolder {
    private LockHolder() {}

    public static void main(String[] arguments) throws IOException {
      try (var file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
        System.out.print(file.lock().isValid() ? '+' : '-');
        System.out.flush();
        System.in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  @Test
  @Rule("I-11")
  void withoutAnIntactCheckpointItIsABackupOnlyWhereTheLogIsEnough() throws IOException {
    try (var log = DataFolder.small(folder())) {
      for (var i = 1; i < 60; i++) {
        log.send(900).complete(i);
        log.checkpoint();
      }
    }
    for (var name : StoreFolder.files(folder()).keySet()) {
      if (StoreFolder.kindOf(name) == StoreFolder.Kind.CHECKPOINT) {
        CommandResult.flip(folder().resolve(name), 40);
      }
    }

    var result = CommandResult.by("backup", folder(), "--to", backup());

    assertThat(result.code()).as("%s", result).isEqualTo(1);
    assertThat(result.err()).contains("would not start", "no other checkpoint is there");

    try (var log = DataFolder.open(root.resolve("young"))) {
      log.send(10);
    }
    assertThat(
            CommandResult.by("backup", root.resolve("young"), "--to", root.resolve("other")).code())
        .isZero();
  }

  @Test
  @Rule("I-11")
  void aFolderThatWouldNotStartIsNotBackedUpAndTheBackupBeforeStays() throws IOException {
    filled(folder()).close();
    CommandResult.by("backup", folder(), "--to", backup());
    var before = CommandResult.bytesIn(backup());
    var last =
        StoreFolder.files(folder()).keySet().stream()
            .filter(name -> StoreFolder.kindOf(name) == StoreFolder.Kind.SEGMENT)
            .reduce((a, b) -> b)
            .orElseThrow();
    CommandResult.flip(folder().resolve(last), 70);

    var result = CommandResult.by("backup", folder(), "--to", backup());

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("would not start", last);
    assertThat(CommandResult.bytesIn(backup())).containsAllEntriesOf(before);
    restoreTo(root.resolve("restored"));
  }
}
