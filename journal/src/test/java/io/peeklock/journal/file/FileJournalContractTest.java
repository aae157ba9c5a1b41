package io.peeklock.journal.file;

import static io.peeklock.journal.sim.SimDisk.settings;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.LocalDisk;
import io.peeklock.journal.sim.JournalContract;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.runtime.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contract on files: simulated ones, and those of this machine. */
class FileJournalContractTest {

  static FileJournal open(JournalSettings settings, Disk disk, SimExecutors executors)
      throws IOException {
    return FileJournal.open(
        settings, executors.shardExecutor(), disk, executors, new Random(42)::nextLong);
  }

  @Nested
  class OnASimulatedDisk extends JournalContract {
    @Override
    public Journal open(SimExecutors executors) throws IOException {
      return FileJournalContractTest.open(settings(), new SimDisk(), executors);
    }
  }

  @Nested
  class OnRealFiles extends JournalContract {
    @TempDir Path folder;

    @Override
    public Journal open(SimExecutors executors) throws IOException {
      return FileJournalContractTest.open(settings(), new LocalDisk(folder), executors);
    }
  }

  @Nested
  class WithSmallSegments extends JournalContract {
    @Override
    public Journal open(SimExecutors executors) throws IOException {
      return FileJournalContractTest.open(
          settings().withSegmentBytes(100_000), new SimDisk(), executors);
    }
  }
}
