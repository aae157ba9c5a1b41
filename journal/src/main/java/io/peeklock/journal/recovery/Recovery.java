package io.peeklock.journal.recovery;

import io.peeklock.journal.StoreChange;
import io.peeklock.journal.blocks.BodyRun;
import io.peeklock.journal.bodies.BodyStore;
import io.peeklock.journal.checkpoint.CheckpointFile;
import io.peeklock.journal.disk.Disk;
import io.peeklock.journal.large.LargeFiles;
import io.peeklock.journal.log.Frame;
import io.peeklock.journal.log.FrameReader;
import io.peeklock.journal.log.HighWater;
import io.peeklock.journal.log.Recovered;
import io.peeklock.journal.log.SegmentHead;
import io.peeklock.journal.segment.BodyLocations;
import io.peeklock.journal.segment.Segment;
import io.peeklock.runtime.Log;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the log from its oldest segment. The one question that matters is what a damaged frame
 * means. If anything intact, before or after it, shows that the log was durable beyond the previous
 * frame, then durable data is damaged: recovery refuses and changes nothing (I-11). Otherwise the
 * frame is the torn end of a group that was never reported as durable: it is cut off.
 *
 * <p>Sealed segments were synced before their successor was created, so damage there is never a
 * torn end. Their bodies are not read: each is verified when it is delivered.
 */
