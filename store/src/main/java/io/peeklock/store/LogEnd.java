package io.peeklock.store;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.scan.LoggedBatch;
import java.io.IOException;
import java.util.List;

/** What a damaged folder says of the end of its log: whether what is there is all. */
final class LogEnd {
  private long promised;
  private boolean damaged;
  private boolean marked;
  private boolean unknown;
  private long lostBatches;
  private long lostBytes;

  /** A batch is there, and what is damaged before it is no end. */
  void goesOn(LoggedBatch batch) {
    damaged = false;
    marked |= batch.marked();
  }

  /** All up to an index was durable. */
  void promised(long index) {
    promised = Math.max(promised, index);
  }

  /** Damage, behind which there may be something. */
  void damaged() {
    damaged = true;
  }

  /** All was read: what is lost behind the last batch that is there. */
  void judge(StoreFolder folder, long lastIndex, List<Finding> findings) throws IOException {
    var mark = folder.promised();
    if (mark != null && mark.index() > lastIndex) {
      promised(mark.index());
      lostBytes = mark.offset(); // at most, where no other segment is gone
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

  /** How many batches are lost at the end, at least. */
  long lostBatches() {
    return lostBatches;
  }

  /** How many bytes these had, as far as it is known. */
  long lostBytes() {
    return lostBytes;
  }

  /** Whether nobody knows if something is lost there: the file that would say so is gone. */
  boolean isUnknown() {
    return unknown;
  }
}
