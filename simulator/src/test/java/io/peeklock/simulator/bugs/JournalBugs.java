package io.peeklock.simulator.bugs;

import io.peeklock.simulator.bugs.SeededBug.Kind;
import java.util.List;

/** Bugs of the log, its checkpoints, its recovery and its bodies. */
final class JournalBugs {
  private static final String LOG_WRITER = "journal.log.LogWriter";
  private static final String RECOVERY = "journal.recovery.Recovery";
  private static final String LARGE_WRITER = "journal.large.LargeWriter";
  private static final String CHECKPOINT_WRITER = "journal.checkpoint.CheckpointWriter";

  static final List<SeededBug> ALL =
      List.of(
          SeededBug.of("answered before the log is synced", "I-01", Kind.DURABILITY)
              .in(
                  LOG_WRITER,
                  "file.sync(); meter.synced(groupBytes, executors.nanoTime() - before);",
                  """
                  var late = file;
                  executors.log(
                      () -> {
                        try {
                          late.sync();
                        } catch (IOException failure) {
                          if (late == file) {
                            outcome.failed(failure);
                          }
                        }
                      });
                  meter.synced(groupBytes, executors.nanoTime() - before);
                  """),
          SeededBug.of("every second group is not synced", "I-01", Kind.DURABILITY)
              .in(
                  LOG_WRITER,
                  "file.sync(); meter.synced(groupBytes",
                  "if (groups % 2 == 0) { file.sync(); } meter.synced(groupBytes"),
          SeededBug.of("the folder of a new segment is not synced", "I-01", Kind.DURABILITY)
              .in(
                  LOG_WRITER,
                  "disk.syncFolder(\"\"); position = SegmentHead.BYTES;",
                  "position = SegmentHead.BYTES;"),
          SeededBug.of("a failed sync is tried again", "I-10", Kind.DURABILITY)
              .in(
                  LOG_WRITER,
                  "file.sync(); meter.synced(groupBytes",
                  "try { file.sync(); } catch (IOException failed) { file.sync(); }"
                      + " meter.synced(groupBytes"),
          SeededBug.of("a failed write is not told", "I-10", Kind.DURABILITY)
              .in(
                  LOG_WRITER,
                  "if (pieceCount > 0 && file != null) { file.append(pieces, pieceCount); }",
                  """
                  if (pieceCount > 0 && file != null) {
                    try {
                      file.append(pieces, pieceCount);
                    } catch (IOException failed) {
                      LOG.warn("A write failed: {}", failed.getMessage());
                    }
                  }
                  """),
          SeededBug.of("the mark is ahead of the sync", "I-11", Kind.DAMAGE)
              .in(
                  LOG_WRITER,
                  "flush(); encoder.clear(); var before = executors.nanoTime(); file.sync();",
                  """
                  flush();
                  encoder.clear();
                  highWater.durable(term, writtenIndex, open, position);
                  highWater.quiet();
                  var before = executors.nanoTime();
                  file.sync();
                  """),
          SeededBug.of("frames say more is durable than is", "I-11", Kind.DAMAGE)
              .in(
                  LOG_WRITER,
                  "var head = encoder.headOf(entry, salt, durableIndex);",
                  "var head = encoder.headOf(entry, salt, writtenIndex);"),
          SeededBug.of("a large body is not synced", "I-01", Kind.DURABILITY)
              .in(
                  LARGE_WRITER,
                  "whole.append(new ByteBuffer[] {table}, 1); whole.sync();",
                  "whole.append(new ByteBuffer[] {table}, 1);"),
          SeededBug.of("the folder of large bodies is not synced", "I-01", Kind.DURABILITY)
              .in(
                  LARGE_WRITER,
                  "disk.syncFolder(LargeFormat.FOLDER); return new FileLarge(",
                  "return new FileLarge("),
          SeededBug.of("a checkpoint gets its name unsynced", "I-11", Kind.DURABILITY)
              .in(CHECKPOINT_WRITER, "written.sync(); written.close();", "written.close();"),
          SeededBug.of("a checkpoint does not wait for what it covers", "I-01", Kind.RECOVERY)
              .in(
                  CHECKPOINT_WRITER,
                  "waits = bodies.settledIndex() < index || inFlight >= PARTS_IN_FLIGHT;",
                  "waits = inFlight >= PARTS_IN_FLIGHT;"),
          SeededBug.of("a cold segment is not synced", "I-01", Kind.DURABILITY)
              .in("journal.compaction.ColdWriter", "written.sync(); closeAll();", "closeAll();"),
          SeededBug.of("the last batch is taken for torn", "silent log cut", Kind.DAMAGE)
              .in(
                  RECOVERY,
                  "if (frame == null || damage != null) { cutOrRefuse(",
                  """
                  if (last && frame != null && offset + frame.bytes() == reader.size()
                      && frame.index() > frame.durable() + 1) {
                    torn = new StoreChange.Cut(name, offset, reader.size() - offset);
                    return offset;
                  }
                  if (frame == null || damage != null) { cutOrRefuse(
                  """),
          SeededBug.of("a torn end stays in the file", "I-11", Kind.RECOVERY)
              .in(RECOVERY, "file.truncate(cut.offset()); file.sync();", "file.sync();"),
          SeededBug.of("torn facts are taken", "I-11", Kind.DAMAGE)
              .in(
                  "journal.log.FrameReader",
                  "if (head.getInt(checked) != Frame.checkOf(check, head, 0, checked)) {",
                  "if (head.getInt(checked) == 0x7fffffff) {"),
          SeededBug.of("torn bodies are taken", "I-11", Kind.DAMAGE)
              .in(
                  RECOVERY,
                  "reader.damageOf(frame, offset, last);",
                  "reader.damageOf(frame, offset, false);"),
          SeededBug.of("what is recovered is not synced again", "I-01", Kind.DURABILITY)
              .in(
                  RECOVERY,
                  "i == names.size() - 1); reader.file().sync();",
                  "i == names.size() - 1);"),
          SeededBug.of("a file is read while it is removed", "I-01", Kind.SPACE)
              .in("journal.bodies.Fetches", "begun.file.pins++; reading = true;", "reading = true;")
              .in(
                  "journal.bodies.Fetches",
                  "file.pins--; ahead.read(run.firstBodyId()",
                  "ahead.read(run.firstBodyId()")
              .in(
                  "journal.bodies.Fetches",
                  "file.pins--; if (fetch == null) {",
                  "if (fetch == null) {")
              .in("journal.bodies.Fetches", "file.pins++; fetch.pinned.add(file);", ""),
          SeededBug.of("after a failed read none begins", "case 3 as it was", Kind.LIVENESS)
              .in(
                  "journal.bodies.Fetches",
                  "failOn(fetch, bodyId, cause); } readNext();",
                  "failOn(fetch, bodyId, cause); }"));

  private JournalBugs() {}
}
