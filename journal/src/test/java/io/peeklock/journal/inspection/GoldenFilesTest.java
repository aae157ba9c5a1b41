package io.peeklock.journal.inspection;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.file.FileJournal;
import io.peeklock.journal.log.Frame;
import io.peeklock.journal.log.HighWater;
import io.peeklock.journal.scan.LargeScan;
import io.peeklock.journal.segment.ColdSegment;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Log;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A small folder of every format that was ever released, written once and read for ever. Golden
 * files are never changed: a new layout is a new version with a folder of its own. Its files are
 * written by {@code -Dgolden.folder=FOLDER}.
 */
class GoldenFilesTest {
  private static final String VERSION = "folder-v1";
  private static final String MARKED = VERSION + "-marked";

  /** Came after the folder was written; the records of the codec have golden files of their own. */
  private static final Set<Class<?>> NEWER =
      Set.of(
          EntityFact.QueueMadeAgain.class,
          ForwardFact.PartPublished.class,
          ForwardFact.ActivatedInBacklog.class,
          Fact.CopyCursorRestored.class);

  private static Map<String, byte[]> golden() throws IOException {
    var files = new TreeMap<String, byte[]>();
    for (var name : GoldenFolder.NAMES) {
      files.put(name, golden(name));
    }
    return files;
  }

  private static byte[] golden(String name) throws IOException {
    return golden(VERSION, name);
  }

  /** With logs that say that a mark is kept, as they have since, and with that. */
  private static Map<String, byte[]> goldenAndMarked() throws IOException {
    var files = golden();
    for (var name : files.keySet().stream().filter(Segment::isName).toList()) {
      files.put(name, golden(MARKED, name));
    }
    files.put(GoldenFolder.HIGH_WATER, golden(GoldenFolder.HIGH_WATER));
    return files;
  }

  private static byte[] golden(String folder, String name) throws IOException {
    var resource = folder + "/" + name.replace('/', '_') + ".hex";
    try (var file = GoldenFilesTest.class.getResourceAsStream(resource)) {
      var text =
          new String(
              Objects.requireNonNull(file, resource).readAllBytes(), StandardCharsets.US_ASCII);
      return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }
  }

  private static SimDisk disk(Map<String, byte[]> files) {
    var disk = new SimDisk();
    files.forEach(disk::put);
    return disk;
  }

  static List<String> names() {
    return Stream.concat(GoldenFolder.NAMES.stream(), Stream.of(GoldenFolder.HIGH_WATER)).toList();
  }

  /** What a recovery told. */
  private static final class Told implements Log.Replay {
    final List<Fact> restored = new ArrayList<>();
    final List<Fact> logged = new ArrayList<>();
    long checkpoint;

    @Override
    public void restored(long index, List<Fact> part) {
      checkpoint = index;
      restored.addAll(part);
    }

    @Override
    public void batch(long index, long predecessor, long timeMillis, List<Fact> facts) {
      assertThat(timeMillis).isEqualTo(GoldenFolder.TIME + index);
      logged.addAll(facts);
    }
  }

  private static Told recovered(SimDisk from) throws IOException {
    var executors = new SimExecutors();
    var told = new Told();
    var journal = FileJournal.open(settings(), executors.shardExecutor(), from, executors, () -> 7);
    journal.recover(told, new Story());
    return told;
  }

  @ParameterizedTest
  @MethodSource("names")
  void todaysWriterWritesTheSameBytes(String name) throws IOException {
    var written = GoldenFolder.write();
    var folder = System.getProperty("golden.folder");
    if (folder != null) {
      Files.writeString(
          Path.of(folder, name.replace('/', '_') + ".hex"), lines(written.content(name)));
    }

    var expected = golden(Segment.isName(name) ? MARKED : VERSION, name);
    assertThat(lines(written.content(name))).isEqualTo(lines(expected));
  }

  private static String lines(byte[] bytes) {
    return HexFormat.of().formatHex(bytes).replaceAll("(.{64})", "$1\n") + "\n";
  }

