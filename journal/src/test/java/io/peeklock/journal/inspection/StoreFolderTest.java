package io.peeklock.journal.inspection;

import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.journal.StoreChange;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.checkpoint.SegmentTable;
import io.peeklock.journal.disk.LocalDisk;
import io.peeklock.journal.file.FileJournal;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import io.peeklock.journal.scan.LoggedBatch;
import io.peeklock.journal.scan.SegmentScan;
import io.peeklock.journal.sim.Ledger;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.journal.sim.Story;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Replayer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tools see of a folder that a journal wrote: all of it, judged as a start judges it. */
class StoreFolderTest {
  @TempDir Path folder;

  private final SimExecutors executors = new SimExecutors();
  private final Random chance = new Random(11);

  @BeforeEach
  void write() throws IOException {
    var with = settings().withSegmentBytes(8_000).withCheckpointBytes(20_000);
    var ledger = new Ledger(chance);
    var disk = new LocalDisk(folder);
    ledger.on(
        FileJournal.open(with, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    ledger.change();
    executors.settle();
    ledger.sendLarge();
    while (ledger.completed < 3) {
      ledger.change();
      executors.settle();
      ledger.checkpoint();
    }
    for (var i = 0; i < 10; i++) {
      ledger.change();
    }
    ledger.sendLarge();
    executors.settle();
    ledger.journal().close();
  }

  /** What a scan told. */
  private static final class Seen implements SegmentScan.Visitor {
    final TreeSet<Long> batches = new TreeSet<>();
    final List<String> damages = new ArrayList<>();
    int damagedBodies;

    @Override
    public void batch(LoggedBatch batch) {
      batches.add(batch.index());
      damagedBodies += batch.damagedBodies().length;
    }

    @Override
    public void watermark(long offset, long index) {
      assertThat(index).isPositive();
    }

    @Override
    public void damage(long offset, long bytes, String what) {
      damages.add(offset + " " + what);
    }

    boolean isWell() {
      return damages.isEmpty() && damagedBodies == 0;
    }
  }

  private Seen scan(String name) throws IOException {
    var seen = new Seen();
    var bytes = new long[1];
    try (var store = StoreFolder.take(folder);
        var scan = store.segment(name)) {
      scan.run(true, seen, more -> bytes[0] += more);
      assertThat(bytes[0]).isEqualTo(scan.bytes()).isEqualTo(store.bytes(name));
    }
    return seen;
  }

  private List<String> names(Kind kind) throws IOException {
    try (var store = StoreFolder.take(folder)) {
      return store.names(kind);
    }
  }

  private DryRunRecovery dryRun() throws IOException {
    try (var store = StoreFolder.take(folder)) {
      return store.dryRun();
    }
  }

  private Map<String, Long> sizes() throws IOException {
    var sizes = new TreeMap<String, Long>();
    for (var file : StoreFolder.files(folder).entrySet()) {
      sizes.put(file.getKey(), Files.size(file.getValue()));
    }
    return sizes;
  }

  @Test
  @Rule("I-11")
  void everyFlippedByteShowsAndWhatLiesBehindIsStillSeen() throws IOException {
    var name = names(Kind.SEGMENT).get(1);
    var file = folder.resolve(name);
    var good = Files.readAllBytes(file);
    var whole = scan(name);
    assertThat(whole.isWell()).isTrue();

    for (var at = 0; at < good.length; at += 5) {
      var bad = good.clone();
      bad[at] ^= (byte) (1 << (at % 8));
      Files.write(file, bad);

      var seen = scan(name);

      assertThat(seen.isWell()).as("byte %s", at).isFalse();
      assertThat(seen.batches.size()).isBetween(whole.batches.size() - 1, whole.batches.size());
    }
  }

  @Test
  @Rule("I-11")
  void alsoWhereItEndsTooEarlyOrItsBeginningIsGone() throws IOException {
    var name = names(Kind.SEGMENT).get(1);
    var file = folder.resolve(name);
    var good = Files.readAllBytes(file);
    var whole = scan(name);
    for (var bytes = 0; bytes < good.length - 1; bytes += 97) {
      Files.write(file, Arrays.copyOf(good, bytes));
      scan(name);
    }
    var headless = good.clone();
    Arrays.fill(headless, 0, 500, (byte) 0);
    Files.write(file, headless);

    var seen = scan(name);

    assertThat(seen.damages.get(0)).isEqualTo("0 the segment's head is damaged");
    assertThat(seen.batches).hasSizeGreaterThan(whole.batches.size() / 2);
    Files.write(file, new byte[2_000]);
    assertThat(scan(name).batches).isEmpty();
  }

  @Test
  void aSegmentUnderAnothersNameIsFound() throws IOException {
    var names = names(Kind.SEGMENT);
    Files.write(folder.resolve(names.get(1)), Files.readAllBytes(folder.resolve(names.get(0))));

    assertThat(scan(names.get(1)).damages)
        .containsExactly("0 the head belongs to a file of another name");
  }

  @Test
  @Rule("I-01")
  void aDryRunBringsBackWhatAStartBringsBackAndChangesNothing() throws IOException {
    var before = sizes();
    Files.write(folder.resolve("9.checkpoint.new"), new byte[3]);
    var last = names(Kind.SEGMENT).getLast();
    var size = Objects.requireNonNull(before.get(last));
    Files.write(folder.resolve(last), new byte[77], StandardOpenOption.APPEND);

    var dryRun = dryRun();

    assertThat(dryRun.refusal()).isNull();
    assertThat(dryRun.missing()).isEmpty();
    assertThat(dryRun.changes())
        .contains(new StoreChange.Cut(last, size, 77), new StoreChange.Removed("9.checkpoint.new"));
    assertThat(Files.size(folder.resolve(last))).isEqualTo(size + 77);
    assertThat(dryRun.lastIndex()).isPositive();
    assertThat(hashOfAStart()).isEqualTo(dryRun.machine().stateHash());
  }

  private long hashOfAStart() throws IOException {
    var machine = new Machine();
    var threads = new SimExecutors();
    var journal =
        FileJournal.open(
            settings(), threads.shardExecutor(), new LocalDisk(folder), threads, chance::nextLong);
    var replay = new Replayer(machine, journal);
    journal.recover(replay, new Story());
    journal.close();
    return machine.stateHash();
  }

  @Test
  @Rule("I-11")
  void aDryRunRefusesWhatAStartRefuses() throws IOException {
    var last = folder.resolve(names(Kind.SEGMENT).getLast());
    var bytes = Files.readAllBytes(last);
    bytes[70] ^= 1;
    Files.write(last, bytes);

    assertThat(dryRun().refusal()).contains(last.toString(), "was durable");
    assertThat(dryRun().lastIndex()).isZero();
    assertThat(Files.readAllBytes(last)).isEqualTo(bytes);
  }

  @Test
  void bodiesThatAreNotThereAreMissed() throws IOException {
    var dryRun = dryRun();
    var living = dryRun.living(new TreeSet<>(List.of(1L, 2L, 99_999L)));
    assertThat(living).doesNotContain(99_999L);
    assertThat(dryRun.living(new TreeSet<>())).isEmpty();
    for (var name : dryRun.largeBodies()) {
      Files.write(folder.resolve(name), new byte[1], StandardOpenOption.APPEND);
      assertThat(dryRun().missing()).extracting(DryRunRecovery.Missing::file).containsExactly(name);
      Files.delete(folder.resolve(name));
      assertThat(dryRun().missing()).extracting(DryRunRecovery.Missing::file).containsExactly(name);
    }
    var gone = names(Kind.SEGMENT).get(1);
    Files.delete(folder.resolve(gone));
    assertThat(dryRun().gone()).containsOnlyKeys(gone);
    assertThat(dryRun().refusal()).contains(gone + " is missing");
    assertThat(dryRun().isRead()).isTrue();
    assertThat(dryRun().missing()).as("large bodies are looked for too").isNotEmpty();
  }

  @Test
  @Rule("I-11")
  void everyPieceOfALargeBodyIsCompared() throws IOException {
    var name = names(Kind.LARGE_BODY).getFirst();
    var file = folder.resolve(name);
    var good = Files.readAllBytes(file);
    var length = BodyArena.LARGE_BODY_BYTES + 10L;
    assertThat(damage(name, null)).isNull();
    assertThat(damage(name, new CheckpointReader.Large(1, length + 1, 0))).contains("the log says");
    assertThat(damage(name, new CheckpointReader.Large(1, length, 0))).contains("its checksums");

    for (var at = 0; at < good.length; at += 99_991) {
      var bad = good.clone();
      bad[at] ^= 1;
      Files.write(file, bad);
      assertThat(damage(name, null)).as("byte %s", at).contains("fails its checksum");
    }
  }

  private @Nullable String damage(String name, CheckpointReader.@Nullable Large expected)
      throws IOException {
    try (var store = StoreFolder.take(folder);
        var scan = store.largeBody(name)) {
      return scan.damage(expected, bytes -> {});
    }
  }

  /** Adds a folder where what lives was moved; the newest checkpoint of it. */
  private String moved() throws IOException {
    folder = folder.resolve("moved");
    var with = settings().withSegmentBytes(8_000).withCheckpointBytes(1 << 20).withResidentBytes(0);
    var ledger = new Ledger(chance);
    var disk = new LocalDisk(folder);
    ledger.on(
        FileJournal.open(with, executors.shardExecutor(), disk, executors, chance::nextLong),
        executors);
    ledger.change();
    for (var i = 0; i < 30; i++) {
      ledger.sendMany(20, 200);
      executors.settle();
      ledger.checkpoint();
      executors.settle();
    }
    ledger.completeBut(20);
    for (var i = 0; i < 40; i++) {
      executors.pass();
      ledger.checkpoint();
    }
    executors.settle();
    ledger.journal().close();
    return names(Kind.CHECKPOINT).getLast();
  }

  @Test
  @Rule("I-11")
  void bodiesThatWereMovedAreFoundWhereTheCheckpointSays() throws IOException {
    var checkpoint = moved();
    var seen = new Places();
    try (var store = StoreFolder.take(folder);
        var reader = store.checkpoint(checkpoint)) {
      assertThat(reader.damage()).isNull();
      reader.read(seen);
      var named = reader.coldSegments().getFirst();
      assertThat(seen.cold).contains(named);
      assertThat(seen.bodies).isNotEmpty();
      try (var cold = store.cold(named.file())) {
        assertThat(cold.damage(named)).isNull();
        assertThat(cold.damage(null)).isNull();
        assertThat(cold.bytes()).isEqualTo(store.bytes(named.file()));
      }
      try (var bodies = store.bodies(named.file())) {
        for (var at : seen.bodies.entrySet()) {
          var offset = CheckpointReader.offset(at.getValue());
          var length = CheckpointReader.length(at.getValue());
          if (CheckpointReader.slot(at.getValue()) == named.slot()) {
            assertThat(bodies.body(at.getKey(), offset, length)).isNotNull();
            assertThat(bodies.body(at.getKey() + 1, offset, length)).isNull();
            assertThat(bodies.body(at.getKey(), offset, -1)).isNull();
            assertThat(bodies.body(at.getKey(), 1L << 40, length)).isNull();
          }
        }
      }
    }
    assertThat(dryRun().missing()).isEmpty();
    assertThat(hashOfAStart()).isEqualTo(dryRun().machine().stateHash());
  }

  /** What a checkpoint says of moved bodies. */
  private static final class Places implements CheckpointReader.Content {
    final List<CheckpointReader.Cold> cold = new ArrayList<>();
    final TreeMap<Long, Long> bodies = new TreeMap<>();

    @Override
    public void segments(long[] table) {
      assertThat(new SegmentTable(table).size()).isPositive();
    }

    @Override
    public void cold(long[] table) {
      cold.addAll(CheckpointReader.Cold.in(table));
    }

    @Override
    public void part(List<Fact> facts, long[] at, List<CheckpointReader.Large> larges) {
      var ids = CheckpointReader.bodiesIn(facts);
      for (var i = 0; i < ids.length; i++) {
        if (at[i] != CheckpointReader.LARGE && CheckpointReader.isCold(at[i])) {
          bodies.put(ids[i], at[i]);
        }
      }
    }
  }

  @Test
  @Rule("I-11")
  void aColdSegmentThatIsNotWhatTheCheckpointNamesIsDamage() throws IOException {
    moved();
    var name = names(Kind.COLD).getFirst();
    var good = Files.readAllBytes(folder.resolve(name));
    try (var store = StoreFolder.take(folder);
        var reader = store.checkpoint(store.names(Kind.CHECKPOINT).getLast())) {
      assertThat(reader.damage()).isNull();
      var named =
          reader.coldSegments().stream()
              .filter(each -> each.file().equals(name))
              .findFirst()
              .orElseThrow();
      var other = new CheckpointReader.Cold(0, named.number(), named.bytes(), named.salt() + 1);
      assertThat(damage(store, name, other)).isEqualTo("0 its head belongs to another file");
      Files.write(folder.resolve(name), Arrays.copyOf(good, good.length - 1));
      assertThat(damage(store, name, named)).startsWith(good.length - 1 + " it ends there");
      Files.write(folder.resolve(name), Arrays.copyOf(good, 20));
      assertThat(damage(store, name, null)).isEqualTo("0 its head fails its checksum");
    }
  }

  private static String damage(
      StoreFolder store, String name, CheckpointReader.@Nullable Cold named) throws IOException {
    try (var cold = store.cold(name)) {
      var damage = Objects.requireNonNull(cold.damage(named));
      return damage.offset() + " " + damage.what();
    }
  }

  @Test
  void everyFileIsOfOneKind() {
    assertThat(StoreFolder.kindOf("0000000000000000001.log")).isEqualTo(Kind.SEGMENT);
    assertThat(StoreFolder.kindOf("000000000000000000x.log")).isEqualTo(Kind.OTHER);
    assertThat(StoreFolder.kindOf("0000000000000000001.checkpoint")).isEqualTo(Kind.CHECKPOINT);
    assertThat(StoreFolder.kindOf("0000000000000000001.checkpoint.damaged"))
        .isEqualTo(Kind.SET_ASIDE);
    assertThat(StoreFolder.kindOf("0000000000000000001.cold")).isEqualTo(Kind.COLD);
    assertThat(StoreFolder.kindOf("0000000000000000001.cold.new")).isEqualTo(Kind.UNFINISHED);
    assertThat(StoreFolder.kindOf("ballast")).isEqualTo(Kind.BALLAST);
    assertThat(StoreFolder.kindOf("format.new")).isEqualTo(Kind.UNFINISHED);
    assertThat(StoreFolder.kindOf("format")).isEqualTo(Kind.FORMAT);
    assertThat(StoreFolder.kindOf("lock")).isEqualTo(Kind.LOCK);
    assertThat(StoreFolder.kindOf("large/8f00000000000c1a.body")).isEqualTo(Kind.LARGE_BODY);
    assertThat(StoreFolder.kindOf("large/8f00000000000c1z.body")).isEqualTo(Kind.OTHER);
    assertThat(StoreFolder.kindOf("large/short.body")).isEqualTo(Kind.OTHER);
    assertThat(StoreFolder.kindOf("namespace-key")).isEqualTo(Kind.OTHER);
  }

  @Test
  void nobodyElseHasTheFolderMeanwhile() throws IOException {
    var before = Files.readString(folder.resolve("lock"));
    try (var store = StoreFolder.take(folder)) {
      assertThatThrownBy(() -> StoreFolder.take(folder)).hasMessageContaining("in use by");
      assertThatThrownBy(
              () ->
                  FileJournal.open(
                      settings(),
                      Runnable::run,
                      new LocalDisk(folder),
                      executors,
                      chance::nextLong))
          .hasMessageContaining("in use by this process");
      assertThat(store.describe("lock")).endsWith("lock");
    }
    assertThat(Files.readString(folder.resolve("lock"))).isEqualTo(before);
    Files.delete(folder.resolve("lock"));
    StoreFolder.take(folder).close();
    assertThat(folder.resolve("lock")).doesNotExist();
    assertThatThrownBy(() -> StoreFolder.take(folder.resolve("none")))
        .hasMessageContaining("is no folder");
    assertThatThrownBy(() -> StoreFolder.over("x", new TreeMap<>()))
        .hasMessageContaining("x is not the data folder of a broker");
    Files.delete(folder.resolve("format"));
    assertThatThrownBy(() -> StoreFolder.take(folder)).hasMessageContaining("tells its format");
  }
}
