package io.peeklock.store;

import io.peeklock.journal.StoreChange;
import io.peeklock.journal.checkpoint.CheckpointReader;
import io.peeklock.journal.checkpoint.SegmentTable;
import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import io.peeklock.journal.scan.LoggedBatch;
import io.peeklock.journal.scan.SegmentScan;
import io.peeklock.kernel.Invariant.BrokenInvariant;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.machine.Machine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Restores as much of the state as a damaged folder still has.
 *
 * <p>It begins like a start: the newest intact checkpoint, then the log after it. A torn end is cut
 * off. Where batches are missing it continues with the next intact one: an intact message is kept,
 * unless an intact batch removes it. So a lost settlement brings its message back, and nothing
 * intact is dropped.
 */
final class Salvage {
  private static final int FORGET_EVERY = 1_024;

  private final StoreFolder folder;
  private final Progress progress;
  private final Machine machine = new Machine();
  private final PlaceIndex places = new PlaceIndex();
  private final SequenceLedgers ledgers = new SequenceLedgers();
  private final List<String> files = new ArrayList<>();
  private final Map<String, Integer> fileNumbers = new HashMap<>();
  private final List<Finding> findings = new ArrayList<>();
  private StoreChange.@Nullable Cut torn;
  private final Set<String> unbegun = new HashSet<>();
  private @Nullable Definitions definitions;
  private long lastIndex;
  private long lastTimeMillis;
  private long damagedBytes;
  private long lostBatches;

  /** Nothing was read so far. */
  private boolean isBeginning = true;

  private boolean mayMissFacts;
  private final LogEnd end = new LogEnd();

  private Salvage(StoreFolder folder, Progress progress) {
    this.folder = folder;
    this.progress = progress;
  }

  static Salvage of(StoreFolder folder, Progress progress) throws IOException {
    var salvage = new Salvage(folder, progress);
    salvage.run();
    return salvage;
  }

  private void run() throws IOException {
    var dryRun = folder.dryRun();
    if (dryRun.isRead()) {
      dryRun.changes().forEach(this::heed);
    }
    restore();
    var segments = folder.names(Kind.SEGMENT).stream().filter(name -> !unbegun.contains(name));
    read(segments.toList());
    judgeEnd();
    releaseDeadBodies();
  }

  private void heed(StoreChange change) {
    switch (change) {
      case StoreChange.Cut cut -> torn = cut;
      case StoreChange.Removed removed -> unbegun.add(removed.file());
      case StoreChange.SetAside ignored -> {}
    }
  }

  private void read(List<String> segments) throws IOException {
    var fromCheckpoint = !isBeginning;
    if (isBeginning) {
      judgeBeginning(LogBeginning.firstIndex(folder, segments));
    }
    for (var i = 0; i < segments.size(); i++) {
      var covered =
          i + 1 < segments.size() && StoreFolder.firstIndex(segments.get(i + 1)) <= lastIndex + 1;
      if (covered && fromCheckpoint) {
        progress.add(folder.bytes(segments.get(i)));
      } else {
        read(segments.get(i));
      }
    }
  }

  // ---- the checkpoint

  /**
   * Judges the beginning like a start: without an intact checkpoint the log must have its first
   * batch.
   */
  private void judgeBeginning(long firstIndex) {
    LogBeginning.judge(folder, firstIndex, findings);
    if (firstIndex > 1) {
      gap(firstIndex - 1);
    }
    lastIndex = firstIndex - 1;
  }

  private void restore() throws IOException {
    var names = folder.names(Kind.CHECKPOINT);
    for (var i = names.size() - 1; i >= 0 && isBeginning; i--) {
      var name = names.get(i);
      try (var reader = folder.checkpoint(name)) {
        var damage = reader.damage();
        if (damage == null) {
          lastIndex = StoreFolder.checkpointIndex(name);
          reader.read(new Restoring());
          isBeginning = false;
        } else {
          findings.add(new Finding(name, -1, damage, true));
        }
      }
      progress.add(folder.bytes(name));
    }
  }

  /** Applies the contents of a checkpoint. */
  private final class Restoring implements CheckpointReader.Content {
    private SegmentTable table = new SegmentTable(new long[0]);
    private final Map<Integer, String> cold = new HashMap<>();

    @Override
    public void segments(long[] segments) {
      table = new SegmentTable(segments);
    }

    @Override
    public void cold(long[] named) {
      CheckpointReader.Cold.in(named).forEach(each -> cold.put(each.slot(), each.file()));
    }

