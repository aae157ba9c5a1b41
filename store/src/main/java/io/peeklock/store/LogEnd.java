package io.peeklock.store;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.scan.LoggedBatch;
import java.io.IOException;
import java.util.List;

/** Whether a damaged folder has the end of its log. */
final class LogEnd {
  private long promised;
  private boolean damaged;
  private boolean marked;
  private boolean unknown;
  private long lostBatches;
  private long lostBytes;

  /** Notes a batch, so that damage before it is not the end. */
  void goesOn(LoggedBatch batch) {
    damaged = false;
    marked |= batch.marked();
  }

  /** Notes that everything up to this index was durable. */
  void promised(long index) {
    promised = Math.max(promised, index);
  }

  /** Notes damage, after which there may be batches. */
  void damaged() {
    damaged = true;
  }

  /** Judges, after everything was read, what is lost after the last batch. */
  void judge(StoreFolder folder, long lastIndex, List<Finding> findings) throws IOException {
    var mark = folder.promised();
    if (mark != null && mark.index() > lastIndex) {
      promised(mark.index());
      lostBytes = mark.offset(); // at most, if no other segment is missing
      findings.add(Finding.endsTooEarly(folder, mark, lastIndex));
    }
    if (damaged || promised > lastIndex) {
      lostBatches = Math.max(1, promised - lastIndex);
    }
    unknown = marked && !folder.has(StoreFolder.HIGH_WATER);
    if (unknown) {
      findings.add(Finding.lacksTheMark(true));
    }
  }

  /** The least number of batches that are lost at the end. */
  long lostBatches() {
    return lostBatches;
  }

  /** The bytes of these, as far as they are known. */
  long lostBytes() {
    return lostBytes;
  }

  /** Whether it is unknown if something is lost, as the high-water mark is missing. */
  boolean isUnknown() {
    return unknown;
  }
}