public final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final Disk disk;
  private final BodyStore bodies;
  private final LargeFiles largeFiles;
  private final Log.Replay replay;
  private final Set<Long> largeSeen = new HashSet<>();

  private String name = "";
  private @Nullable Segment open;
  private long openSalt;
  private long lastIndex;
  private long lastTerm;
  private long lastTimeMillis;
  private long watermark;
  private HighWater.@Nullable Mark mark;
  private long nextBodyId = 1;
  private boolean marked;
  private boolean started;
  private long checkpointIndex;
  private long bytesBehind;
  private String promisedBy = "";
  private final List<String> unbegun = new ArrayList<>(1);
  private StoreChange.@Nullable Cut torn;
  private String tornHow = "";

  /** A recovery that {@link #run} carries out, once. */
  public Recovery(Disk disk, BodyStore bodies, LargeFiles largeFiles, Log.Replay replay) {
    this.disk = disk;
    this.bodies = bodies;
    this.largeFiles = largeFiles;
    this.replay = replay;
  }

  /** Replays everything that is durable, and makes it durable again. */
  public Recovered run() throws IOException {
    mark = HighWater.read(disk);
    warnOfADamagedMark();
    var names = new ArrayList<>(disk.list("").stream().filter(Segment::isName).toList());
    dropUnbegun(names);
    var checkpoints = new CheckpointRecovery(disk, bodies, largeFiles, replay, largeSeen);
    var larges = new LargeRecovery(disk);
    var first = restore(checkpoints, names);
    for (var i = first; i < names.size(); i++) {
      name = names.get(i);
      try (var reader = new FrameReader(disk.open(name), disk.describe(name))) {
        readSegment(reader, i == names.size() - 1);
        reader.file().sync();
      }
    }
    refuseIfTheMarkIsAhead();
    replay.ended();
    checkpoints.refuseIfSegmentsAreMissing(changes());
    larges.refuseUnlessWhole(bodies.livingLarges(), changes());
    missTheMark();
    // Nothing was changed so far, and nothing that was found is refused after this.
    cutTheTorn();
    for (var empty : unbegun) {
      LOG.warn("{} was begun and holds no batch; it is removed", disk.describe(empty));
      disk.delete(empty);
    }
    var kept = checkpoints.tidy();
    disk.syncFolder("");
    larges.keepOnly(largeSeen);
    return new Recovered(
        open,
        openSalt,
        lastIndex,
        lastTerm,
        lastTimeMillis,
        watermark,
        nextBodyId,
        kept,
        bytesBehind);
  }

  private void warnOfADamagedMark() throws IOException {
    if (mark == null && disk.exists(HighWater.NAME)) {
      LOG.warn(
          "{} is damaged; up to where the log was durable is known from the log alone",
          disk.describe(HighWater.NAME));
    }
  }

  /**
   * Refuses when the high-water mark is missing although the log had one. Whatever removed it may
   * have removed the end of the log too, which nothing else would show.
   */
  private void missTheMark() throws IOException {
    if (open == null || disk.exists(HighWater.NAME)) {
      return;
    }
    if (marked) {
      throw MissingFilesException.ofTheMark(disk, lastIndex, changes());
    }
    LOG.info(
        "{} is not there: a version without it wrote this log, and up to where it was durable is"
            + " known from the log alone; it is made now",
        disk.describe(HighWater.NAME));
  }

  /**
   * Refuses when the high-water mark is ahead of the log, after all of it was read and found
   * intact.
   */
  private void refuseIfTheMarkIsAhead() throws IOException {
    if (mark != null && mark.index() > lastIndex) {
      name = Segment.nameOf(mark.segment());
      throw damaged(0, "the file is missing" + lost(lastIndex, mark.index(), -1));
    }
  }

  /**
   * Restores the newest checkpoint, if there is one. Segments that it covers are added but not
   * read.
   *
   * @return the place of the first segment to read
   */
  private int restore(CheckpointRecovery checkpoints, List<String> names) throws IOException {
    checkpointIndex = checkpoints.find();
    if (checkpointIndex == 0) {
      checkpoints.refuseUnlessTheLogSuffices(
          names.isEmpty() ? 1 : Segment.firstIndexIn(names.get(0)));
      return 0;
    }
    var first = names.size() - 1;
    while (first >= 0 && Segment.firstIndexIn(names.get(first)) > checkpointIndex + 1) {
      first--;
    }
    if (first < 0) {
      throw new IOException(
          disk.describe(CheckpointFile.nameOf(checkpointIndex))
              + " covers the log up to batch "
              + checkpointIndex
              + ", and the log behind it is missing"
              + DamagedLog.WAY_OUT);
    }
    var covered = new CoveredSegments(disk);
    for (var i = 0; i <= first; i++) {
      name = names.get(i);
      try (var reader = new FrameReader(disk.open(name), disk.describe(name))) {
        var head = known(reader);
        covered.meet(name, head);
        if (i < first) {
          covered.add(name, head, reader);
        }
      }
    }
    checkpoints.restore(checkpointIndex);
    covered.meet(checkpoints.firstIndexes());
    marked = covered.isMarked();
    watermark = Math.max(watermark, checkpointIndex);
    started = true;
    return first;
  }

  /** Adds a segment whose frames, or the first of them, the checkpoint covers. */
  private SegmentHead known(FrameReader reader) throws IOException {
    var head = headIn(reader);
    var segment = new Segment(head.number(), head.firstIndex(), head.firstBodyId());
    segment.bytes = reader.size();
    lastTerm = Math.max(lastTerm, head.term());
    nextBodyId = Math.max(nextBodyId, head.firstBodyId());
    bodies.recovered(segment);
    return head;
  }

  /**
   * Skips a last segment without an intact frame, which is removed once everything else is well.
   * Its existence shows that everything before it is durable.
   */
  private void dropUnbegun(List<String> names) throws IOException {
    while (!names.isEmpty()) {
      name = names.get(names.size() - 1);
      try (var reader = new FrameReader(disk.open(name), disk.describe(name))) {
        if (!isUnbegun(reader)) {
          return;
        }
      }
      watermark = Math.max(watermark, Segment.firstIndexIn(name) - 1);
      promisedBy = name;
      unbegun.add(names.remove(names.size() - 1));
    }
  }

  private boolean isUnbegun(FrameReader reader) throws IOException {
    if (!reader.has(0, SegmentHead.BYTES + 1L)) {
      refuseIfDurable(0, Segment.firstIndexIn(name) - 1, watermark);
      return true;
    }
    var head = reader.head();
    if (head == null) {
      throw damaged(0, "the segment's head fails its checksum");
    }
    var first = reader.frameAt(SegmentHead.BYTES, head.salt());
    if (first != null && reader.damageOf(first, SegmentHead.BYTES, true) == null) {
      return false;
    }
    refuseIfDurable(
        SegmentHead.BYTES,
        head.predecessor(),
        Math.max(watermark, reader.highestBehind(SegmentHead.BYTES, head.salt())));
    return true;
  }

  private void refuseIfDurable(long offset, long intactIndex, long promised) throws IOException {
    var durable = mark == null ? promised : Math.max(promised, mark.index());
    if (durable > intactIndex) {
      throw damaged(offset, "the log ends here" + lost(intactIndex, durable, offset));
    }
  }

  /**
   * The sentence about a loss.
   *
   * @param offset the offset at which the log ends in the segment of this name; negative when the
   *     segment is missing
   */
  private String lost(long intactIndex, long durable, long offset) {
    var what = "; it is intact up to batch " + intactIndex + ", " + durable + " was durable";
    if (mark == null || mark.index() < durable) {
      return what + saidByAName(durable);
    }
    var isHere = offset >= 0 && Segment.nameOf(mark.segment()).equals(name);
    return what
        + " as "
        + HighWater.NAME
        + " says"
        + (isHere
            ? ": about " + (mark.offset() - offset) + " bytes are lost"
            : ": the log went on up to offset "
                + mark.offset()
                + " of "
                + Segment.nameOf(mark.segment()));
  }

  /** The sentence about a segment without a batch, whose name shows what was durable before it. */
  private String saidByAName(long durable) {
    return promisedBy.isEmpty() || Segment.firstIndexIn(promisedBy) - 1 != durable
        ? ""
        : " as the name of "
            + disk.describe(promisedBy)
            + " says, which holds no batch; if that file is none of this log's, take it away";
  }

  private SegmentHead headIn(FrameReader reader) throws IOException {
    var head = reader.head();
    if (head == null) {
      throw damaged(0, "the segment's head is damaged");
    }
    if (head.firstIndex() != Segment.firstIndexIn(name)) {
      throw damaged(0, "the head belongs to a file of another name");
    }
    return head;
  }

  private void readSegment(FrameReader reader, boolean last) throws IOException {
    var head = headIn(reader);
    var known = bodies.segments().numbered(head.number());
    var segment =
        known == null ? new Segment(head.number(), head.firstIndex(), head.firstBodyId()) : known;
    var before = open;
    if (before != null && (head.predecessor() != lastIndex || head.number() != before.number + 1)) {
      throw damaged(
          0,
          "the log before it ends at batch "
              + lastIndex
              + ", it was begun after batch "
              + head.predecessor()
              + "; a part of the log is missing");
    }
    watermark = Math.max(watermark, head.predecessor());
    lastTerm = Math.max(lastTerm, head.term());
    lastIndex = head.predecessor();
    nextBodyId = Math.max(nextBodyId, head.firstBodyId());
    open = segment;
    openSalt = head.salt();
    if (known == null) {
      bodies.recovered(segment);
    }
    segment.bytes = readFrames(reader, segment, last);
    bytesBehind += segment.bytes;
  }

  private long readFrames(FrameReader reader, Segment segment, boolean last) throws IOException {
    var offset = (long) SegmentHead.BYTES;
    while (offset < reader.size()) {
      var frame = reader.frameAt(offset, openSalt);
      var damage = frame == null ? FrameReader.NO_FRAME : reader.damageOf(frame, offset, last);
      if (frame == null || damage != null) {
        cutOrRefuse(reader, offset, damage == null ? "" : damage, last);
        return offset;
      }
      take(reader, frame, offset, segment);
      offset += frame.bytes();
    }
    if (last) {
      refuseIfDurable(offset, lastIndex, watermark);
    }
    return offset;
  }

  private void cutOrRefuse(FrameReader reader, long offset, String damage, boolean last)
      throws IOException {
    if (!last) {
      throw damaged(offset, damage + ", and a later segment says that it was durable");
    }
    var promised = Math.max(watermark, reader.highestBehind(offset, openSalt));
    var durable = mark == null ? promised : Math.max(promised, mark.index());
    if (durable > lastIndex) {
      throw damaged(offset, damage + lost(lastIndex, durable, offset));
    }
    torn = new StoreChange.Cut(name, offset, reader.size() - offset);
    tornHow = damage;
  }

  private List<StoreChange> changes() {
    var changes = new ArrayList<StoreChange>();
    unbegun.forEach(empty -> changes.add(new StoreChange.Removed(empty)));
    if (torn != null) {
      changes.add(torn);
    }
    return changes;
  }

  private void cutTheTorn() throws IOException {
    var cut = torn;
    if (cut != null) {
      LOG.warn(
          "{} is cut at offset {}, {} bytes go: a batch was torn before it was durable ({})",
          disk.describe(cut.file()),
          cut.offset(),
          cut.bytes(),
          tornHow);
      try (var file = disk.open(cut.file())) {
        file.truncate(cut.offset());
        file.sync();
      }
    }
  }

  private void take(FrameReader reader, Frame frame, long offset, Segment segment)
      throws IOException {
    watermark = Math.max(watermark, frame.durable());
    lastTerm = Math.max(lastTerm, frame.term());
    marked |= frame.isMarked();
    if (frame.isWatermark()) {
      if (frame.index() != lastIndex) {
        throw damaged(offset, "batch " + frame.index() + " was durable, the log has " + lastIndex);
      }
      return;
    }
    if (frame.predecessor() != lastIndex || frame.index() != lastIndex + 1) {
      throw damaged(
          offset, "batch " + frame.index() + " follows batch " + lastIndex + "; some are missing");
    }
    if (!started && frame.predecessor() > 0) {
      throw damaged(offset, "the log begins here, but the beginning is missing");
    }
    started = true;
    lastIndex = frame.index();
    lastTimeMillis = frame.timeMillis();
    nextBodyId = Math.max(nextBodyId, frame.firstBodyId() + frame.bodies());
    if (frame.index() <= checkpointIndex) {
      return; // the checkpoint has it
    }
    var head = reader.headOf(frame, offset);
    takeBodies(frame, head, offset + frame.headBytes(), segment);
    replay.batch(
        frame.index(), frame.predecessor(), frame.timeMillis(), reader.facts(frame, head, offset));
  }

  private void takeBodies(Frame frame, ByteBuffer head, long bodiesAt, Segment segment)
      throws IOException {
    var table = Frame.BYTES + frame.factsBytes();
    var large = table + 4 * frame.bodies();
    var offset = bodiesAt;
    for (var i = 0; i < frame.bodies(); i++) {
      var bodyId = frame.firstBodyId() + i;
      var length = head.getInt(table + 4 * i);
      if (length == Frame.LARGE) {
        var fileId = head.getLong(large);
        largeSeen.add(fileId);
        bodies.recovered(
            bodyId,
            largeFiles.known(fileId, head.getLong(large + 8), head.getInt(large + 16)),
            segment);
        large += Frame.LARGE_BYTES;
      } else {
        bodies.recovered(bodyId, BodyLocations.at(offset, length), segment);
        offset += BodyRun.CHECK_BYTES + length;
      }
    }
  }

  private IOException damaged(long offset, String what) {
    return DamagedLog.at(disk, name, offset, what);
  }
}
