package io.peeklock.store;

import io.peeklock.journal.StoreChange;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.checkpoint.SegmentTable;
import io.peeklock.journal.inspection.DryRunRecovery;
import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import io.peeklock.journal.scan.LargeScan;
import io.peeklock.journal.scan.LoggedBatch;
import io.peeklock.journal.scan.SegmentScan;
import io.peeklock.kernel.fact.Fact;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads everything in a folder: every frame with its facts, every body, every checkpoint with the
 * bodies that it names in cold segments, every large body. Then it tries a start without changing
 * anything, so that a torn end is judged as a start judges it.
 */
final class Verification {
  private final StoreFolder folder;
  private final Progress progress;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<Long, CheckpointReader.Large> larges = new HashMap<>();
  private final TreeMap<String, CheckpointReader.Cold> colds = new TreeMap<>();
  private final ColdBodies coldBodies;
  private final SegmentEnds ends = new SegmentEnds();
  private final Map<Finding, Long> damagedAt = new HashMap<>();
  private final List<String> passedOver = new ArrayList<>();
  private int intactCheckpoints;
  private long bytes;
  private long lastBatch;
  private boolean marked;
  private long batches;
  private long bodies;

  private Verification(StoreFolder folder, Progress progress) {
    this.folder = folder;
    this.progress = progress;
    this.coldBodies = new ColdBodies(folder);
  }

  /**
   * What came of it.
   *
   * @param findings in order of the files
   * @param passedOver names of files that are not the journal's
   */
  record Result(
      List<Finding> findings,
      List<String> passedOver,
      DryRunRecovery dryRun,
      int files,
      long bytes,
      long batches,
      long bodies) {

    boolean isWell() {
      return dryRun.refusal() == null && findings.stream().allMatch(Finding::harmless);
    }
  }

  /** The bytes that will be read. */
  static long bytesIn(StoreFolder folder) throws IOException {
    var sum = 0L;
    for (var name : folder.names()) {
      sum += isRead(name) ? folder.bytes(name) : 0;
    }
    return sum;
  }

  private static boolean isRead(String name) {
    return switch (StoreFolder.kindOf(name)) {
      case SEGMENT, CHECKPOINT, COLD, LARGE_BODY, HIGH_WATER -> true;
      case FORMAT, LOCK, BALLAST, UNFINISHED, SET_ASIDE, OTHER -> false;
    };
  }

  static Result of(StoreFolder folder, Progress progress) throws IOException {
    return new Verification(folder, progress).run();
  }

  private Result run() throws IOException {
    var files = 0;
    for (var name : folder.names(Kind.SEGMENT)) {
      segment(name);
      files++;
    }
    var checkpoints = folder.names(Kind.CHECKPOINT);
    for (var i = checkpoints.size() - 1; i >= 0; i--) {
      checkpoint(checkpoints.get(i));
      files++;
    }
    onlyOne(checkpoints);
    for (var name : folder.names(Kind.COLD)) {
      cold(name);
      files++;
    }
    coldBodies.close();
    for (var file : colds.keySet()) {
      if (!folder.has(file)) {
        found(file, -1, "is missing, and a checkpoint names it");
      }
    }
    for (var name : folder.names(Kind.LARGE_BODY)) {
      largeBody(name);
      files++;
    }
    if (folder.has(StoreFolder.HIGH_WATER)) {
      promise(StoreFolder.HIGH_WATER);
      files++;
    } else if (batches > 0) {
      findings.add(Finding.lacksTheMark(marked));
    }
    for (var name : folder.names()) {
      note(name);
    }
    ends.judge(findings::add);
    progress.end();
    var dryRun = folder.dryRun();
    judge(dryRun);
    return new Result(
        List.copyOf(findings), List.copyOf(passedOver), dryRun, files, bytes, batches, bodies);
  }