    @Override
    public void part(List<Fact> facts, long[] at, List<CheckpointReader.Large> larges)
        throws IOException {
      var ids = CheckpointReader.bodiesIn(facts);
      var large = 0;
      for (var i = 0; i < ids.length; i++) {
        if (at[i] == CheckpointReader.LARGE) {
          places.put(ids[i], larges.get(large++));
        } else if (at[i] != CheckpointReader.GONE) {
          locate(ids[i], at[i]);
        }
      }
      for (var fact : facts) {
        apply(lastIndex, fact);
      }
    }

    private void locate(long bodyId, long at) {
      var file =
          CheckpointReader.isCold(at) ? cold.get(CheckpointReader.slot(at)) : segmentOf(bodyId);
      if (file != null) {
        var offset = CheckpointReader.offset(at);
        places.put(bodyId, fileNumber(file), offset, CheckpointReader.length(at));
      }
    }

    private @Nullable String segmentOf(long bodyId) {
      var place = table.placeOf(bodyId);
      return place < 0 ? null : StoreFolder.segmentName(table.firstIndex(place));
    }
  }

  private int fileNumber(String name) {
    return fileNumbers.computeIfAbsent(
        name,
        fresh -> {
          files.add(fresh);
          return files.size() - 1;
        });
  }

  // ---- the log

  private void read(String name) throws IOException {
    try (var scan = folder.segment(name)) {
      scan.run(false, new Reading(name), progress::add);
    }
  }

  /** Applies the contents of a segment. */
  private final class Reading implements SegmentScan.Visitor {
    private final String name;
    private final int file;

    Reading(String name) {
      this.name = name;
      this.file = fileNumber(name);
    }

    private boolean isTorn(long offset) {
      return torn != null && torn.file().equals(name) && offset >= torn.offset();
    }

    @Override
    public void batch(LoggedBatch batch) throws IOException {
      if (isTorn(batch.offset())) {
        return;
      }
      end.goesOn(batch);
      lastTimeMillis = Math.max(lastTimeMillis, batch.timeMillis());
      if (batch.index() <= lastIndex) {
        return; // the checkpoint covers it, and damage before it
      }
      if (batch.predecessor() != lastIndex) {
        gap(batch.index() - lastIndex - 1);
      }
      locate(batch);
      for (var fact : batch.facts()) {
        apply(batch.index(), fact);
      }
      isBeginning = false;
      lastIndex = batch.index();
      end.promised(batch.durable());
      if (batch.index() % FORGET_EVERY == 0) {
        releaseDeadBodies();
      }
    }

    private void locate(LoggedBatch batch) {
      var large = 0;
      for (var i = 0; i < batch.lengths().length; i++) {
        var id = batch.firstBodyId() + i;
        if (batch.lengths()[i] == LoggedBatch.LARGE) {
          places.put(id, batch.larges().get(large++));
        } else {
          places.put(id, file, batch.places()[i], batch.lengths()[i]);
        }
      }
    }

    @Override
    public void watermark(long offset, long index) {
      end.promised(index);
    }

    @Override
    public void damage(long offset, long bytes, String what) {
      if (!isTorn(offset)) {
        findings.add(new Finding(name, offset, what + " (" + bytes + " bytes)", false));
        damagedBytes += bytes;
        end.damaged();
      }
    }
  }

  private void gap(long batches) {
    lostBatches += batches;
    if (!mayMissFacts) {
      mayMissFacts = true;
      machine.expectGaps();
    }
    ledgers.doubt();
  }

  /** Judges damage that nothing intact follows. */
  private void judgeEnd() throws IOException {
    end.judge(folder, lastIndex, findings);
    lostBatches += end.lostBatches();
    damagedBytes += end.lostBytes();
    if (end.lostBatches() == 0 && !end.isUnknown()) {
      return;
    }
    for (var ledger : ledgers.all()) {
      ledger.doubt(Long.MAX_VALUE);
    }
  }

  private void apply(long index, Fact fact) throws IOException {
    knowTopicOf(index, Subjects.definedBy(fact), fact);
    for (var queue : Subjects.of(fact)) {
      know(index, queue, fact);
    }
    note(fact);
    try {
      machine.apply(index, fact);
      if (mayMissFacts) {
        settleBeforeItDied(index, fact);
      }
    } catch (RuntimeException broken) { // any exception concerns this batch
      throw new IOException(
          "the facts of batch "
              + index
              + " do not follow from those before: "
              + (broken instanceof BrokenInvariant ? broken.getMessage() : broken),
          broken);
    }
  }

