package io.peeklock.journal.inspection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.StoreGoneException;
import io.peeklock.journal.disk.FolderLock;
import io.peeklock.journal.disk.LocalDisk;
import io.peeklock.journal.file.FileJournal;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.NotRun;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.LargeBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real files, real threads: the journal as a broker has it. */
@Timeout(300)
class LocalFilesTest {
  private final ExecutorService shardExecutor = Executors.newSingleThreadExecutor();
  private final Story story = new Story();
  private @Nullable FileJournal journal;
  @TempDir Path folder;

  @AfterEach
  void end() throws Exception {
    onHome(
        () -> {
          if (journal != null) {
            journal.close();
          }
        });
    shardExecutor.shutdown();
  }

  private interface Work {
    void run() throws Exception;
  }

  private void onHome(Work work) throws Exception {
    shardExecutor
        .submit(
            () -> {
              work.run();
              return null;
            })
        .get();
  }

  private void start(JournalSettings settings) throws Exception {
    onHome(
        () -> {
          journal = FileJournal.open(settings.withReserveBytes(0), shardExecutor);
          story.on(journal);
        });
  }

  /** Lets the shard's thread work until something is so. */
  private void until(BooleanSupplier holds) throws Exception {
    var seen = new boolean[1];
    while (!seen[0]) {
      onHome(() -> seen[0] = holds.getAsBoolean());
    }
  }

  private void restart(JournalSettings settings) throws Exception {
    onHome(() -> Objects.requireNonNull(journal).close());
    start(settings);
    onHome(story::releaseDeadBodies);
  }

  @Test
  @Rule({"I-01", "S-001", "S-004"})
  void threadsAndFilesTogetherKeepWhatWasTold() throws Exception {
    var settings = JournalSettings.in(folder).withSegmentBytes(200_000).withResidentBytes(600_000);
    start(settings);
    for (var round = 0; round < 3; round++) {
      for (var i = 0; i < 400; i++) {
        onHome(() -> story.send(1_000, 500, 20));
        if (i % 3 == 0) {
          onHome(
              () -> story.complete(story.live().stream().limit(4).mapToLong(id -> id).toArray()));
        }
      }
      until(() -> story.durable == story.lastIndex);
      restart(settings);
      story.checkReplay(story.lastIndex);
      readAll();
    }
    assertThat(story.failures).isEmpty();
  }

  private void readAll() throws Exception {
    var live = story.live();
    for (var from = 0; from < live.size(); from += 97) {
      var ids = live.subList(from, Math.min(live.size(), from + 97));
      onHome(
          () -> {
            var bodies = story.fetch(ids);
            if (bodies != null) {
              story.loaded.add(bodies);
            }
          });
      until(() -> !story.loaded.isEmpty() || !story.unreadable.isEmpty());
      assertThat(story.unreadable).isEmpty();
      onHome(() -> story.check(story.loaded.remove(0), ids));
    }
  }

  @Test
  void largeBodiesAreWrittenAndReadByOtherThreads() throws Exception {
    start(JournalSettings.in(folder));
    var bytes = Story.bytesOf(1, 5_000_000);
    var stored = new ArrayList<LargeBody.Staged>();
    var done = new CountDownLatch(1);
    onHome(
        () -> {
          var writer = story.arena().openLarge(bytes.length);
          for (var at = 0; at < bytes.length; at += 50_000) {
            writer.write(ByteBuffer.wrap(bytes, at, 50_000));
          }
          writer.finish(
              Story.endpoint(),
              staged -> {
                stored.add(Objects.requireNonNull(staged));
                done.countDown();
              });
        });
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    onHome(() -> story.sendLarge(stored.get(0)));
    until(() -> story.durable == 1);
    restart(JournalSettings.in(folder));

    var read = new AtomicInteger();
    var all = new CountDownLatch(5_000_000 / 250_000);
    onHome(
        () -> {
          var large =
              Objects.requireNonNull(Objects.requireNonNull(story.fetch(List.of(1L))).large(0));
          for (var at = 0; at < 5_000_000; at += 250_000) {
            large.read(at, 250_000, Story.endpoint(), comparing(bytes, at, read, all));
          }
        });

    assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(read).hasValue(5_000_000);
  }