  /** Reports a single checkpoint: whether another existed is unknown, but there should be two. */
  private void onlyOne(List<String> checkpoints) {
    var segments = folder.names(Kind.SEGMENT);
    var isExplained = !folder.names(Kind.SET_ASIDE).isEmpty();
    if (checkpoints.size() == 1 && !segments.isEmpty() && !isExplained) {
      var first = StoreFolder.firstIndex(segments.getFirst());
      if (first > 1) {
        findings.add(Finding.onlyCheckpoint(checkpoints.getFirst(), first));
      }
    }
  }

  private void seen(long count) {
    bytes += count;
    progress.add(count);
  }

  private void found(String name, long offset, String what) {
    findings.add(new Finding(name, offset, what, false));
  }

  private void damaged(long bodyId, String file, long offset) {
    var finding = new Finding(file, offset, "body " + bodyId + " fails its checksum", false);
    findings.add(finding);
    damagedAt.put(finding, bodyId);
  }

  private void segment(String name) throws IOException {
    try (var scan = folder.segment(name)) {
      var segment = new Segment(name);
      scan.run(true, segment, this::seen);
      segment.end(scan.bytes());
    }
  }

  /** Follows the batches of one segment. */
  private final class Segment implements SegmentScan.Visitor {
    private final String name;
    private long number = -1;
    private long before = -1;

    Segment(String name) {
      this.name = name;
    }

    @Override
    public void head(long itsNumber, long predecessor) {
      number = itsNumber;
      ends.begins(name, itsNumber, predecessor);
    }

    void end(long offset) {
      if (number >= 0 && before >= 0) {
        ends.ends(name, number, offset, before);
      }
    }

    @Override
    public void batch(LoggedBatch batch) {
      if (before >= 0 && batch.predecessor() != before) {
        found(
            name,
            batch.offset(),
            "batch " + batch.index() + " follows batch " + before + "; some are missing");
      }
      before = batch.index();
      lastBatch = Math.max(lastBatch, batch.index());
      batches++;
      marked |= batch.marked();
      bodies += batch.lengths().length;
      batch.larges().forEach(large -> larges.put(large.fileId(), large));
      for (var id : batch.damagedBodies()) {
        damaged(id, name, batch.places()[(int) (id - batch.firstBodyId())]);
      }
    }

    @Override
    public void watermark(long offset, long index) {
      if (before >= 0 && index != before) {
        found(name, offset, "batch " + index + " was durable, the segment has " + before);
      }
    }

    @Override
    public void damage(long offset, long length, String what) {
      found(name, offset, what + " (" + length + " bytes)");
      before = -1; // the next batch is judged on its own
    }
  }

  private void checkpoint(String name) throws IOException {
    try (var reader = folder.checkpoint(name)) {
      var damage = reader.damage();
      if (damage == null) {
        reader.read(new Named(StoreFolder.checkpointIndex(name)));
        intactCheckpoints++;
      } else {
        found(name, -1, damage);
      }
    }
    seen(folder.bytes(name));
  }

  /**
   * Follows what a checkpoint names: large bodies, and bodies in cold segments, which only it
   * knows.
   */
  private final class Named implements CheckpointReader.Content {
    private final Map<Integer, String> cold = new HashMap<>();
    private final long index;

    Named(long index) {
      this.index = index;
    }

    @Override
    public void segments(long[] table) {
      ends.checkpoint(new SegmentTable(table), index); // the dry run says which must be there
    }

    @Override
    public void cold(long[] table) {
      for (var named : CheckpointReader.Cold.in(table)) {
        cold.put(named.slot(), named.file());
        colds.putIfAbsent(named.file(), named);
      }
    }

    @Override
    public void part(List<Fact> facts, long[] places, List<CheckpointReader.Large> named)
        throws IOException {
      named.forEach(large -> larges.put(large.fileId(), large));
      var ids = CheckpointReader.bodiesIn(facts);
      for (var i = 0; i < ids.length; i++) {
        if (places[i] != CheckpointReader.LARGE && CheckpointReader.isCold(places[i])) {
          var file = cold.get(CheckpointReader.slot(places[i]));
          if (file != null) {
            coldBody(ids[i], file, places[i]);
          }
        }
      }
    }
  }

