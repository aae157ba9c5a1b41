package io.peeklock.store;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import java.util.List;

/** What is before the first batch of a log, where no checkpoint is intact that says it. */
final class LogBeginning {
  private LogBeginning() {}

  /** The first batch that the log has; where it has none, the one behind the newest checkpoint. */
  static long firstIndex(StoreFolder folder, List<String> segments) {
    var checkpoints = folder.names(Kind.CHECKPOINT);
    if (segments.isEmpty()) {
      return checkpoints.isEmpty() ? 1 : StoreFolder.checkpointIndex(checkpoints.getLast()) + 1;
    }
    return StoreFolder.firstIndex(segments.getFirst());
  }

  /** A damaged checkpoint is harmless only where the log is there from its first batch. */
  static void judge(StoreFolder folder, long firstIndex, List<Finding> findings) {
    for (var name : folder.names(Kind.COLD)) {
      findings.add(
          new Finding(name, -1, "holds bodies, and no intact checkpoint says which", false));
    }
    if (firstIndex > 1) {
      findings.replaceAll(finding -> beforeTheLog(finding, firstIndex));
    }
  }

  private static Finding beforeTheLog(Finding finding, long firstIndex) {
    return StoreFolder.kindOf(finding.file()) != Kind.CHECKPOINT
        ? finding
        : new Finding(
            finding.file(),
            finding.offset(),
            finding.what() + ", and the log begins with batch " + firstIndex,
            false);
  }
}