  @Test
  void nothingElseIsWritten() throws IOException {
    assertThat(GoldenFolder.write().names())
        .filteredOn(name -> !name.equals("lock"))
        .containsExactlyInAnyOrderElementsOf(names());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Rule("I-01")
  void aFolderOfFormatOneIsReadForEver(boolean marked) throws IOException {
    var told = recovered(disk(marked ? goldenAndMarked() : golden()));

    assertThat(told.checkpoint).isEqualTo(GoldenFolder.CHECKPOINT_INDEX);
    assertThat(told.restored)
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(GoldenFolder.checkpoint());
    assertThat(told.logged)
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(GoldenFolder.lastBatch());
  }

  @Test
  @Rule("I-11")
  void itsMarkIsReadForEver() throws IOException {
    var files = golden();
    files.put(GoldenFolder.HIGH_WATER, golden(GoldenFolder.HIGH_WATER));
    var end = golden(GoldenFolder.LAST_SEGMENT).length - Frame.BYTES - Frame.CHECK_BYTES;

    assertThat(HighWater.read(disk(files))).isEqualTo(new HighWater.Mark(1, 6, 3, end));
    assertThat(recovered(disk(files)).checkpoint).isEqualTo(GoldenFolder.CHECKPOINT_INDEX);
  }

  @Test
  @Rule("I-01")
  void itsLogIsReadForEverWithoutTheCheckpointToo() throws IOException {
    var files = golden();
    files.keySet().removeIf(name -> CheckpointFile.isName(name) || ColdSegment.isName(name));

    var told = recovered(disk(files));

    assertThat(told.restored).isEmpty();
    assertThat(told.logged)
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(GoldenFolder.log());
  }

  @Test
  void everyKindOfFactIsInIt() {
    var kinds = GoldenFolder.log().stream().map(Object::getClass).distinct().toList();

    assertThat(kinds(Fact.class).filter(kind -> !NEWER.contains(kind)))
        .allMatch(kind -> kinds.contains(kind), "has a golden file");
  }

  /** The newer one is of the format before there were cold segments; nothing is there to move. */
  @Test
  @Rule("I-01")
  void aCheckpointOfFormatOneIsReadForEver() throws IOException {
    var files = golden();
    var older = Objects.requireNonNull(files.get(GoldenFolder.OLDER_CHECKPOINT));
    files.keySet().removeIf(name -> CheckpointFile.isName(name) || ColdSegment.isName(name));
    files.put(GoldenFolder.OLDER_CHECKPOINT, formatOne(older));

    var told = recovered(disk(files));

    assertThat(told.checkpoint)
        .isEqualTo(StoreFolder.checkpointIndex(GoldenFolder.OLDER_CHECKPOINT));
    assertThat(told.restored)
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(GoldenFolder.checkpoint());
  }

  /** Without the block about cold segments, which stands before the last. */
  private static byte[] formatOne(byte[] two) {
    var front = CheckpointFile.FRONT_BYTES;
    var one = Arrays.copyOf(two, two.length - front);
    var bytes = ByteBuffer.wrap(one).order(ByteOrder.LITTLE_ENDIAN);
    var check = new CRC32C();
    bytes.putInt(8, CheckpointFile.OLDEST_VERSION);
    bytes.putInt(28, Frame.checkOf(check, bytes, 0, 28));
    var end = one.length - front - Long.BYTES;
    var blocks = ByteBuffer.wrap(two).order(ByteOrder.LITTLE_ENDIAN).getLong(two.length - 8);
    var block = bytes.slice(end, front + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    block.putLong(front, blocks - 1);
    CheckpointFile.seal(block, CheckpointFile.END, bytes.getLong(20));
    return one;
  }

  @Test
  @Rule("I-04")
  void itsBodiesAreReadForEver() throws IOException {
    var executors = new SimExecutors();
    var journal =
        FileJournal.open(settings(), executors.shardExecutor(), disk(golden()), executors, () -> 7);
    var story = new Story();
    journal.recover(new Told(), story);

    var numbers = new long[] {1, 2, 4, 6};
    var bodies = fetch(journal, story, executors, numbers);

    assertThat(bodies.count()).isEqualTo(numbers.length);
    for (var i = 0; i < numbers.length; i++) {
      var bytes = new byte[bodies.length(i)];
      bodies.buffer(i).get(bodies.offset(i), bytes);
      assertThat(bytes).isEqualTo(GoldenFolder.body((int) numbers[i]));
    }
    var large = disk(golden()).open(GoldenFolder.LARGE);
    var scan = new LargeScan(large, GoldenFolder.LARGE);
    assertThat(scan.damage(null, bytes -> {})).isNull();
    var piece = new byte[GoldenFolder.LARGE_BYTES];
    scan.piece(0).get(piece);
    assertThat(piece).isEqualTo(GoldenFolder.body(3));
  }

  /** Not where they were, or the test above would not read the cold segment. */
  @Test
  void theyLieInTheColdSegment() throws IOException {
    var files = golden();
    var name = GoldenFolder.CHECKPOINT;
    try (var reader =
        new CheckpointReader(disk(files).open(name), name, GoldenFolder.CHECKPOINT_INDEX)) {
      assertThat(reader.damage()).isNull();
      assertThat(reader.coldSegments())
          .extracting(CheckpointReader.Cold::file)
          .containsExactly(GoldenFolder.COLD);
    }
    var cold = new String(files.get(GoldenFolder.COLD), StandardCharsets.ISO_8859_1);
    for (var number : List.of(1, 2, 4, 6)) {
      assertThat(cold).contains(new String(GoldenFolder.body(number), StandardCharsets.ISO_8859_1));
    }
  }

  private static Bodies fetch(
      FileJournal journal, Story story, SimExecutors executors, long[] numbers) {
    var ready = journal.fetch(numbers, story);
    executors.settle();
    return ready == null ? story.loaded.get(0) : ready;
  }

  /** Every file says in which format it is, under a checksum. */
  @ParameterizedTest
  @ValueSource(strings = {"format", "segment", "frame", "checkpoint", "cold", "highwater"})
  @Rule("I-11")
  void aNewerFormatIsRefusedAndNothingIsChanged(String which) throws IOException {
    var files = golden();
    files.put(GoldenFolder.HIGH_WATER, golden(GoldenFolder.HIGH_WATER));
    var name =
        switch (which) {
          case "format", "highwater" -> which;
          case "checkpoint" -> GoldenFolder.CHECKPOINT;
          case "cold" -> GoldenFolder.COLD;
          default -> GoldenFolder.LAST_SEGMENT;
        };
    var bytes = ByteBuffer.wrap(files.get(name)).order(ByteOrder.LITTLE_ENDIAN);
    var check = new CRC32C();
    switch (which) {
      case "format" ->
          files.put(name, "peeklock journal format 2\n".getBytes(StandardCharsets.US_ASCII));
      case "segment" -> bytes.putInt(8, 2).putInt(60, Frame.checkOf(check, bytes, 0, 60));
      case "frame" ->
          bytes.put(64 + 4, (byte) 2).putInt(64 + 92, Frame.checkOf(check, bytes, 64, 92));
      case "highwater" -> bytes.putInt(8, 2).putInt(60, Frame.checkOf(check, bytes, 0, 60));
      case "cold" -> bytes.putInt(8, 2).putInt(28, Frame.checkOf(check, bytes, 0, 28));
      default -> bytes.putInt(8, 3).putInt(28, Frame.checkOf(check, bytes, 0, 28));
    }
    var disk = disk(files);

    assertThatThrownBy(() -> recovered(disk))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("format")
        .hasMessageContaining("newer version");
    files.forEach((file, content) -> assertThat(disk.content(file)).isEqualTo(content));
  }

  /** The records, not the interfaces that gather some of them. */
  private static Stream<Class<?>> kinds(Class<?> of) {
    return of.isRecord()
        ? Stream.of(of)
        : Arrays.stream(of.getPermittedSubclasses()).flatMap(each -> kinds(each));
  }
}
