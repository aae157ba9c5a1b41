package io.peeklock.journal.file;

import static io.peeklock.journal.file.FileJournalContractTest.open;
import static io.peeklock.journal.sim.SimDisk.settings;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a tool has begun and not finished is served by nobody, whenever it ended. */
class UnfinishedFolderTest {
  private static final int SEEDS = 12;

  private final SimExecutors executors = new SimExecutors();
  private final List<SimDisk> left = new ArrayList<>();
  private Map<String, byte[]> whole = Map.of();

  /** The tool is killed, or the power goes, before each call that changes something. */
  private SimDisk watched() {
    var disk = new SimDisk();
    disk.keepLockFiles();
    disk.beforeChange(
        () -> {
          left.add(disk.killed());
          for (var seed = 0; seed < SEEDS; seed++) {
            left.add(disk.crashed(new Random(31L * left.size() + seed)));
          }
        });
    return disk;
  }

  private static Map<String, byte[]> filesOf(SimDisk disk) {
    var files = new TreeMap<String, byte[]>();
    disk.names().stream()
        .filter(name -> !name.equals(Folder.LOCK))
        .forEach(name -> files.put(name, disk.content(name)));
    return files;
  }

  /** A folder as a broker leaves it. */
  private void writeWhole() throws IOException {
    var disk = new SimDisk();
    var story = new Story().on(open(settings().withSegmentBytes(400), disk, executors));
    for (var i = 0; i < 5; i++) {
      story.send(100);
      executors.settle();
    }
    story.journal().close();
    whole = filesOf(disk);
    assertThat(whole.keySet().stream().filter(Segment::isName)).hasSizeGreaterThan(1);
  }

  private static void makeAll(SimDisk disk, Map<String, byte[]> files) throws IOException {
    try (var made = UnfinishedFolder.begin(disk, "store restore")) {
      for (var file : files.entrySet()) {
        try (var out = made.create(file.getKey())) {
          out.write(ByteBuffer.wrap(file.getValue()));
          out.sync();
        }
      }
      made.sync();
    }
    Folder.finish(disk);
  }

  /** Nothing was begun, or it is whole, or a start is refused; how many were. */
  private int judge(SimDisk after) throws IOException {
    if (after.names().isEmpty()) {
      return 0;
    }
    if (!after.exists(Folder.UNFINISHED_FILE)) {
      assertThat(filesOf(after)).containsExactlyInAnyOrderEntriesOf(whole);
      return 0;
    }
    var before = after.names();
    assertThatThrownBy(() -> open(settings(), after, new SimExecutors()))
        .isInstanceOf(IOException.class)
        .hasMessageMatching(
            "/sim/unfinished says that (./peeklock store restore|the repair or restore), which"
                + " makes this folder, was not finished: messages are missing in it. Run that"
                + " again, to the same folder: it begins anew. Nothing was changed");
    assertThat(after.names()).isEqualTo(before);
    return 1;
  }

  @Test
  @Rule({"I-01", "I-11"})
  void aRestoreThatEndedAtWhicheverChangeIsServedByNobodyAndCanBeRunAgain() throws IOException {
    writeWhole();
    var disk = watched();
    makeAll(disk, whole);
    disk.beforeChange(() -> {});
    assertThat(filesOf(disk)).containsExactlyInAnyOrderEntriesOf(whole);

    var refused = 0;
    for (var after : left) {
      refused += judge(after);
      if (after.exists(Folder.UNFINISHED_FILE)) {
        makeAll(after, whole);
        assertThat(filesOf(after)).containsExactlyInAnyOrderEntriesOf(whole);
      }
    }
    assertThat(refused).isGreaterThan(left.size() / 2);
  }

  @Test
  @Rule({"I-01", "I-11"})
  void theSameHoldsForARepairWhichWritesThroughTheJournal() throws IOException {
    var disk = watched();
    var story = new Story();
    var told = new ArrayList<String>();
    story.on(
        FileJournal.openUnfinished(
            settings(),
            executors.shardExecutor(),
            disk,
            executors,
            new Random(3)::nextLong,
            "store repair"));
    for (var i = 0; i < 4; i++) {
      story.send(100, 30);
      executors.settle();
    }
    story.journal().close();
    Folder.finish(disk);
    disk.beforeChange(() -> {});

    for (var after : left) {
      if (after.exists(Folder.UNFINISHED_FILE)) {
        assertThatThrownBy(() -> open(settings(), after, new SimExecutors()))
            .hasMessageContaining("was not finished");
        told.add("refused");
      } else if (!after.names().isEmpty()) {
        story.copy().on(open(settings(), after, new SimExecutors())).checkReplay(4);
      }
    }
    assertThat(told).hasSizeGreaterThan(left.size() / 2);
    story.copy().on(open(settings(), disk, new SimExecutors())).checkReplay(4);
  }

  @Test
  void whoRunsItAgainRemovesWhatWasThereAndNothingElse() throws IOException {
    var disk = new SimDisk();
    disk.put("notes.txt", "mine".getBytes(US_ASCII));
    assertThatThrownBy(() -> UnfinishedFolder.begin(disk, "store restore"))
        .hasMessage("/sim/ is not empty; nothing is written over what is there");
    assertThat(disk.names()).containsExactly("notes.txt");

    var other = new SimDisk();
    other.put(Folder.UNFINISHED_FILE, new byte[0]);
    other.put("0000000000000000001.log", new byte[10]);
    other.put("large/8f00000000000c1a.body", new byte[10]);
    UnfinishedFolder.begin(other, "store restore").close();
    assertThat(other.names()).containsExactly(Folder.UNFINISHED_FILE);
  }

  @Test
  void twoDoNotMakeOneFolder() throws IOException {
    var disk = new SimDisk();
    try (var made = UnfinishedFolder.begin(disk, "store restore")) {
      made.create("format").close();
      assertThatThrownBy(() -> UnfinishedFolder.begin(disk, "store repair"))
          .hasMessageContaining("in use");
      assertThat(disk.names()).contains("format");
    }
  }

  @Test
  void foldersAreMadeWithThoseThatTheyAreInAndAFileIsNone(@TempDir Path root) throws IOException {
    var folder = root.resolve("a/b/c");
    try (var made = UnfinishedFolder.begin(folder, "store restore")) {
      made.create("format").close();
      made.clear();
    }
    assertThat(folder.resolve("format")).doesNotExist();
    assertThat(Files.readString(folder.resolve("unfinished"))).isEqualTo("store restore\n");
    UnfinishedFolder.finish(folder);
    assertThatThrownBy(() -> UnfinishedFolder.begin(folder, "store restore"))
        .hasMessageContaining("is not empty");
    var file = Files.writeString(root.resolve("file"), "");
    assertThatThrownBy(() -> UnfinishedFolder.begin(file, "store restore"))
        .hasMessageContaining("is a file, and no folder");
  }
}