  private static LargeBody.PieceListener comparing(
      byte[] whole, int from, AtomicInteger read, CountDownLatch all) {
    return new LargeBody.PieceListener() {
      @Override
      public void piece(ByteBuffer bytes) {
        var piece = new byte[bytes.remaining()];
        bytes.get(piece);
        if (Arrays.equals(piece, Arrays.copyOfRange(whole, from, from + piece.length))) {
          read.addAndGet(piece.length);
        }
        all.countDown();
      }

      @Override
      public void failed(Throwable cause) {
        all.countDown();
      }
    };
  }

  @Test
  void theFolderBelongsToOneJournalAndSaysWhose() throws Exception {
    start(JournalSettings.in(folder));

    assertThatThrownBy(() -> FileJournal.open(JournalSettings.in(folder), shardExecutor))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("in use by this process")
        .hasMessageContaining(folder.resolve("lock").toString());
    assertThat(Files.readString(folder.resolve("lock")).strip())
        .isEqualTo(String.valueOf(ProcessHandle.current().pid()));
    restart(JournalSettings.in(folder));
  }

  @Test
  void anotherProcessIsToldWhoHasTheFolder() throws Exception {
    start(JournalSettings.in(folder));

    assertThat(refusalOfAnotherProcess("serve"))
        .contains("in use by process " + ProcessHandle.current().pid());
    onHome(() -> story.send(10));
    until(() -> story.durable == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "read"})
  void whoeverRemovesTheLockFileLetsNobodyElseIn(String how) throws Exception {
    start(JournalSettings.in(folder));
    Files.delete(folder.resolve("lock"));

    assertThat(refusalOfAnotherProcess(how))
        .contains("in use by another process (" + folder.resolve("format") + " is locked)");
    assertThat(refusalOfAnotherProcess(how)).as("nor the next").contains("in use by");
    onHome(() -> story.send(10));
    until(() -> story.durable == 1);
  }

  @Test
  void aFolderThatGoesWhileItIsServedIsToldAsGone() throws Exception {
    start(JournalSettings.in(folder.resolve("data")));
    onHome(() -> story.send(10));
    until(() -> story.durable == 1);

    try (var files = Files.walk(folder.resolve("data"))) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }

    until(() -> !story.failures.isEmpty());
    assertThat(story.failures.getFirst())
        .isInstanceOf(StoreGoneException.class)
        .hasMessageContaining(folder.resolve("data").toString());
  }

  @Test
  void aFolderThatEverybodyMayWriteToIsWorthAWarning() throws Exception {
    if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      throw NotRun.because("this file system has no owners");
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxr-x"));
    assertThat(LocalDisk.warningAbout(folder)).isEmpty();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThat(LocalDisk.warningAbout(folder))
        .contains("Everybody on this machine may write to the data folder " + folder);
  }

  /** What a process says that may not take the folder. */
  private String refusalOfAnotherProcess(String how) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var other =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                LockProbe.class.getName(),
                folder.toString(),
                how)
            .redirectErrorStream(true)
            .start();
    var said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor()).as(said).isEqualTo(3);
    return said;
  }

  /** Run as a process of its own: tries to take a folder. */
  static final class LockProbe {
    private LockProbe() {}

    public static void main(String[] arguments) {
      var folder = Path.of(arguments[0]);
      try {
        if (arguments[1].equals("read")) {
          StoreFolder.take(folder).close();
        } else {
          FileJournal.open(JournalSettings.in(folder), Runnable::run).close();
        }
      } catch (IOException refused) {
        System.out.println(refused.getMessage());
        System.exit(3);
      }
    }
  }

  @Test
  void nobodyButTheOwnerMayReadTheFiles() throws Exception {
    if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      throw NotRun.because("this file system has no owners");
    }
    start(JournalSettings.in(folder.resolve("data")));
    onHome(() -> story.send(10));
    until(() -> story.durable == 1);

    try (var files = Files.walk(folder.resolve("data"))) {
      for (var file : files.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as("%s", file)
            .endsWith("------");
      }
    }
  }

  @Test
  void onAFullDiskTheFileIsNamedThatCannotBeWritten() throws IOException {
    var full = Path.of("/dev/full");
    if (!Files.isWritable(full)) {
      throw NotRun.because("no device here is always full");
    }
    Files.createSymbolicLink(folder.resolve("lock"), full);

    assertThatThrownBy(() -> FolderLock.take(folder, "lock"))
        .isInstanceOf(IOException.class)
        .hasMessage(folder.resolve("lock") + " cannot be written: No space left on device");
  }
}