  private void coldBody(long id, String file, long place) throws IOException {
    if (coldBodies.isKnown(id, file, place)) {
      return; // the newer checkpoint names the same
    }
    bodies++;
    seen(CheckpointReader.length(place));
    if (!coldBodies.isIntact(id, file, place)) {
      damaged(id, file, CheckpointReader.offset(place));
    }
  }

  private void cold(String name) throws IOException {
    var named = colds.get(name);
    try (var scan = folder.cold(name)) {
      var damage = scan.damage(named);
      if (damage != null) {
        found(name, damage.offset(), damage.what());
      }
    }
    if (named == null && intactCheckpoints > 0) {
      findings.add(
          new Finding(
              name, -1, "no checkpoint names it; it goes when the next two were made", true));
    }
  }

  private void largeBody(String name) throws IOException {
    var expected = larges.get(LargeScan.fileIdIn(name));
    try (var scan = folder.largeBody(name)) {
      var damage = scan.damage(expected, this::seen);
      if (expected == null) {
        findings.add(new Finding(name, -1, "no batch names it; the next start removes it", true));
      } else if (damage != null) {
        found(name, -1, damage);
      }
    }
  }

  /** Checks that the log does not end before the high-water mark. */
  private void promise(String name) throws IOException {
    var promised = folder.promised();
    if (promised == null) {
      found(name, -1, "no mark in it is intact; the next start makes it anew");
    } else if (promised.index() > lastBatch) {
      findings.add(Finding.endsTooEarly(folder, promised, lastBatch));
    }
    seen(folder.bytes(name));
  }

  private void note(String name) {
    switch (StoreFolder.kindOf(name)) {
      case UNFINISHED ->
          findings.add(new Finding(name, -1, "was being written; the next start removes it", true));
      case SET_ASIDE ->
          findings.add(
              new Finding(name, -1, "was found damaged and set aside; nothing reads it", true));
      case OTHER -> passedOver.add(name);
      case FORMAT, HIGH_WATER, LOCK, BALLAST, SEGMENT, CHECKPOINT, COLD, LARGE_BODY -> {}
    }
  }

  private void judge(DryRunRecovery dryRun) {
    if (!dryRun.isRead()) {
      return;
    }
    dryRun
        .gone()
        .forEach(
            (file, count) ->
                found(file, -1, "is missing, and " + count + " bodies of messages lie in it"));
    for (var change : dryRun.changes()) {
      switch (change) {
        case StoreChange.Cut cut -> torn(cut);
        case StoreChange.Removed removed -> unbegun(removed);
        case StoreChange.SetAside ignored -> {}
      }
    }
    var living = dryRun.living(new HashSet<>(damagedAt.values()));
    findings.replaceAll(
        finding -> {
          var id = damagedAt.get(finding);
          return id == null || living.contains(id)
              ? finding
              : new Finding(
                  finding.file(),
                  finding.offset(),
                  finding.what() + ", and no message has it any more",
                  false);
        });
    for (var missing : dryRun.missing()) {
      var file = missing.file();
      found(
          file == null ? "the log" : file,
          -1,
          "a message needs body " + missing.bodyId() + ", and it is not there");
    }
  }

  /** Replaces the findings after a cut with one about the cut. */
  private void torn(StoreChange.Cut cut) {
    findings.removeIf(
        finding -> finding.file().equals(cut.file()) && finding.offset() >= cut.offset());
    findings.add(
        new Finding(
            cut.file(),
            cut.offset(),
            "a batch was torn before anybody was told of it; the next start cuts "
                + cut.bytes()
                + " bytes",
            true));
  }

  private void unbegun(StoreChange.Removed removed) {
    if (StoreFolder.kindOf(removed.file()) == Kind.SEGMENT) {
      findings.removeIf(finding -> finding.file().equals(removed.file()));
      findings.add(
          new Finding(
              removed.file(), -1, "was begun and holds no batch; the next start removes it", true));
    }
  }
}
