package io.peeklock.journal.inspection;

import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.StoreChange;
import io.peeklock.journal.bodies.CheckpointBodies;
import io.peeklock.journal.disk.ReadOnlyDisk;
import io.peeklock.journal.file.FileJournal;
import io.peeklock.journal.large.FileLarge;
import io.peeklock.journal.large.LargeFormat;
import io.peeklock.journal.recovery.MissingFilesException;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.kernel.Invariant.BrokenInvariant;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.Replayer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A start of a broker that changes nothing: the same recovery, on files opened read-only. So it
 * reports about a torn end or damage exactly what a start would.
 */
public final class DryRunRecovery {
  private final Machine machine = new Machine();
  private final ReadOnlyDisk disk;
  private final List<Missing> missing = new ArrayList<>();
  private final Set<String> largeBodies = new HashSet<>();
  private Log.@Nullable Standing standing;
  private @Nullable String refusal;
  private @Nullable MissingFilesException gone;

  /**
   * A living message whose body is missing or incomplete.
   *
   * @param file the file that should have the body; null when no segment does
   */
  public record Missing(long bodyId, @Nullable String file) {}

  private DryRunRecovery(ReadOnlyDisk disk) {
    this.disk = disk;
  }

  static DryRunRecovery over(ReadOnlyDisk disk) throws IOException {
    var dryRun = new DryRunRecovery(disk);
    var settings = JournalSettings.in(Path.of("")).withReserveBytes(0);
    // Not locked here: the caller has locked the folder and checked its format.
    try (var journal =
        FileJournal.openTaken(settings, task -> {}, disk, new NoExecutors(), () -> 1, () -> {})) {
      dryRun.play(journal);
    } finally {
      disk.close(); // nobody is there to close what the log's thread would
    }
    return dryRun;
  }

  private void play(FileJournal journal) throws IOException {
    try {
      var replay = new Replayer(machine, journal);
      standing = journal.recover(replay, new NoListener());
      lookForBodies(journal);
    } catch (MissingFilesException refused) {
      refusal = refused.getMessage();
      gone = refused;
      lookForBodies(journal);
    } catch (IOException refused) {
      refusal = refused.getMessage();
    } catch (BrokenInvariant broken) {
      refusal = "the facts do not follow from each other: " + broken.getMessage();
    }
  }

  private void lookForBodies(FileJournal journal) throws IOException {
    var snapshot = machine.beginSnapshot();
    for (var part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      lookForBodies(journal, part);
    }
    snapshot.end();
  }

  private void lookForBodies(FileJournal journal, List<Fact> part) throws IOException {
    var ids = CheckpointBodies.idsIn(part);
    var places = journal.bodies().places(part);
    var large = 0;
    for (var i = 0; i < ids.length; i++) {
      if (places.at()[i] == BodyLocations.NONE) {
        missing.add(new Missing(ids[i], null));
      } else if (places.at()[i] == BodyLocations.LARGE) {
        lookForFile(ids[i], places.larges().get(large++));
      }
    }
  }

  private void lookForFile(long bodyId, FileLarge large) throws IOException {
    var name = LargeFormat.nameOf(large.fileId());
    var whole = false;
    if (disk.exists(name)) {
      try (var file = disk.open(name)) {
        whole = file.size() == LargeFormat.fileBytes(large.length());
      }
    }
    if (whole) {
      largeBodies.add(name);
    } else {
      missing.add(new Missing(bodyId, name));
    }
  }

  /** Why a broker would not start; null when it would. */
  public @Nullable String refusal() {
    return refusal;
  }

  /**
   * Whether all of the log was read, so that changes, state and missing bodies are meaningful; also
   * when a start is refused only because files of bodies are gone.
   */
  public boolean isRead() {
    return refusal == null || gone != null;
  }

  /** The missing segments, with the number of living bodies that each had. */
  public Map<String, Long> gone() {
    var known = gone;
    return known == null ? Map.of() : known.segments();
  }

  /** What a start would change. */
  public List<StoreChange> changes() {
    var known = gone;
    return known == null ? disk.changes() : known.changes();
  }

  /** Living messages without their bodies. */
  public List<Missing> missing() {
    return missing;
  }

  /** Files of the large bodies that living messages have. */
  public Set<String> largeBodies() {
    return largeBodies;
  }

  /** Which of these bodies a message has. */
  public Set<Long> living(Set<Long> bodyIds) {
    var living = new HashSet<Long>();
    if (!bodyIds.isEmpty()) {
      var snapshot = machine.beginSnapshot();
      for (var part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
        for (var id : CheckpointBodies.idsIn(part)) {
          if (bodyIds.contains(id)) {
            living.add(id);
          }
        }
      }
      snapshot.end();
    }
    return living;
  }

  /** The state after the start; meaningless when the start is refused. */
  public Machine machine() {
    return machine;
  }

  /** Index of the last batch, 0 for none. */
  public long lastIndex() {
    return standing == null ? 0 : standing.lastIndex();
  }

  /** Nothing becomes durable here. */
  private static final class NoListener implements Log.Listener {
    @Override
    public void durable(long index) {}

    @Override
    public void lostLeadership() {}

    @Override
    public void failed(IOException cause) {}
  }

  /** Nothing runs. */
  private static final class NoExecutors implements JournalExecutors {
    @Override
    public void log(Runnable task) {}

    @Override
    public void logLater(long millis, Runnable task) {}

    @Override
    public void reads(Runnable task) {}

    @Override
    public void files(Runnable task) {}

    @Override
    public void checkpoints(Runnable task) {}

    @Override
    public void compaction(Runnable task) {}

    @Override
    public void compactionLater(long millis, Runnable task) {}

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public void leave() {}
  }
}
