package io.peeklock.journal;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** All of the log was read and is well, but files are gone that living bodies lie in. */
final class MissingSegmentsException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Map<String, Long> bodies;
  private final transient List<StoreChange> changes;

  MissingSegmentsException(
      Disk disk, long checkpoint, NavigableMap<String, Long> bodies, List<StoreChange> changes) {
    super(said(disk, checkpoint, bodies));
    this.bodies = bodies;
    this.changes = changes;
  }

  private static String said(Disk disk, long checkpoint, NavigableMap<String, Long> bodies) {
    var first = bodies.firstEntry();
    var others = bodies.size() - 1;
    return disk.describe(first.getKey())
        + " is missing, and the checkpoint of batch "
        + checkpoint
        + " says that "
        + first.getValue()
        + " bodies of messages lie in it"
        + (others == 0 ? "" : "; " + others + " more segments with messages are missing")
        + Recovery.WAY_OUT;
  }

  /** The files, and how many living bodies lie in each. */
  Map<String, Long> bodies() {
    return bodies;
  }

  /** What a start would change, were it not for this. */
  List<StoreChange> changes() {
    return changes;
  }
}