  /** A dead letter that was settled is settled, even if the batch that moved it is lost. */
  private void settleBeforeItDied(long index, Fact fact) {
    var numbers = Subjects.settledBy(fact);
    var queue = numbers.length == 0 ? null : ledgers.queueOfDeadLetters(Subjects.of(fact).get(0));
    if (queue != null) {
      machine.apply(index, new Fact.Completed(queue, numbers));
    }
  }

  /** Adds a queue created in a lost batch, which is described elsewhere or shown by its facts. */
  private void know(long index, QueueId queue, Fact fact) throws IOException {
    if (ledgers.has(queue.number()) || Subjects.definedBy(fact) != null) {
      return;
    }
    make(index, queue, fact);
  }

  /** Adds the topic of a subscription before it. */
  private void knowTopicOf(long index, Subjects.@Nullable DefinedQueue defined, Fact fact)
      throws IOException {
    if (defined != null
        && defined.definition().role() instanceof QueueRole.Subscription subscription) {
      var path = subscription.topicPath();
      if (!ledgers.haveTopic(path)
          || (mayMissFacts && definitions().isFedByMissing(defined.queue(), ledgers::has))) {
        var topic = definitions().topicOf(defined.queue(), path, ledgers::has);
        make(index, new QueueId(topic), fact);
      }
    }
  }

  private Definitions definitions() throws IOException {
    var all = definitions;
    if (all == null) {
      all = Definitions.in(folder);
      definitions = all;
    }
    return all;
  }

  private void make(long index, QueueId queue, Fact fact) throws IOException {
    var all = definitions();
    var defined = all.defined(queue.number());
    // Without a word about it: queues are made in pairs, the dead letters' second.
    var number = queue.number() % 2 == 0 ? queue.number() - 1 : queue.number();
    var shown =
        defined == null
            ? new Subjects.DefinedQueue(
                new QueueId(number), new QueueId(number + 1), all.shown(number), 1)
            : defined;
    var made = shown.restored();
    knowTopicOf(index, Subjects.definedBy(made), fact);
    note(made);
    ledgers.loseRules(shown);
    machine.apply(index, made);
  }

  private void note(Fact fact) {
    var defined = Subjects.definedBy(fact);
    if (defined != null) {
      open(defined, fact);
      return;
    }
    MovedMessages.note(fact, ledgers);
    if (fact instanceof Fact.RemovesMessages done) {
      ledger(done.queue()).settled(done.sequenceNumbers());
    } else if (fact instanceof ForwardFact.Dropped done) {
      ledger(done.queue()).settled(done.sequenceNumbers());
    } else if (fact instanceof EntityFact.QueueDeleted deleted) {
      ledgers.close(deleted.queue());
    } else if (fact instanceof Fact.AboutRules rules) {
      ledgers.missRules(rules.subscription());
    }
  }

  private void open(Subjects.DefinedQueue defined, Fact fact) {
    var fromItsFirst = isBeginning || !mayMissFacts;
    if (!(fact instanceof EntityFact.QueueMadeAgain made)) {
      ledgers.closeWhatWasAt(defined);
      ledgers.open(defined, fromItsFirst);
      return;
    }
    var hasRules = ledgers.has(made.before().number()) && ledgers.of(made.before()).hasRules();
    ledgers.close(made.before());
    ledgers.open(defined, fromItsFirst);
    if (!hasRules) {
      ledgers.loseRules(defined); // it has those of the one before
    }
  }

  private SequenceLedger ledger(QueueId queue) {
    return ledgers.of(queue);
  }

  private void releaseDeadBodies() {
    for (var id : machine.takeDeadBodies()) {
      places.remove(id);
    }
  }

  // ---- the result

  Machine machine() {
    return machine;
  }

  PlaceIndex places() {
    return places;
  }

  /** The file with a number in {@link #places}. */
  String file(int number) {
    return files.get(number);
  }

  /** The ledgers by number of the queue. */
  Map<Integer, SequenceLedger> ledgers() {
    return ledgers.byNumber();
  }

  List<Finding> findings() {
    return findings;
  }

  long lostBatches() {
    return lostBatches;
  }

  long lastTimeMillis() {
    return lastTimeMillis;
  }

  /**
   * The distance by which the numbers of all queues are advanced, so that no number is given twice
   * even though the lost part may have given some. A message takes at least 4 bytes.
   */
  long safeDistance() {
    return lostBatches == 0 && !end.isUnknown() ? 0 : Math.max(1 << 20, damagedBytes / 4);
  }

  boolean hasLoss() {
    return lostBatches > 0 || end.isUnknown() || ledgers.haveLoss();
  }
}
