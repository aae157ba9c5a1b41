package io.peeklock.journal.large;

import io.peeklock.journal.CommitNotifier;
import io.peeklock.journal.JournalExecutors;
import io.peeklock.journal.blocks.BlockPool;
import io.peeklock.journal.blocks.LargeStaging;
import io.peeklock.journal.blocks.StagingBudget;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.disk.DiskSpace;
import io.peeklock.runtime.LargeBody;
import java.io.IOException;
import java.util.function.LongSupplier;

/** Manages large bodies in their own files. Also removes segments, which can take time too. */
public final class LargeFiles implements LargeStaging, FileLarge.Storage {
  private final Disk disk;
  private final JournalExecutors executors;
  private final BlockPool pool;
  private final CommitNotifier outcome;
  private final StagingBudget onDisk;
  private final StagingBudget inMemory;
  private final DiskSpace space;
  private final LongSupplier fileIds;

  /**
   * Stages and stores large bodies on this disk.
   *
   * @param onDisk the budget of staged bytes on disk
   * @param inMemory the budget of pieces in memory
   * @param fileIds gives new file ids
   */
  public LargeFiles(
      Disk disk,
      JournalExecutors executors,
      BlockPool pool,
      CommitNotifier outcome,
      StagingBudget onDisk,
      StagingBudget inMemory,
      DiskSpace space,
      LongSupplier fileIds) {
    this.disk = disk;
    this.executors = executors;
    this.pool = pool;
    this.outcome = outcome;
    this.onDisk = onDisk;
    this.inMemory = inMemory;
    this.space = space;
    this.fileIds = fileIds;
  }

  @Override
  public LargeBody.Writer open(long maxBytes) {
    return new LargeWriter(
        this, fileIds, disk, executors, pool, outcome, onDisk, inMemory, space, maxBytes);
  }

  @Override
  public long mostBytes() {
    return onDisk.boundBytes();
  }

  /** A body that the log names and holds. */
  public FileLarge known(long fileId, long length, int tableCheck) {
    return new FileLarge(this, fileId, length, tableCheck, new int[0], false);
  }

  @Override
  public void unstaged(long bytes) {
    onDisk.giveBack(bytes);
  }

  @Override
  public void remove(long fileId) {
    remove(LargeFormat.nameOf(fileId), LargeFormat.FOLDER);
  }

  /** Removes a segment's file. */
  public void removeSegment(String name) {
    remove(name, "");
  }

  /** Removes files in order, each durably before the next, so that a crash leaves no gap. */
  private void remove(String name, String folder) {
    executors.files(
        () -> {
          if (outcome.ended()) {
            return;
          }
          try {
            disk.delete(name);
            disk.syncFolder(folder);
          } catch (IOException failure) {
            outcome.failed(failure);
          } catch (RuntimeException | Error broken) {
            outcome.failed(new IOException(name + " could not be removed: " + broken, broken));
          }
        });
  }

  @Override
  public LargeBody reader(FileLarge body) {
    return new LargeReader(body, disk, executors, pool);
  }
}
