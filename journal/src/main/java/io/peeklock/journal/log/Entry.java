package io.peeklock.journal.log;

import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.segment.Segment;
import io.peeklock.runtime.Batch;
import java.util.List;

/** A batch on its way to the disk. */
public final class Entry {
  public final Batch batch;
  public final List<BodyRun> runs;
  public final Segment segment;
  public final int bodies;
  public final int largeBodies;
  public final long bodyBytes;

  /** The offset in its segment of the first body's checksum; set when the batch is durable. */
  public long bodiesAt;

  /** A batch for this segment, with the runs of its bodies. */
  public Entry(Batch batch, List<BodyRun> runs, Segment segment) {
    this.batch = batch;
    this.runs = runs;
    this.segment = segment;
    var all = 0;
    var large = 0;
    var bytes = 0L;
    for (var run : runs) {
      for (var i = 0; i < run.count(); i++) {
        if (run.length(i) == BodyRun.LARGE) {
          large++;
        } else {
          bytes += BodyRun.CHECK_BYTES + run.length(i);
        }
      }
      all += run.count();
    }
    this.bodies = all;
    this.largeBodies = large;
    this.bodyBytes = bytes;
  }

  /** What it counts for while it is on its way. */
  public long backlogBytes() {
    return bodyBytes + 64L * batch.facts().size();
  }
}
