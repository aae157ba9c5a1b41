package io.peeklock.journal;

import io.peeklock.runtime.Batch;
import java.util.List;

/** A batch on its way to the disk. */
final class Entry {
  final Batch batch;
  final List<BodyRun> runs;
  final Segment segment;
  final int bodies;
  final int largeBodies;
  final long bodyBytes;

  /** Where in its segment the first body's checksum lies; known when the batch is durable. */
  long bodiesAt;

  Entry(Batch batch, List<BodyRun> runs, Segment segment) {
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
  long backlogBytes() {
    return bodyBytes + 64L * batch.facts().size();
  }
}
