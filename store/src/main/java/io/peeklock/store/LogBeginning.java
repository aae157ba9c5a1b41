package io.peeklock.store;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import java.util.List;

/**
 * The beginning of a log: whether state before its first batch is lost, because no checkpoint is
 * intact.
 */
final class LogBeginning {
  private LogBeginning() {}

  /** The first batch of the log; without any, the one after the newest checkpoint. */
  static long firstIndex(StoreFolder folder, List<String> segments) {
    var checkpoints = folder.names(Kind.CHECKPOINT);
    if (segments.isEmpty()) {
      return checkpoints.isEmpty() ? 1 : StoreFolder.checkpointIndex(checkpoints.getLast()) + 1;
    }
    return StoreFolder.firstIndex(segments.getFirst());
  }

  /**
   * Without an intact checkpoint: reports cold segments, whose bodies nothing names, and marks
   * damaged checkpoints as harmful unless the log has its first batch.
   */
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
